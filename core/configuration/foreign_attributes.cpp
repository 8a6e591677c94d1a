#include "core/configuration/foreign_attributes.hpp"

#include "core/text/words.hpp"

#include <algorithm>
#include <map>

namespace almanac {

namespace {

/// The values that mean "off", the usual one first; none where every value means nothing here.
using Idle = std::vector<std::string>;
using Foreign = std::map<std::string, Idle, std::less<>>;

const Foreign of_hosts{{"load_scaling", {"NONE"}},
                       {"load_values", {}}, // what the host reported when it was shown
                       {"processors", {}},
                       {"usage_scaling", {"NONE"}},
                       {"report_variables", {"NONE"}}};

const Foreign of_environments{{"qsort_args", {"NONE"}},
                              {"ign_sreq_on_mhost", {"FALSE"}},
                              {"master_forks_slaves", {"FALSE"}},
                              {"daemon_forks_slaves", {"FALSE"}}};

// An agent knows its own folder, groups and shepherd; interactive jobs need none of these programs.
const Foreign of_cell{{"execd_spool_dir", {}},
                      {"xterm", {}},
                      {"shepherd_cmd", {"none"}},
                      {"gid_range", {}},
                      {"min_gid", {"0"}},
                      {"load_sensor", {"none"}},
                      {"set_token_cmd", {"none"}},
                      {"pag_cmd", {"none"}},
                      {"token_extend_time", {}},
                      {"finished_jobs", {"0", "100"}},
                      {"finished_jobs_max", {"0"}},
                      {"port_range", {}},
                      {"qlogin_command", {"builtin"}},
                      {"qlogin_daemon", {"builtin"}},
                      {"rlogin_command", {"builtin"}},
                      {"rlogin_daemon", {"builtin"}},
                      {"rsh_command", {"builtin"}},
                      {"rsh_daemon", {"builtin"}},
                      {"auto_user_oticket", {"0"}},
                      {"auto_user_fshare", {"0"}},
                      {"auto_user_default_project", {"none"}},
                      {"auto_user_delete_time", {}},
                      {"delegated_file_staging", {"false"}},
                      {"reprioritize", {"0", "false"}},
                      {"jsv_url", {"none"}},
                      {"jsv_allowed_mod", {}},
                      {"libjvm_path", {}},
                      {"additional_jvm_args", {}}};

const Foreign& foreign_of(ObjectKind kind) {
  static const Foreign nothing;
  switch (kind) {
  case ObjectKind::exec_host: return of_hosts;
  case ObjectKind::parallel_environment: return of_environments;
  case ObjectKind::global_configuration: return of_cell;
  default: return nothing;
  }
}

} // namespace

bool is_foreign(ObjectKind kind, const std::string& attribute) {
  return foreign_of(kind).contains(attribute);
}

Outcome check_foreign(ObjectKind kind, const Attribute& attribute) {
  const auto& known = foreign_of(kind);
  const auto entry = known.find(attribute.name);
  if (entry == known.end()) return Error{"unknown attribute name \"" + attribute.name + "\""};
  const auto& idle = entry->second;
  const bool off = idle.empty() || std::any_of(idle.begin(), idle.end(), [&](auto& value) {
                     return equal_ignoring_case(value, attribute.value);
                   });
  if (off) return Done{};
  return Error{"attribute \"" + attribute.name + "\" is not built yet, only " + idle.front()};
}

} // namespace almanac
