// What qralter changes of a reservation, by its options.
#pragma once

#include "core/request/reserve_table.hpp"

#include <span>
#include <string_view>
#include <vector>

namespace almanac {

/// What qralter changes of a reservation, by the options that give it (spec/beyond.md section 12).
struct ReserveAlteration {
  Column<std::string_view> name;
  Column<void (*)(ReservationRequest& into, const ReservationRequest& from)> copy;
  Column<bool> reshapes; ///< another place is looked for
  Column<bool> clears;   ///< "" as value leaves nothing of it
};

/// Whether the option says when a reservation comes again, and means nothing for a single one.
bool is_of_series(std::string_view name);

std::span<const ReserveAlteration> reserve_alterations();
/// What the option changes, or nullptr: it stays as it was granted.
const ReserveAlteration* find_reserve_alteration(std::string_view name);

/// The usage's lines.
std::vector<UsageLine> reserve_alteration_usage();

} // namespace almanac
