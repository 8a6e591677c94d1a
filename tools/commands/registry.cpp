#include "tools/commands/commands.hpp"

#include <map>

namespace almanac {

namespace {
const std::map<std::string, CommandFunction> commands{{"qsub", qsub},
                                                      {"qalter", qalter},
                                                      {"qdel", qdel},
                                                      {"qhold", qhold},
                                                      {"qrls", qrls},
                                                      {"qstat", qstat},
                                                      {"qhost", qhost},
                                                      {"qmod", qmod},
                                                      {"qconf", qconf},
                                                      {"qacct", qacct},
                                                      {"qresub", qresub},
                                                      {"qrsh", qrsh},
                                                      {"qsh", qsh},
                                                      {"qrsub", qrsub},
                                                      {"qlogin", qlogin},
                                                      {"qralter", qralter},
                                                      {"qrdel", qrdel},
                                                      {"qrstat", qrstat},
                                                      {"qquota", qquota},
                                                      {"qselect", qselect},
                                                      {"gmeta", gmeta},
                                                      {"almanac-console", almanac_console},
                                                      {"plus_scheduler", plus_scheduler},
                                                      {"plus_schedkill", plus_schedkill},
                                                      {"plus_reserve", plus_reserve},
                                                      {"plus_status", plus_status},
                                                      {"plus_cancel", plus_cancel},
                                                      {"plus_destroy", plus_destroy},
                                                      {"plus_modify", plus_modify},
                                                      {"plus_availnodes", plus_availnodes},
                                                      {"plus_commit", plus_commit},
                                                      {"plus_abort", plus_abort},
                                                      {"plus_account", plus_account}};
} // namespace

CommandFunction find_command(const std::string& name) {
  const auto it = commands.find(name);
  return it == commands.end() ? nullptr : it->second;
}

std::vector<std::string> command_names() {
  std::vector<std::string> names;
  for (const auto& [name, function] : commands) names.push_back(name);
  return names;
}

} // namespace almanac
