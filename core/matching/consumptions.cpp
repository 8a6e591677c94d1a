#include "core/matching/consumptions.hpp"

namespace almanac {

namespace {

const CapacityIndex& shared_index(const ConsumableDemand& asked, const Supply& supply) {
  return supply.capacity_index(Resource(asked.resource, true));
}

} // namespace

std::vector<Consumption> consumptions_of(const Demand& demand, const Supply& supply) {
  std::vector<Consumption> consumptions;
  consumptions.reserve(demand.consumables.size());
  for (const auto& asked : demand.consumables)
    consumptions.push_back(
        {asked, supply.capacity_index(asked.resource),
         asked.taking == Taking::alone ? &shared_index(asked, supply) : nullptr});
  return consumptions;
}

std::vector<Consumption> consumptions_of(const SoftDemand& demand, const Supply& supply) {
  std::vector<Consumption> consumptions;
  consumptions.reserve(demand.consumables.size());
  for (const auto& asked : demand.consumables)
    consumptions.push_back(
        {asked, supply.capacity_index(asked.resource), &shared_index(asked, supply)});
  return consumptions;
}

} // namespace almanac
