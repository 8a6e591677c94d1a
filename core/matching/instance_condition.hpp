// What is wrong with a queue instance, as reservations and people see it.
#pragma once

#include "core/answer/code.hpp"
#include "core/matching/snapshot.hpp"

#include <string>
#include <vector>

namespace almanac {

/// All conditions that make a reservation W or E: "is unknown", "is disabled"…; none if it is
/// healthy. Load, calendars and orphans do not count (spec/reservations.md section 4.2).
std::vector<AnswerCode> reserved_instance_troubles(const Snapshot& state,
                                                   const InstanceName& instance);
/// Whether there is none. Costs no look-up.
bool is_healthy(const Snapshot& state, const QueueInstance& instance);

/// The letters of an instance's state column, in the order a A C D d u E S s c o.
std::string instance_letters(const Configuration& configuration, const QueueInstance& instance,
                             const HostState& host, const InstanceState& state);

} // namespace almanac
