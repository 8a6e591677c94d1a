// Accounting records as their reader takes them: read from the store piece by piece, so that a
// history of years costs no memory, and a reader who finds nothing in it is in nobody's way.
//
// Threads: the archive's; next() reads the store.
#pragma once

#include "actors/answer_frames.hpp"
#include "actors/ports/archive.hpp"
#include "core/job/accounting_filter.hpp"

namespace almanac {

/// What one call of next() does at most.
inline constexpr std::size_t most_records_in_a_frame = 200, most_records_looked_at = 2'000;

/// Where it is written since when accounting is known, in seconds; nothing: all of it is.
inline constexpr const char* accounting_since_key = "accounting_since";

/// The records that there are now. Of a job whose number is given, its index finds them. The archive
/// outlives the frames.
std::shared_ptr<AnswerFrames> accounting_frames(const Archive& archive, AccountingQuery query);

} // namespace almanac
