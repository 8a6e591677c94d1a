// What parts of requests may hold that come from outside, of jobs and of reservations.
#pragma once

#include "core/base/attribute.hpp"
#include "core/base/time.hpp"
#include "core/request/findings.hpp"
#include "core/text/ranges.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace almanac {

inline constexpr std::size_t longest_wish = 1'000; ///< what every queue instance is compared with
inline constexpr std::int64_t lowest_priority = -1023, highest_priority = 1024;
inline constexpr std::int64_t most_tickets = 9'999'999;
inline constexpr const char* mail_of_jobs = "beas"; ///< begin, end, abort, suspension
inline constexpr const char* mail_of_reservations = "bea";

/// n-m:s with 1 <= n <= m and s >= 1; the steps need not reach the last.
bool is_typed_range(const TaskRange& range);

void check_instant(Findings& findings, const char* what, Instant at);
void check_slots(Findings& findings, const std::vector<SlotRange>& slots);
/// Of -alloc; "" is none.
void check_allocation_rule(Findings& findings, const std::string& rule);
void check_mail_occasions(Findings& findings, const std::string& occasions, std::string_view known);
void check_mail_addresses(Findings& findings, const std::vector<std::string>& addresses);
/// Names and patterns among these words: each is compared with each job's name.
void check_job_patterns(Findings& findings, const std::vector<std::string>& jobs);

/// Names are not empty and hold neither '=' nor control characters.
Outcome valid_environment(const std::vector<Attribute>& environment);

} // namespace almanac
