// Jobs that leave their place instead of standing still there: those that ask for a checkpointing
// environment (-ckpt), when they are suspended, whatever the cause (spec/objects.md O6.8, O6.13).
//
// They are saved as their environment says (core/execution/checkpoint_rules.hpp), ended as by qdel, have
// an accounting record with failed 24, and wait for another place, where RESTARTED is 1. With -notify
// they can save themselves first, and may exit as they like then; where nothing else saves them either,
// one that exits before it is killed is over.
#pragma once

#include "core/planning/state.hpp"

namespace almanac::rules {

/// -c counts before the environment's own `when`: x is the letter for it.
bool moves_when_suspended(const State& state, const Job& job);

/// The task, which has just been suspended, is ended where that is so and nothing else ends it.
void move_if_suspended(State& state, const TaskId& id);

} // namespace almanac::rules
