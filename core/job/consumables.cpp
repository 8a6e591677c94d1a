#include "core/job/consumables.hpp"

#include "core/configuration/configuration.hpp"

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

std::optional<ConsumableDemand> asked_of(const Complex& complex, const std::string& value) {
  const auto amount = complex.amount(value);
  if (!amount) return std::nullopt;
  if (!complex.is_exclusive())
    return ConsumableDemand{complex.name, *amount, taking_of(complex), true};
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
