// The rows of the table of qsub's options, by theme; together, in this order, they are that table.
#pragma once

#include "core/request/submit_table.hpp"

#include <span>

namespace almanac {

namespace submit_rows {
std::span<const SubmitOption> identity();
std::span<const SubmitOption> execution();
std::span<const SubmitOption> structure();
std::span<const SubmitOption> command();
} // namespace submit_rows

/// What their column of alterations says.
namespace columns {
inline constexpr auto waiting_only = WhileRunning::must_not;
inline constexpr auto running_too = WhileRunning::may_change;
inline constexpr auto nothing_runs = WhileRunning::never;
inline constexpr auto where_unbound = WhileRunning::where_unbound;
inline constexpr auto fits_again = FitsAgain::is_checked;
inline constexpr auto no_matter = FitsAgain::is_not;
} // namespace columns

} // namespace almanac
