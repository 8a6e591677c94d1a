#include "core/planning/pass/class_queue.hpp"

#include <utility>
#include <vector>

namespace almanac::rules {

namespace {

// The first of the queues that the instances belong to; "" if there are none.
template <class Names> std::string first_of(const Names& names, const QueueSequence& queues) {
  const std::string* first = nullptr;
  for (const std::string* name : names)
    if (!first || queues.comes_before(*name, *first)) first = name;
  return first ? *first : std::string();
}

std::vector<const std::string*> queues_in(const Configuration& configuration,
                                          const Instances& instances,
                                          const std::string& requested) {
  std::vector<const std::string*> names;
  for (const auto* instance : instances)
    if (requested.empty() || is_among(configuration, {requested}, *instance))
      names.push_back(&instance->name.queue);
  return names;
}

} // namespace

std::shared_ptr<const ClassRequest> class_request_of(const Snapshot& state, Waiting::Class& waiting,
                                                     const Job& job) {
  if (!waiting.wanted) {
    auto wanted = make_class_request(state, job);
    if (wanted) waiting.wanted = std::make_shared<const ClassRequest>(std::move(*wanted));
  }
  return waiting.wanted;
}

// What is granted to a reservation may change while the class stays: then it is looked at again.
const std::string& ClassQueue::of(Waiting::Class& waiting, const Job& job,
                                  const QueueSequence& queues) {
  if (job.reservation_key) return of_reservation_ = in_reservation(job, queues);
  if (!waiting.queue) waiting.queue = find(waiting, job, queues);
  return *waiting.queue;
}

std::string ClassQueue::find(Waiting::Class& waiting, const Job& job, const QueueSequence& queues) {
  const auto& configuration = state_.configuration();
  const auto& requests = job.request->queues;
  if (!requests.empty() && configuration.queues().contains(requests.front()))
    return requests.front();
  const auto wanted = class_request_of(state_, waiting, job);
  if (!wanted || !wanted->suitable) return {};
  for (const auto& requested : requests) {
    auto first = first_of(queues_in(configuration, *wanted->suitable, requested), queues);
    if (!first.empty()) return first;
  }
  if (!requests.empty()) return {};
  const auto known = first_.find(wanted->suitable);
  if (known != first_.end()) return known->second;
  return first_[wanted->suitable] =
             first_of(queues_in(configuration, *wanted->suitable, ""), queues);
}

std::string ClassQueue::in_reservation(const Job& job, const QueueSequence& queues) const {
  const auto* reservation = state_.reservation(job.reservation_key);
  if (!reservation) return {};
  const auto& granted = reservation->shape.grants;
  const auto in = [&](const std::string& requested) {
    std::vector<const std::string*> names;
    for (const auto& grant : granted) {
      const auto* instance = state_.configuration().instance(grant.instance);
      if (requested.empty() ||
          (instance && is_among(state_.configuration(), {requested}, *instance)))
        names.push_back(&grant.instance.queue);
    }
    return first_of(names, queues);
  };
  for (const auto& requested : job.request->queues)
    if (auto first = in(requested); !first.empty()) return first;
  return in("");
}

} // namespace almanac::rules
