#include "tools/commands/qconf_host_groups.hpp"

#include "core/text/words.hpp"
#include "tools/commands/host_groups.hpp"
#include "tools/commands/qconf_texts.hpp"

#include <ostream>

namespace almanac {

namespace {

// No group contains itself: the master refuses that. Deeper than this is none that people write.
constexpr std::size_t deepest = 64;

void show_tree(Context& context, const HostGroups& groups, const std::string& name,
               std::size_t depth) {
  context.out << std::string(3 * depth, ' ') << name << "\n";
  if (depth == deepest) return;
  for (const auto& member : groups.members_of(name)) show_tree(context, groups, member, depth + 1);
}

void show_hosts(Context& context, const HostGroups& groups, const std::string& name) {
  if (const auto hosts = groups.hosts_of({name}); !hosts.empty())
    context.out << join(hosts, " ") << "\n";
}

} // namespace

const std::vector<QconfVerb>& host_group_verbs() {
  static const std::vector<QconfVerb> verbs{
      {"-shgrp_tree", 1, "GROUPS: show host groups with the groups in them, as a tree"},
      {"-shgrp_resolved", 1, "GROUPS: show the hosts of host groups and of the groups in them"}};
  return verbs;
}

std::optional<int> run_host_group_verb(Context& context, const std::string& option,
                                       const std::vector<std::string>& values) {
  const bool is_tree = option == "-shgrp_tree";
  if (!is_tree && option != "-shgrp_resolved") return std::nullopt;
  const auto names = words(values.front());
  if (names.empty()) return complain(context, "no name is given: is a variable not set?");
  HostGroups groups;
  if (const int asked = groups.fetch(context); asked != 0) return asked;
  int code = 0;
  for (const auto& name : names)
    if (!groups.has(name)) code = no_such_object(context, ObjectKind::host_group, name);
    else if (is_tree) show_tree(context, groups, name, 0);
    else show_hosts(context, groups, name);
  return code;
}

} // namespace almanac
