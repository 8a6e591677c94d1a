// Inputs in a few words as their reader takes them: read from the store piece by piece, so that a
// reader who wants few of them is sent only these, and is in nobody's way.
//
// Threads: the archive's; next() reads the store.
#pragma once

#include "actors/answer_frames.hpp"
#include "actors/ports/archive.hpp"

namespace almanac {

/// What one call of next() does at most; a single input may be larger.
inline constexpr std::size_t most_inputs_in_a_frame = 200, most_inputs_looked_at = 2'000,
                             most_bytes_of_inputs = 4 << 20;

/// The inputs that there are now. The archive outlives the frames.
std::shared_ptr<AnswerFrames> input_frames(const Archive& archive, door::GetInputs query);

} // namespace almanac
