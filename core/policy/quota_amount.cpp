#include "core/policy/quota_amount.hpp"

#include "core/base/wide.hpp"
#include "core/host/load_average.hpp"
#include "core/host/sensed_values.hpp"
#include "core/text/topology.hpp"

#include <algorithm>
#include <optional>

namespace almanac {

namespace {

std::optional<std::int64_t> in_millionths(const Complex& complex, const std::string& text) {
  const auto amount = complex.amount(text);
  if (!amount) return std::nullopt;
  return complex.type == ValueType::decimal ? *amount : clamped(Wide(*amount) * fixed_point::unit);
}

// On the host, then on the global host (Q4.31).
std::optional<std::int64_t> value_of(const Configuration& configuration, const std::string& name,
                                     const std::string& host, const HostState& state) {
  const auto* complex = configuration.complexes().find(name);
  if (!complex || complex->is_text()) return std::nullopt;
  const auto& own = configuration.host_values(host);
  if (const auto it = own.find(name); it != own.end()) return in_millionths(*complex, it->second);
  if (name == "num_proc" && !state.facts.arch.empty())
    return clamped(Wide(state.facts.processors) * fixed_point::unit);
  if (const auto count = topology_count(state.facts.topology, name))
    return clamped(Wide(*count) * fixed_point::unit);
  if (const auto load = load_average(state, name, configuration.load_factor(host, name)))
    return load;
  if (const auto sensed = sensed_amount(configuration, state, nullptr, *complex)) return sensed;
  const auto& global = configuration.host_values("global");
  if (const auto it = global.find(name); it != global.end())
    return in_millionths(*complex, it->second);
  return std::nullopt;
}

} // namespace

std::int64_t amount_of(const Configuration& configuration, const QuotaLimit& limit,
                       const std::string& host, const HostState& state) {
  if (!limit.formula) return limit.amount;
  Wide sum = limit.formula->constant;
  for (const auto& [name, weight] : limit.formula->terms) {
    const auto value = value_of(configuration, name, host, state);
    if (!value) return 0;
    sum += Wide(*value) * weight / fixed_point::unit;
  }
  const auto* complex = configuration.complexes().find(limit.complex);
  const bool is_decimal = complex && complex->type == ValueType::decimal;
  return std::max<std::int64_t>(0, clamped(is_decimal ? sum : sum / fixed_point::unit));
}

std::string compared_text(const QuotaLimit& limit, const Complex& complex, std::int64_t amount) {
  if (!limit.formula) return limit.text;
  return complex.type == ValueType::decimal ? complex.print_amount(amount) : std::to_string(amount);
}

std::vector<std::string> missing_values(const Configuration& configuration, const QuotaLimit& limit,
                                        const std::string& host, const HostState& state) {
  std::vector<std::string> missing;
  if (!limit.formula) return missing;
  for (const auto& [name, weight] : limit.formula->terms)
    if (!value_of(configuration, name, host, state) &&
        std::find(missing.begin(), missing.end(), name) == missing.end())
      missing.push_back(name);
  return missing;
}

} // namespace almanac
