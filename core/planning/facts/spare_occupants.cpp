#include "core/planning/facts/spare_occupants.hpp"

#include "core/matching/bookings.hpp"
#include "core/matching/supply.hpp"
#include "core/planning/texts.hpp"

#include <algorithm>
#include <set>
#include <string>
#include <tuple>

namespace almanac::rules {

namespace {

std::set<std::string> hosts_of(const std::vector<Grant>& grants) {
  std::set<std::string> hosts;
  for (const auto& grant : grants) hosts.insert(grant.instance.host);
  return hosts;
}

bool lies_on(const std::vector<Grant>& grants, const std::set<std::string>& hosts) {
  return std::any_of(grants.begin(), grants.end(),
                     [&](const Grant& grant) { return hosts.contains(grant.instance.host); });
}

// Among what stays, as if it were to start now.
bool fits(const Snapshot& view, const Job& job, const Task& task, Instant now) {
  const auto demand = demand_of_job(view.configuration(), job.request, job.owner);
  if (!demand) return false;
  const bool endless = firm_window(task).end.is_never();
  const auto supply = Supply::of_promises(view, endless).asked_by(Claim::rerunnable);
  return is_free(supply, *demand, task.bookings, {now, std::max(now, task.booked.end)});
}

} // namespace

SpareOccupants::SpareOccupants(const State& state, const Reservation& reservation, Window window)
    : state_(state),
      key_(reservation.key),
      window_(window),
      spare_bookings_(reservation.shape.spare_bookings) {
  find(state, reservation);
}

// On spare hosts that are used by now, those that were put back may still be there.
void SpareOccupants::find(const State& state, const Reservation& reservation) {
  if (reservation.request.spare == 0) return;
  const auto spares = hosts_of(reservation.shape.spares);
  auto hosts = hosts_of(reservation.shape.grants);
  hosts.insert(spares.begin(), spares.end());
  std::set<TaskId> on_them;
  for (const auto& host : hosts) on_them.merge(state.tasks_on(host));
  for (const auto& id : on_them) {
    const auto& task = *state.task(id);
    if (task.rerunnable && (task.deleting || lies_on(task.grants, spares))) tasks_.push_back(id);
  }
  for (const auto key : state.occupancy().jobs_with_holds.keys()) {
    const auto& holds = state.job(key)->holds;
    if (std::any_of(holds.begin(), holds.end(), [&](const Hold& hold) {
          return hold.rerunnable && lies_on(hold.grants, spares);
        }))
      holders_.push_back(key);
  }
}

void SpareOccupants::take_out(Assumption& assumption) const {
  const auto free_of = [&](const Booking& place) {
    const auto view = assumption.look();
    const auto supply = Supply::of_promises(view, false).asked_by(Claim::rerunnable);
    return supply.capacity(place.container, place.resource).value_or(0) -
           supply.used(place.container, place.resource, window_);
  };
  std::vector<std::int64_t> free;
  for (const auto& booking : spare_bookings_) free.push_back(free_of(booking));
  for (const auto& id : tasks_) assumption.stop(*state_.job(id.job), *state_.task(id));
  for (const auto key : holders_) assumption.drop_holds(*state_.job(key));
  for (std::size_t i = 0; i < spare_bookings_.size(); ++i) {
    auto rest = spare_bookings_[i];
    rest.amount = free_of(rest) - std::max(rest.amount, free[i]);
    if (rest.amount > 0) assumption.reserve({rest}, window_, Claim::rerunnable);
  }
}

void SpareOccupants::give_way(State& state, Instant now) const {
  const auto& reservation = *state.reservation(key_);
  const auto granted = hosts_of(reservation.shape.grants);
  std::vector<std::tuple<Instant, TaskId>> by_age;
  std::vector<TaskId> in_the_way;
  {
    Assumption without(state);
    for (const auto& id : tasks_) {
      const auto& task = *state.task(id);
      if (!lies_on(task.grants, granted)) continue;
      without.stop(*state.job(id.job), task);
      if (!task.deleting) by_age.emplace_back(task.booked.start, id);
    }
    std::sort(by_age.begin(), by_age.end());
    for (const auto& [start, id] : by_age) {
      const auto& job = *state.job(id.job);
      const auto& task = *state.task(id);
      if (fits(without.look(), job, task, now)) without.start(job, task);
      else in_the_way.push_back(id);
    }
  }
  const auto why = text_of({AnswerCode::requeued_for_spare, {{"reservation", reservation.number}}});
  for (const auto& id : in_the_way)
    state.edit<Task>(id, [&](Task& task) {
      task.deleting = true, task.after_end = AfterEnd::again;
      task.reason = why;
    });
}

} // namespace almanac::rules
