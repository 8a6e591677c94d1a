// What load sensors say, as the complexes of the site read it.
//
// 1. Only complexes that a site has made can be said so: what every host reports by itself stays the
//    agent's own word.
// 2. What is said of a host counts before what is said of the whole cell; of two hosts that speak for
//    the cell, the one that spoke last.
// 3. What does not read as a value of the complex counts for nothing.
#pragma once

#include "core/configuration/configuration.hpp"
#include "core/host/host.hpp"

#include <cstdint>
#include <optional>

namespace almanac {

/// Whether some host has load sensors, and they may say what there is of the complex.
bool may_be_sensed(const Configuration& configuration, const Complex& complex);

/// What is said at the host; nullptr: nothing. `cell`: the record of the cell's own values; nullptr where
/// those are among the host's (with_cell_values). For as long as both live.
const LoadValue* sensed_value(const HostState& host, const HostState* cell, const Complex& complex);

/// The same in millionths, as the host's load_scaling reads it. Nothing for texts.
std::optional<std::int64_t> sensed_amount(const Configuration& configuration, const HostState& host,
                                          const HostState* cell, const Complex& complex);

/// The host as those see it who have no record of the cell: with the cell's values among its own.
HostState with_cell_values(HostState host, const HostState& cell);

} // namespace almanac
