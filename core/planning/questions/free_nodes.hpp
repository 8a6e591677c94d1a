// Which nodes a reservation could have: plus_availnodes (spec/plus.md P3.52).
#pragma once

#include "core/planning/questions/answering.hpp"
#include "core/planning/question.hpp"
#include "core/planning/state.hpp"

#include <memory>

namespace almanac::rules {

/// The answer's number is how many there are; its statement names them. Refused as the reservation would
/// be: who may make none can have no node.
std::unique_ptr<Answering> free_nodes(const State& state, const FindNodes& asked, Instant now);

} // namespace almanac::rules
