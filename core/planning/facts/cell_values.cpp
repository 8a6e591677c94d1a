#include "core/planning/facts/cell_values.hpp"

#include <algorithm>

namespace almanac::rules {

namespace {

constexpr std::size_t most_cell_values = 1000; // of all hosts together

} // namespace

void follow_cell_values(State& state, const std::string& host, const std::vector<LoadValue>& said) {
  const auto& before = state.host(whole_cell).load.values;
  const auto& hosts = state.configuration().hosts();
  std::vector<LoadValue> values;
  for (const auto& one : before)
    if (one.host != host && hosts.contains(one.host)) values.push_back(one);
  for (const auto& one : said)
    if (one.host == whole_cell && values.size() < most_cell_values)
      values.push_back({one.name, one.value, host});
  if (values == before) return;
  state.edit<HostState>(whole_cell, [&](HostState& cell) { cell.load.values = std::move(values); });
}

} // namespace almanac::rules
