// What is shown of queue instances and hosts beside their records: what they offer, and what has set
// them into a state of alarm (spec/cli.md section 6.2).
#pragma once

#include "core/host/host.hpp"
#include "core/matching/offered_values.hpp"
#include "schema/door/views.hpp"

#include <string>
#include <vector>

namespace almanac {

std::vector<door::ResourceView> views_of(const std::vector<OfferedValue>& offered);

/// "alarm hl:np_load_avg=2.015000 load-threshold=1.75"; "" where no load threshold is reached.
std::string load_alarm(const Configuration& configuration, const QueueInstance& instance,
                       const HostState& host);
/// The same of a suspend threshold; "" also where it was reached and only tasks still stand.
std::string suspend_alarm(const Configuration& configuration, const QueueInstance& instance,
                          const HostState& host);

} // namespace almanac
