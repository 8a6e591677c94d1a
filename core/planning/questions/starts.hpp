// RESQUERY and HELLO of metaschedulers (spec/metascheduler.md section 4).
#pragma once

#include "core/planning/question.hpp"
#include "core/planning/questions/answering.hpp"
#include "core/planning/state.hpp"

#include <memory>

namespace almanac::rules {

/// A statement for each range of starts, ascending; none is an answer, too. It ends as soon as it has as
/// many ranges as were asked for.
std::unique_ptr<Answering> starts(const State& state, const AskStarts& asked, Instant now);

Answer site(const State& state, const AskSite& asked, Instant now);

} // namespace almanac::rules
