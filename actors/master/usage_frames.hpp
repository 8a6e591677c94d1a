// What became of each slot-second, summed up while its reader waits: the past is read from a snapshot
// of the store piece by piece. What goes on is counted until `now`.
//
// Threads: the archive's; next() reads the store.
#pragma once

#include "actors/answer_frames.hpp"
#include "actors/ports/archive.hpp"
#include "core/base/time.hpp"

#include <memory>

namespace almanac {

/// What one call of next() reads at most, and all calls together: who asks for more is refused.
inline constexpr std::size_t most_spans_in_a_frame = 2'000, most_spans = 1'000'000;

std::shared_ptr<AnswerFrames> usage_frames(std::shared_ptr<const Archive> snapshot,
                                           door::GetUsage query, Instant now);

} // namespace almanac
