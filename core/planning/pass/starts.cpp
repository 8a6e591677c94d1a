#include "core/planning/pass/starts.hpp"

#include "core/planning/start.hpp"

namespace almanac::rules {

std::shared_ptr<const ClassRequest> Starts::class_request_of(Waiting::Class& waiting,
                                                             const Job& job) {
  if (!waiting.wanted) {
    auto wanted = make_class_request(state_, job);
    if (wanted) waiting.wanted = std::make_shared<const ClassRequest>(std::move(*wanted));
  }
  return waiting.wanted;
}

std::optional<Placement> Starts::place_now(const Job& job, const ClassRequest& wanted) {
  if (!job.reservation_key && wanted.slots > state_.instance_order().free_slots())
    return std::nullopt;
  return almanac::place_now(state_, job, wanted, false, now_, unread_);
}

void Starts::start(JobKey key, Placement place, ReservationKey attracted_by) {
  ++count_;
  start_next(state_, key, std::move(place), now_, attracted_by);
  state_.refresh_order(now_);
  state_.reindex(key, now_);
  order_.add_class_of(key);
}

} // namespace almanac::rules
