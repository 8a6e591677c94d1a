// Which cluster queue a class of waiting jobs belongs to, for the keys of sched_conf that know queues
// (spec/plus.md P6.16 to P6.18, ruling): the first queue that it requests, or of all that suit it the
// one with the lowest seq_no.
#pragma once

#include "core/matching/class_request.hpp"
#include "core/planning/state.hpp"
#include "core/policy/job_order.hpp"

#include <map>
#include <memory>
#include <string>

namespace almanac::rules {

/// What the job and all others of its class ask for; nullptr if a name in it means nothing.
std::shared_ptr<const ClassRequest> class_request_of(const Snapshot& state, Waiting::Class& waiting,
                                                     const Job& job);

class ClassQueue {
public:
  /// For as long as this lives.
  explicit ClassQueue(const Snapshot& state) : state_(state) {}

  /// "": no queue suits it. `queues` is the same at each call.
  const std::string& of(Waiting::Class& waiting, const Job& job, const QueueSequence& queues);

private:
  std::string find(Waiting::Class& waiting, const Job& job, const QueueSequence& queues);
  std::string in_reservation(const Job& job, const QueueSequence& queues) const;

  const Snapshot& state_;
  /// By who suits: classes that ask for the same share it.
  std::map<std::shared_ptr<const Instances>, std::string> first_;
  std::string of_reservation_;
};

} // namespace almanac::rules
