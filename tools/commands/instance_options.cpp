#include "tools/commands/instance_options.hpp"

#include "core/request/quota_selection.hpp"
#include "core/text/resource_list.hpp"
#include "core/text/words.hpp"
#include "tools/commands/user_groups.hpp"

#include <iterator>

namespace almanac {

const std::vector<OptionRule>& instance_option_rules() {
  static const std::vector<OptionRule> rules{
      {"-l", 1}, {"-pe", 1}, {"-q", 1}, {"-qs", 1}, {"-U", 1}};
  return rules;
}

Result<std::vector<Attribute>> resource_requests(const GivenOptions& given,
                                                 const std::string& name) {
  std::vector<Attribute> requests;
  for (const auto& option : given.options)
    if (option.name == name)
      if (auto added = add_resource_requests(requests, option.values.front()); !added)
        return option.wrong(added.what());
  return requests;
}

Result<InstanceSelection> instance_selection(const Context& context, const GivenOptions& given) {
  InstanceSelection selection;
  auto requests = resource_requests(given, "-l");
  if (!requests) return requests.error();
  selection.resources = std::move(*requests);
  for (const auto& option : given.options) {
    auto* list = option.name == "-q"    ? &selection.queues
                 : option.name == "-pe" ? &selection.pes
                 : option.name == "-U"  ? &selection.users
                                        : nullptr;
    if (list) {
      auto named = words(option.values.front(), ", ");
      if (named.empty()) return option.wrong("nothing is named");
      std::move(named.begin(), named.end(), std::back_inserter(*list));
    }
    if (option.name != "-qs") continue;
    const auto& letters = option.values.front();
    if (letters.empty() || letters.find_first_not_of(instance_states) != std::string::npos)
      return option.wrong("expected letters of a, A, C, D, d, u, E, S, s, c and o");
    for (const char letter : letters)
      if (selection.states.find(letter) == std::string::npos) selection.states += letter;
  }
  // Access lists may name groups, and the master asks nobody who is in them.
  selection.groups = known_groups(context, selection.users, most_told_groups);
  return selection;
}

} // namespace almanac
