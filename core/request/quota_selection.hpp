// Which limits of resource quota sets are wanted (spec/quotas.md section 6, Switches).
#pragma once

#include "core/base/attribute.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace almanac {

inline constexpr std::size_t most_told_groups = 100;

/// Names and patterns; of users and hosts "@set", too. An empty list means all.
struct QuotaSelection {
  std::vector<std::string> users, projects, pes, queues, hosts;
  std::vector<std::string> resources; ///< names or shortcuts
  std::vector<Attribute>
      groups{}; ///< of plain users their primary group, where the client knows it
};
template <class V> void describe(V& visit, QuotaSelection& s) {
  visit("users", s.users);
  visit("projects", s.projects);
  visit("pes", s.pes);
  visit("queues", s.queues);
  visit("hosts", s.hosts);
  visit("resources", s.resources);
  visit("groups", s.groups);
}

} // namespace almanac
