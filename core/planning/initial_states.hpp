// initial_state of a queue: whether an instance is enabled when it comes to be, and when the agent of
// its host comes after it was unknown (spec/objects.md section 1).
#pragma once

#include "core/planning/state.hpp"

#include <string>
#include <vector>

namespace almanac::rules {

/// The instances of `next` that are not there yet and do not begin as usual.
std::vector<InstanceName> beginning_instances(const State& state, const Configuration& next);

/// Enables or disables them as their queues say.
void begin_instances(State& state, const std::vector<InstanceName>& names);
void begin_instances_on(State& state, const std::string& host);

} // namespace almanac::rules
