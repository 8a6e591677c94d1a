// Why a job waits.
#pragma once

#include "core/planning/questions/answering.hpp"
#include "core/planning/question.hpp"
#include "core/planning/state.hpp"

#include <memory>

namespace almanac::rules {

/// With numbers (qstat -j); then, if that is asked, with what it would start now: the
/// longest run time, the most slots. Each comes true when it is submitted in the same state.
std::unique_ptr<Answering> explanation(const Snapshot& state, const ExplainJob& asked, Instant now);

} // namespace almanac::rules
