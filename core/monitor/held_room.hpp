// Whether anybody is given what a reservation holds: one that is in force, and one that is only
// prepared (spec/plus.md section 4, rule 6; spec/metascheduler.md section 5).
//
// 1. Counted are slots of queue instances: what reservations hold until they are over, and what
//    tasks outside of them may hold. Of a change that is prepared both shapes are held, the larger
//    of both.
// 2. What is found late or beyond its end was not given: it is looked at what is given, when it is.
// 3. Not counted are spare hosts and jobs that may run there, tasks that are told to end, what is
//    left behind of a share that was lost, and reservations that are over while their tasks end:
//    these may lie above what others have.
#pragma once

#include "core/configuration/configuration.hpp"
#include "core/job/task.hpp"
#include "core/reservation/reservation.hpp"
#include "core/utilization/diagram.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>

namespace almanac {

class HeldRoom {
public:
  /// `sign`: 1 from now on, -1 no longer. It is taken out as it was put in.
  void count(const Reservation& reservation, std::int64_t sign);
  /// Of a task that runs in no reservation.
  void count(const Task& task, std::int64_t sign);

  /// A task outside of reservations has been given a place that somebody holds: where, in words.
  std::optional<std::string> taken_by(const Configuration& configuration, const Task& task) const;
  /// Likewise a reservation, with what is prepared for it; `is_new`: jobs are in the way of one
  /// that preempts none.
  std::optional<std::string> taken_by(const Configuration& configuration,
                                      const Reservation& reservation, bool is_new) const;

private:
  std::map<InstanceName, Diagram> held_;  ///< by reservations
  std::map<InstanceName, Diagram> stays_; ///< by those that no job may run into, and by tasks
};

} // namespace almanac
