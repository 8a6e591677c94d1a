// What is asked of each place in amounts: the consumables of a demand, each with where it is.
//
// Amounts are in millionths for all resources but slots. Source: spec/scheduling.md section 9.
#pragma once

#include "core/matching/demand.hpp"
#include "core/matching/supply.hpp"

#include <vector>

namespace almanac {

/// A consumable that is asked for, and where it is.
struct Consumption {
  const ConsumableDemand& asked;
  const CapacityIndex& capacity_index;
  const CapacityIndex* shared; ///< for who wants to be alone: what the others have booked
};

/// Valid as long as demand and supply live.
std::vector<Consumption> consumptions_of(const Demand& demand, const Supply& supply);

/// Those that are preferred and never booked (-soft); likewise.
std::vector<Consumption> consumptions_of(const SoftDemand& demand, const Supply& supply);

} // namespace almanac
