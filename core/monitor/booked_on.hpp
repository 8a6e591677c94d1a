// What a request may move in a job that belongs to somebody else.
//
// A task that runs beyond the end of its booking is booked on for a while before each request that
// looks for room, whoever asks: the room of what still runs is given to nobody. So the end of that
// booking moves later, and nothing else.
#pragma once

#include "core/job/task.hpp"

namespace almanac {

/// Whether nothing differs but the end of its booking, which it had passed at `now`, and which has
/// moved to later than that.
bool is_only_booked_on(const Task& before, Task after, Instant now);

} // namespace almanac
