// Queues that stand back for those above them on the same host: subordinate_list (spec/objects.md
// section 1, O1.41).
//
// 1. "low.q=2": the instance of low.q is suspended while at least two slots of the one above it are in
//    use; without a number, while all are. What runs in it is suspended with it (letter S).
// 2. "slots=4(low.q:1:sr)": no more than four slots are used by what runs in the queue and those below
//    it, together. Tasks of the lowest queue are suspended first: that of the deepest list, of these
//    that of the highest number; in it the task that was started last (sr) or first (lr). A parallel
//    task stands back on its first host only.
// 3. Worked out anew from what is there: the same tasks and settings give the same result.
#pragma once

#include "core/planning/state.hpp"

namespace almanac::rules {

/// After any change of tasks, instances or settings; true if jobs may run where they might not before.
bool follow_subordination(State& state);

} // namespace almanac::rules
