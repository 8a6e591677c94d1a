// The past of instances, reservations and tasks, as rows of the store. They are written in the
// commit of the input that ends them, and removed as accounting records are.
//
// A span that is over lies under its end, then what it is of: a scan from a time on meets all that
// ended later. One that goes on lies behind all of these, under what it is of, since nobody knows
// its end. A row that is written twice is the same row.
#pragma once

#include "core/job/accounting_record.hpp"
#include "core/utilization/usage_span.hpp"
#include "schema/store/keys.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace almanac::store {

/// In meta: since when all of it is known, in seconds.
inline constexpr const char* usage_since_key = "usage_since";

/// The first key of spans that end later.
std::string key_of_spans_after(Instant at);
/// Where the spans that go on begin.
inline constexpr std::string_view open_spans = "\xff";
bool is_open_span(std::string_view key);
/// Of one that is over.
Instant end_of_span(std::string_view key);

/// `of` as several of the same name can be told apart: the key of a reservation; 0 of an instance; of
/// a gap the number of the reservation.
std::string open_span_key(const UsageSpan& span, std::int64_t of);
Write write_of_open(const UsageSpan& span, std::int64_t of);
Write erase_of_open(const UsageSpan& span, std::int64_t of);
/// Of an instance, a reservation or a gap.
Write write_of_past(const UsageSpan& span);

/// What a task held; none of one that never ran.
std::vector<Write> spans_of(const AccountingRecord& record);

} // namespace almanac::store
