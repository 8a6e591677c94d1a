// What a change of the configuration would do (qconf -w v), without making it.
//
// 1. Everything that it would be refused for, not only the first thing: what is wrong with the
//    objects, who refers to what is erased, and each guard (spec/reservations.md section 10.3). These
//    are asked as the command itself asks them (commands/configuration_guards.hpp).
// 2. Of a consistent configuration: what runs above the new limits of quota sets, what is planned for
//    waiting jobs and would be lost or come later, waiting jobs that could never run any more, and
//    reserved queue instances that would be orphaned.
// 3. What would be stored without effect.
//
// Source: spec/rulings.md D87, spec/cli.md C8.24.
#pragma once

#include "core/planning/questions/answering.hpp"
#include "core/planning/question.hpp"
#include "core/planning/state.hpp"

#include <memory>

namespace almanac::rules {

/// The exit code is that of the change.
std::unique_ptr<Answering> configuration_trial(const State& state, const VerifyConfigure& asked,
                                               Instant now);

} // namespace almanac::rules
