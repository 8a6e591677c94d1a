#include "core/host/sensed_values.hpp"

#include "core/base/wide.hpp"
#include "core/text/topology.hpp"

#include <algorithm>

namespace almanac {

namespace {

bool names(const LoadValue& said, const Complex& complex) {
  return said.name == complex.name || said.name == complex.shortcut;
}

} // namespace

bool may_be_sensed(const Configuration& configuration, const Complex& complex) {
  return configuration.has_load_sensors() && !is_built_in_complex(complex.name) &&
         !is_topology_name(complex.name);
}

const LoadValue* sensed_value(const HostState& host, const HostState* cell,
                              const Complex& complex) {
  for (const auto& said : host.load.values)
    if (said.host.empty() && names(said, complex)) return &said;
  const LoadValue* last = nullptr;
  for (const auto& said : (cell ? *cell : host).load.values)
    if (names(said, complex) && (cell || !said.host.empty())) last = &said;
  return last;
}

std::optional<std::int64_t> sensed_amount(const Configuration& configuration, const HostState& host,
                                          const HostState* cell, const Complex& complex) {
  if (complex.is_text() || !may_be_sensed(configuration, complex)) return std::nullopt;
  const auto* said = sensed_value(host, cell, complex);
  if (!said) return std::nullopt;
  const auto amount = complex.amount(said->value);
  if (!amount) return std::nullopt;
  const auto value =
      complex.type == ValueType::decimal ? *amount : clamped(Wide(*amount) * fixed_point::unit);
  const auto factor = configuration.load_factor(host.name, complex.name);
  return factor == fixed_point::unit ? value : clamped(Wide(value) * factor / fixed_point::unit);
}

HostState with_cell_values(HostState host, const HostState& cell) {
  auto& values = host.load.values;
  std::erase_if(values, [](const LoadValue& said) { return !said.host.empty(); });
  for (const auto& said : cell.load.values) values.push_back({said.name, said.value, whole_cell});
  return host;
}

} // namespace almanac
