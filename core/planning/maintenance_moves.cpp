#include "core/planning/maintenance_moves.hpp"

#include "core/matching/changed_places.hpp"
#include "core/matching/lent_room.hpp"
#include "core/planning/hooks.hpp"
#include "core/planning/tasks_inside.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

namespace almanac::rules {

namespace {

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
      if (!obstacle_to(*reservation)) set_free(without_, *reservation);
    for (const auto* reservation : all)
      if (const auto why = obstacle_to(*reservation)) stay(*reservation, {{*why, {}}});
      else move(*reservation);
    return std::move(found_);
  }

private:
  std::vector<const Reservation*> affected() const {
    std::set<ReservationKey> keys;
    for (const auto& host : maintenance_.request.hosts)
      keys.merge(state_.occupancy().reservations_on.on(host));
    for (const auto& one : state_.reservations())
      if (!one.proposed.empty()) keys.insert(one.key);
    std::vector<const Reservation*> all;
    for (const auto key : keys) {
      const auto* one = state_.reservation(key);
      if (!staying_.contains(key) && (is_hit(*one) || is_hit_as_proposed(*one))) all.push_back(one);
    }
    std::stable_sort(all.begin(), all.end(), [](const auto* a, const auto* b) {
      return shape_to_move(*a).window.start < shape_to_move(*b).window.start;
    });
    return all;
  }

  bool is_hit(const Reservation& one) const {
    return one.is_granted() && one.shape.window.overlaps(maintenance_.shape.window) &&
           !to_move(one.shape, pinned_of(one)).empty();
  }

  bool is_hit_as_proposed(const Reservation& one) const {
    if (one.proposed.empty() || lapses_at(one) <= now_) return false;
    const auto& proposal = one.proposed.front();
    return proposal.verb == ReservationVerb::change &&
           proposal.shape.window.overlaps(maintenance_.shape.window) &&
           !to_move(proposal.shape, held_in_shape(state_, one)).empty();
  }

  std::optional<AnswerCode> obstacle_to(const Reservation& one) const {
    if (!one.proposed.empty() && is_hit(one)) return AnswerCode::reservation_has_proposal;
    if (!one.lent.empty() || borrows(state_, one)) return AnswerCode::reservation_shares_room;
    const auto& request = one.proposed.empty() ? one.request : one.proposed.front().request;
    if (request.keeps_its_nodes()) return AnswerCode::nodes_are_fixed;
    return std::nullopt;
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

  // What of it lies on the hosts, spares with it, and is held by no task that stays.
  std::vector<Grant> to_move(const Shape& shape, const std::vector<Grant>& pinned) const {
    std::map<InstanceName, std::int64_t> held;
    for (const auto& grant : pinned) held[grant.instance] += grant.slots;
    std::vector<Grant> found;
    for (const auto& grant : shape.grants) {
      const auto slots = grant.slots - held[grant.instance];
      if (slots > 0 && closes_host(maintenance_, grant.instance.host))
        found.push_back({grant.instance, slots});
    }
    for (const auto& spare : shape.spares)
      if (closes_host(maintenance_, spare.instance.host)) found.push_back(spare);
    return found;
  }

  // Tasks stay in both shapes of one with a proposal.
  void move(const Reservation& own) {
    if (own.proposed.empty()) return move(own, own, pinned_of(own));
    move(own, as_proposed(own), held_in_shape(state_, own));
  }

  // `as_moved`: with the shape that moves.
  void move(const Reservation& own, const Reservation& as_moved, const std::vector<Grant>& pinned) {
    const auto& shape = as_moved.shape;
    auto demand =
        demand_of_reservation(state_, own.owner, as_moved.request, NamedQueues::may_be_gone);
    if (!demand) return stay(own, {demand.error()});
    demand->pe = shape.pe;
    if (!shape.pe.empty()) demand->slots = {{shape.slots(), shape.slots()}};
    auto place = find_place_off_hosts(without_, as_moved, *demand, shape.window, now_, pinned);
    if (!place.assignment || !keeps_tasks(own, *place.assignment))
      return stay(own, place.obstacles.list());
    book(own, *place.assignment);
    found_.moves.push_back({own.key, std::move(*place.assignment)});
  }

  // What is left behind was never set free.
  void book(const Reservation& own, const Assignment& place) {
    auto moved = own;
    moved.left_behind.clear();
    put_at(moved, place);
    each_booked(moved, [&](const std::vector<Booking>& bookings, Window window, Claim claim) {
      without_.reserve(bookings, window, claim);
    });
  }

  // Where a rule wants all on one host, what tasks hold may be in the way.
  bool keeps_tasks(const Reservation& own, const Assignment& place) const {
    Shape next;
    next.bookings = place.bookings;
    KeptByShape kept(next, own.left_behind);
    bool keeps = true;
    each_task_inside(state_, own, [&](const Job& job, const Task& task) {
      const bool goes = own.proposed.empty() &&
                        std::any_of(task.grants.begin(), task.grants.end(),
                                    [&](auto& grant) { return is_left_behind(task, grant); });
      keeps = keeps && (goes || !kept.lacks(job, task));
    });
    const auto& was = shape_to_move(own);
    const bool is_as_large = own.request.nodes > 0 ? granted_hosts(place.grants).size() ==
                                                         granted_hosts(was.grants).size()
                                                   : slots_of(place.grants) == was.slots();
    return keeps && is_as_large;
  }

  void stay(const Reservation& own, std::vector<Statement> why) {
    constexpr std::size_t most = 3;
    std::vector<Statement> grants;
    const auto there = is_hit(own) ? to_move(own.shape, pinned_of(own))
                                   : to_move(shape_to_move(own), held_in_shape(state_, own));
    for (const auto& grant : there)
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

const Shape& shape_to_move(const Reservation& reservation) {
  return reservation.proposed.empty() ? reservation.shape : reservation.proposed.front().shape;
}

void put_at(Reservation& moved, const Assignment& place) {
  auto& shape = moved.proposed.empty() ? moved.shape : moved.proposed.front().shape;
  shape.grants = place.grants, shape.bookings = place.bookings;
  shape.spares = place.spares, shape.spare_bookings = place.spare_bookings;
}

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
