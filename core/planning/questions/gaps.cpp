#include "core/planning/questions/gaps.hpp"

#include "core/matching/assumption.hpp"
#include "core/matching/placement.hpp"
#include "core/planning/transitions.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

namespace almanac::rules {

namespace {

constexpr std::int64_t most_work = 100'000; // instances; each counts for each look at a job
constexpr std::int64_t most_looks = 200;

// The cell as if nothing were booked for later.
class Unreserved {
public:
  Unreserved(const State& state, Instant now) : state_(state), now_(now), without_(state) {
    for (const auto& reservation : state.reservations())
      each_booked(reservation, [&](const std::vector<Booking>& bookings, Window window, Claim of) {
        if (window.start > now) without_.give_back(bookings, window, of);
      });
    for (const auto key : state.occupancy().jobs_with_holds.keys())
      without_.drop_holds(*state.job(key));
    const auto instances = static_cast<std::int64_t>(state.configuration().instances().size());
    looks_ = std::min(most_looks, most_work / std::max<std::int64_t>(1, instances) + 1);
  }

  bool is_over() const { return looks_ <= 0; }

  /// As many tasks of the job as would start; false if one more would not. Who takes nothing unless
  /// there is room for all tasks (-tcon y) is not counted.
  bool look_at(const Job& job, const ClassRequest& wanted) {
    if (job.reservation_key || job.starts_at_once() || obstacle(state_, job, now_)) return false;
    for (auto tasks = waiting_tasks(job, state_.tally(job.key)); tasks > 0; --tasks) {
      if (--looks_ < 0) return false;
      auto place = place_now(without_.look(), job, wanted, false, now_, unread_);
      // What fits as it is does not wait on account of bookings.
      if (!place || (!fits_not_ && place_now(state_, job, wanted, false, now_, unread_)))
        return false;
      fits_not_ = true;
      take(job, std::move(*place), wanted.claim);
    }
    return true;
  }
  void next_kind() { fits_not_ = false; }

  std::vector<Gap> found() const {
    std::vector<Gap> gaps;
    for (const auto& [of, slots] : slots_) gaps.push_back({of.first, of.second, slots});
    return gaps;
  }

private:
  void take(const Job& job, Placement place, Claim claim) {
    Task task;
    task.job = job.key;
    change_state(task, TaskEvent::placed);
    task.pe = std::move(place.assignment.pe);
    task.grants = std::move(place.assignment.grants);
    task.bookings = std::move(place.assignment.bookings);
    task.booked = place.window;
    task.rerunnable = claim == Claim::rerunnable;
    without_.start(job, task);
    for (const auto& grant : task.grants)
      slots_[{grant.instance, in_the_way(grant.instance, place.window)}] += grant.slots;
  }

  ReservationId in_the_way(const InstanceName& instance, Window window) const {
    std::optional<std::pair<Instant, ReservationId>> first;
    for (const auto key : state_.occupancy().reservations_on.on(instance.host)) {
      const auto& reservation = *state_.reservation(key);
      for (const auto* shape : shapes_of(reservation))
        if (shape->slots_on(instance) > 0 && shape->window.start > now_ &&
            shape->window.overlaps(window)) {
          const std::pair one{shape->window.start,
                              ReservationId{reservation.number, reservation.submitted}};
          first = first ? std::min(*first, one) : one;
        }
    }
    return first ? first->second : ReservationId{};
  }

  const State& state_;
  const Instant now_;
  Assumption without_;
  std::int64_t looks_ = 0;
  bool fits_not_ = false; ///< jobs like the one that is looked at do not fit as it is
  Obstacles unread_ = Obstacles::unwanted();
  std::map<std::pair<InstanceName, ReservationId>, std::int64_t> slots_;
};

} // namespace

std::vector<Gap> gaps(const State& state, Instant now) {
  const auto& waiting = state.waiting();
  if (waiting.in_a_pass || state.instance_order().free_slots() <= 0) return {};
  if (!state.are_any_reserved() && waiting.holders().empty()) return {};
  const bool anybody_waits =
      !waiting.holders().empty() ||
      std::any_of(waiting.classes().begin(), waiting.classes().end(),
                  [](const auto& known) { return !known.second.jobs.empty(); });
  if (!anybody_waits) return {};
  Unreserved unreserved(state, now);
  for (const auto& [rank, key] : waiting.holders()) {
    const auto& job = *state.job(key);
    if (unreserved.is_over()) break;
    unreserved.next_kind();
    if (const auto wanted = make_class_request(state, job)) unreserved.look_at(job, *wanted);
  }
  for (const auto& [name, one] : waiting.classes()) {
    if (unreserved.is_over()) break;
    if (one.jobs.empty()) continue;
    unreserved.next_kind();
    const auto wanted = make_class_request(state, *state.job(*one.jobs.begin()));
    for (const auto key : one.jobs)
      if (!wanted || !unreserved.look_at(*state.job(key), *wanted)) break;
  }
  return unreserved.found();
}

} // namespace almanac::rules
