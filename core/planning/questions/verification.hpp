// Whether a request would fit: qsub -w v on an empty cluster, -w p as it is now, and -w v of qrsub
// and qralter.
#pragma once

#include "core/planning/questions/answering.hpp"
#include "core/planning/question.hpp"
#include "core/planning/state.hpp"

#include <memory>

namespace almanac::rules {

std::unique_ptr<Answering> verification(const State& state, const VerifySubmit& asked, Instant now);
std::unique_ptr<Answering> verification(const State& state, const VerifyReserve& asked,
                                        Instant now);
std::unique_ptr<Answering> verification(const State& state, const VerifyAlterReservation& asked,
                                        Instant now);

} // namespace almanac::rules
