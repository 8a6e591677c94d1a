// Accounting records as their reader takes them: read from the store piece by piece, so that a
// history of years costs no memory.
//
// Threads: next() reads the store in the thread of whoever has the frames.
#pragma once

#include "actors/answer_frames.hpp"
#include "actors/ports/journal.hpp"

namespace almanac {

/// All records that there are now. The journal outlives the frames.
std::shared_ptr<AnswerFrames> accounting_frames(const Journal& journal);

} // namespace almanac
