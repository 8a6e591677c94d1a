#include "tools/commands/qconf_hosts.hpp"

#include "core/configuration/objects/lists.hpp"
#include "core/text/words.hpp"
#include "tools/commands/qconf_change.hpp"
#include "tools/commands/qconf_texts.hpp"

#include <algorithm>

namespace almanac {

namespace {

int show_hosts(Context& context, ObjectKind kind) {
  std::vector<std::string> hosts;
  const int asked = ask<door::Objects>(context, door::GetObjects{kind}, [&](door::Objects& frame) {
    for (const auto& object : frame.objects)
      for (auto& host : parse_name_list(*object.find("entries"))) hosts.push_back(std::move(host));
  });
  if (asked != 0) return asked;
  if (hosts.empty()) return none_defined(context, kind);
  std::sort(hosts.begin(), hosts.end());
  for (const auto& host : hosts) context.out << host << "\n";
  return 0;
}

// One by one: what can be done is done, as in Grid Engine.
int change_hosts(Context& context, ChangeVerb verb, ObjectKind kind, const std::string& hosts) {
  const auto names = words(hosts);
  if (names.empty()) return complain(context, "no name is given: is a variable not set?");
  int code = 0;
  for (const auto& host : names) {
    ConfigurationChange change;
    change.verb = verb, change.object.kind = kind, change.entries = {host};
    code = std::max(code, change_configuration(context, Configure{std::move(change)}));
  }
  return code;
}

} // namespace

const std::vector<QconfVerb>& host_verbs() {
  static const std::vector<QconfVerb> verbs{{"-sh", 0, "show the administrative hosts"},
                                            {"-ah", 1, "add administrative hosts"},
                                            {"-dh", 1, "remove administrative hosts"},
                                            {"-ss", 0, "show the submit hosts"},
                                            {"-as", 1, "add submit hosts"},
                                            {"-ds", 1, "remove submit hosts"}};
  return verbs;
}

std::optional<int> run_host_verb(Context& context, const std::string& option,
                                 const std::vector<std::string>& values) {
  const auto& verbs = host_verbs();
  if (std::none_of(verbs.begin(), verbs.end(), [&](auto& v) { return option == v.option; }))
    return std::nullopt;
  const auto kind = option.back() == 'h' ? ObjectKind::admin_hosts : ObjectKind::submit_hosts;
  if (option[1] == 's') return show_hosts(context, kind);
  return change_hosts(context,
                      option[1] == 'a' ? ChangeVerb::add_entries : ChangeVerb::remove_entries, kind,
                      values.front());
}

} // namespace almanac
