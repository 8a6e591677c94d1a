// Which queue instances a listing is about: -q, -l, -pe, -U and -qs of qstat and qselect
// (spec/cli.md sections 6 and 7).
#pragma once

#include "core/base/attribute.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace almanac {

/// The letters of an instance's state (spec/cli.md section 5.2).
inline constexpr std::string_view instance_states = "aACDduESsco";

/// What an instance has to meet; an empty list asks for nothing.
struct InstanceSelection {
  std::vector<std::string> queues;  ///< one of them names it: queues, instances, host groups
  std::vector<Attribute> resources; ///< all of them are met by what it offers now
  std::vector<std::string> pes;     ///< one of them is on its list: names or patterns
  std::vector<std::string> users;   ///< one of them may use it
  std::vector<Attribute> groups{};  ///< of plain users their primary group, where it is known
  std::string states{};             ///< it is in one of these, as qstat -f shows them

  bool is_empty() const {
    return queues.empty() && resources.empty() && pes.empty() && users.empty() && states.empty();
  }
};
template <class V> void describe(V& visit, InstanceSelection& s) {
  visit("queues", s.queues);
  visit("resources", s.resources);
  visit("pes", s.pes);
  visit("users", s.users);
  visit("groups", s.groups);
  visit("states", s.states);
}

} // namespace almanac
