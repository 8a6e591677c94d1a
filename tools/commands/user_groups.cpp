#include "tools/commands/user_groups.hpp"

#include "core/text/names.hpp"
#include "core/text/pattern.hpp"

namespace almanac {

Outcome find_groups(Context& context, ReservationRequest& request) {
  for (const auto& entry : request.users) {
    const auto name = entry.starts_with('!') ? entry.substr(1) : entry;
    if (name.starts_with('@') || is_pattern(name)) continue;
    const auto group = context.group_of(name);
    if (!group) return Error{excerpt(name) + " is not known as a user"};
    if (!group->empty() && name == entry) request.groups.push_back({name, *group});
  }
  return Done{};
}

std::vector<Attribute> known_groups(const Context& context, const std::vector<std::string>& words,
                                    std::size_t most) {
  std::vector<Attribute> groups;
  if (!context.group_of) return groups;
  for (const auto& word : words) {
    if (groups.size() == most) break;
    if (word.starts_with('@') || is_pattern(word)) continue;
    if (const auto group = context.group_of(word); group && !group->empty())
      groups.push_back({word, *group});
  }
  return groups;
}

} // namespace almanac
