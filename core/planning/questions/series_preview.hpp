// What a series would get (qrsub -repeat … -w v; spec/beyond.md B5.407).
#pragma once

#include "core/planning/state.hpp"
#include "core/request/command.hpp"

namespace almanac::rules {

/// A line for each occurrence up to the horizon, by the wall clock of its zone.
Answer series_preview(const State& state, const Caller& caller, const Reserve& command,
                      Instant now);

} // namespace almanac::rules
