#include "core/planning/maintenance_moves.hpp"

#include "core/matching/changed_places.hpp"
#include "core/planning/tasks_inside.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace almanac::rules {

namespace {

std::int64_t sum_of(const std::vector<Grant>& grants) {
  std::int64_t slots = 0;
  for (const auto& grant : grants) slots += grant.slots;
  return slots;
}

// All of one maintenance.
class Moving {
public:
  Moving(const State& state, const Reservation& maintenance, const Reservation* instead,
         Instant now, std::set<ReservationKey> staying)
      : state_(state),
        maintenance_(maintenance),
        now_(now),
        staying_(std::move(staying)),
        without_(state) {
    without_.close(maintenance, instead);
  }

  ReservationMoves run() {
    const auto all = affected();
    for (const auto* reservation : all)
      if (reservation->proposed.empty()) set_free(without_, *reservation);
    for (const auto* reservation : all)
      if (reservation->proposed.empty()) move(*reservation);
      else stay(*reservation, {{AnswerCode::reservation_has_proposal, {}}});
    return std::move(found_);
  }

private:
  std::vector<const Reservation*> affected() const {
    std::set<ReservationKey> keys;
    for (const auto& host : maintenance_.request.hosts)
      keys.merge(state_.occupancy().reservations_on.on(host));
    std::vector<const Reservation*> all;
    for (const auto key : keys) {
      const auto* one = state_.reservation(key);
      if (!staying_.contains(key) && one->is_granted() &&
          one->shape.window.overlaps(maintenance_.shape.window) &&
          (!to_move(*one).empty() || lies_on_them(one->shape.spares)))
        all.push_back(one);
    }
    std::stable_sort(all.begin(), all.end(), [](const auto* a, const auto* b) {
      return a->shape.window.start < b->shape.window.start;
    });
    return all;
  }

  bool lies_on_them(const std::vector<Grant>& grants) const {
    return std::any_of(grants.begin(), grants.end(), [&](const Grant& grant) {
      return closes_host(maintenance_, grant.instance.host);
    });
  }

  bool is_left_behind(const Task& task, const Grant& grant) const {
    return closes_host(maintenance_, grant.instance.host) &&
           task.last_moment() <= maintenance_.shape.window.start;
  }

  // What tasks hold of it that is not left behind; each instance once.
  std::vector<Grant> pinned_of(const Reservation& reservation) const {
    std::map<InstanceName, std::int64_t> left;
    each_task_inside(state_, reservation, [&](const Job&, const Task& task) {
      for (const auto& grant : task.grants)
        if (is_left_behind(task, grant)) left[grant.instance] += grant.slots;
    });
    auto pinned = held_in_shape(state_, reservation);
    for (auto& grant : pinned) grant.slots -= std::min(grant.slots, left[grant.instance]);
    std::erase_if(pinned, [](const Grant& grant) { return grant.slots == 0; });
    return pinned;
  }

  // What of it lies on the hosts, and is held by no task that reaches into the window.
  std::vector<Grant> to_move(const Reservation& reservation) const {
    std::map<InstanceName, std::int64_t> held;
    for (const auto& grant : pinned_of(reservation)) held[grant.instance] += grant.slots;
    std::vector<Grant> found;
    for (const auto& grant : reservation.shape.grants) {
      const auto slots = grant.slots - held[grant.instance];
      if (slots > 0 && closes_host(maintenance_, grant.instance.host))
        found.push_back({grant.instance, slots});
    }
    return found;
  }

  void move(const Reservation& own) {
    auto demand = demand_of_reservation(state_, own.owner, own.request);
    if (!demand) return stay(own, {demand.error()});
    demand->pe = own.shape.pe;
    if (!own.shape.pe.empty()) demand->slots = {{own.shape.slots(), own.shape.slots()}};
    auto place =
        find_place_off_hosts(without_, own, *demand, own.shape.window, now_, pinned_of(own));
    if (!place.assignment || !keeps_tasks(own, *place.assignment))
      return stay(own, place.obstacles.list());
    without_.reserve(place.assignment->bookings, own.shape.window);
    without_.reserve(place.assignment->spare_bookings, own.shape.window, Claim::spare);
    found_.moves.push_back({own.key, std::move(*place.assignment)});
  }

  // Where a rule wants all on one host, what tasks hold may be in the way.
  bool keeps_tasks(const Reservation& own, const Assignment& place) const {
    Shape next;
    next.bookings = place.bookings;
    KeptByShape kept(next, own.left_behind);
    bool keeps = true;
    each_task_inside(state_, own, [&](const Job& job, const Task& task) {
      const bool goes = std::any_of(task.grants.begin(), task.grants.end(),
                                    [&](auto& grant) { return is_left_behind(task, grant); });
      keeps = keeps && (goes || !kept.lacks(job, task));
    });
    return keeps && sum_of(place.grants) == own.shape.slots();
  }

  void stay(const Reservation& own, std::vector<Statement> why) {
    constexpr std::size_t most = 3;
    std::vector<Statement> grants;
    for (const auto& grant : to_move(own))
      grants.push_back(
          {AnswerCode::a_grant, {{"queue", grant.instance.text()}, {"slots", grant.slots}}});
    if (why.size() > most) why.resize(most);
    Statement cannot{AnswerCode::reservation_cannot_move,
                     {{"reservation", own.number}, {"grants", std::move(grants)}}};
    if (!why.empty()) cannot.details.emplace_back("why", std::move(why));
    found_.stuck.push_back({own.key, std::move(cannot)});
  }

  const State& state_;
  const Reservation& maintenance_;
  const Instant now_;
  const std::set<ReservationKey> staying_; ///< they give nothing up
  Assumption without_;
  ReservationMoves found_;
};

} // namespace

ReservationMoves moves_off_hosts(const State& state, const Reservation& maintenance,
                                 const Reservation* instead, Instant now) {
  return Moving(state, maintenance, instead, now, {}).run();
}

ReservationMoves moves_around_stuck(const State& state, const Reservation& maintenance,
                                    const Reservation* instead, Instant now,
                                    ReservationMoves first) {
  std::set<ReservationKey> staying;
  std::vector<ReservationMoves::Stuck> all_stuck;
  for (auto found = std::move(first);;) {
    if (found.stuck.empty()) return {std::move(found.moves), std::move(all_stuck)};
    for (auto& one : found.stuck) {
      staying.insert(one.key);
      all_stuck.push_back(std::move(one));
    }
    found = Moving(state, maintenance, instead, now, staying).run();
  }
}

} // namespace almanac::rules
