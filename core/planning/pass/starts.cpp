#include "core/planning/pass/starts.hpp"

#include "core/planning/start.hpp"
#include "core/planning/together.hpp"

namespace almanac::rules {

std::shared_ptr<const ClassRequest> Starts::class_request_of(Waiting::Class& waiting,
                                                             const Job& job) {
  return rules::class_request_of(state_, waiting, job);
}

std::optional<Placement> Starts::place_now(const Job& job, const ClassRequest& wanted) {
  if (!job.reservation_key && wanted.slots > state_.instance_order().free_slots())
    return std::nullopt;
  return almanac::place_now(state_, job, wanted, false, now_, unread_);
}

void Starts::start(JobKey key, Placement place, ReservationKey attracted_by) {
  ++count_;
  order_.take_turn(key);
  start_next(state_, key, std::move(place), now_, attracted_by);
  state_.refresh_order(now_);
  state_.reindex(key, now_);
  order_.add_class_of(key);
}

std::optional<std::vector<Task>> Starts::place_all(const Job& job, const ClassRequest& wanted) {
  if (!job.reservation_key && !attracts() &&
      wanted.slots * job.fresh_tasks() > state_.instance_order().free_slots())
    return std::nullopt;
  Together all(state_, job, wanted, now_);
  const bool fit = all.fit();
  tried_ += static_cast<int>(all.placed());
  if (!fit) return std::nullopt;
  return all.take_tasks();
}

void Starts::start_all(JobKey key, std::vector<Task> tasks) {
  count_ += static_cast<int>(tasks.size());
  order_.take_turn(key);
  state_.edit<Job>(key, [](Job& job) { job.fresh.clear(); });
  for (auto& task : tasks) state_.put(std::move(task));
  state_.waiting().leave_class(key); // what comes back of it goes on alone
  state_.refresh_order(now_);
  state_.reindex(key, now_);
  order_.add_class_of(key);
}

} // namespace almanac::rules
