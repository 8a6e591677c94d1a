#include "core/job/consumables.hpp"

#include "core/configuration/configuration.hpp"
#include "core/configuration/objects/process_limit.hpp"
#include "core/text/ranges.hpp"
#include "core/text/values.hpp"

#include <algorithm>

namespace almanac {

namespace {

Taking taking_of(const Complex& complex) {
  switch (complex.consumable) {
  case Consumable::per_job: return Taking::per_job;
  case Consumable::per_host: return Taking::per_host;
  default: return Taking::per_slot;
  }
}

} // namespace

std::int64_t amount_for(const ConsumableDemand& asked, std::int64_t slots) {
  return asked.amount * ((slots + asked.per - 1) / asked.per);
}

std::optional<Ratio> ratio_of(const Complex& complex, const std::string& value) {
  const auto slash = value.rfind('/');
  if (slash == std::string::npos || complex.consumable != Consumable::per_slot ||
      complex.is_exclusive() || is_process_limit(complex.name))
    return std::nullopt;
  const auto slots = parse_number(value.substr(slash + 1));
  if (!slots || *slots < 1 || *slots > most_slots) return std::nullopt;
  return Ratio{value.substr(0, slash), *slots};
}

std::optional<ConsumableDemand> asked_of(const Complex& complex, const std::string& value) {
  const auto ratio = ratio_of(complex, value);
  const auto amount = complex.amount(ratio ? ratio->amount : value);
  if (!amount) return std::nullopt;
  if (!complex.is_exclusive())
    return ConsumableDemand{complex.name, *amount, taking_of(complex), true,
                            ratio ? ratio->slots : 1};
  if (*amount == 0) return std::nullopt;
  return ConsumableDemand{complex.name, 1, Taking::alone, true};
}

void add_defaults(const Configuration& configuration, std::vector<ConsumableDemand>& consumables) {
  for (const auto& [name, complex] : configuration.complexes().all()) {
    if (!complex.is_consumable() || name == "slots") continue;
    if (!configuration.is_offered(name) && !configuration.is_limited(name)) continue;
    const bool asked = std::any_of(consumables.begin(), consumables.end(),
                                   [&, &n = name](const auto& c) { return c.resource == n; });
    if (asked) continue;
    if (complex.is_exclusive()) {
      consumables.push_back({name, 1, Taking::beside, false});
      continue;
    }
    const auto by_default = complex.amount(complex.default_request);
    if (by_default && *by_default > 0)
      consumables.push_back({name, *by_default, taking_of(complex), false});
  }
}

std::vector<ConsumableDemand> consumables_of(const Configuration& configuration,
                                             const std::vector<Attribute>& resources) {
  std::vector<ConsumableDemand> consumables{{"slots", 1, Taking::per_slot, true}};
  for (const auto& [name, value] : resources) {
    const auto* complex = configuration.complexes().find(name);
    if (!complex || !complex->is_consumable() || complex->name == "slots") continue;
    if (auto asked = asked_of(*complex, value)) consumables.push_back(std::move(*asked));
  }
  add_defaults(configuration, consumables);
  return consumables;
}

} // namespace almanac
