#include "core/planning/facts/repair.hpp"

#include "core/matching/bookings.hpp"
#include "core/matching/instance_obstacles.hpp"
#include "core/matching/reservation_places.hpp"
#include "core/planning/hooks.hpp"
#include "core/planning/letters.hpp"
#include "core/planning/reservation_health.hpp"
#include "core/planning/texts.hpp"

#include <algorithm>

namespace almanac::rules {

namespace {

bool is_wanted(const State& state, const Reservation& reservation) {
  const auto asked = reservation.request.repair;
  return reservation.is_granted() &&
         (asked == Repair::as_site ? state.configuration().global().repairs_reservations
                                   : asked == Repair::yes);
}

// Not those that are suspended or ambiguous: what runs there is not lost.
bool is_lost(const State& state, const InstanceName& instance) {
  const auto& condition = state.instance(instance);
  return state.host(instance.host).phase == HostPhase::unknown || condition.error ||
         condition.disabled || !state.configuration().instance(instance);
}

std::int64_t sum_of(const std::vector<Grant>& grants) {
  std::int64_t slots = 0;
  for (const auto& grant : grants) slots += grant.slots;
  return slots;
}

std::vector<Statement> listed(const std::vector<Grant>& grants) {
  std::vector<Statement> list;
  for (const auto& grant : grants)
    list.push_back(
        {AnswerCode::a_grant, {{"queue", grant.instance.text()}, {"slots", grant.slots}}});
  return list;
}

// One reservation, taken out of the ledger while a place is looked for.
class Repairing {
public:
  Repairing(State& state, ReservationKey key, Instant now)
      : state_(state),
        key_(key),
        reservation_(*state.reservation(key)),
        window_{std::max(now, reservation_.shape.window.start), reservation_.shape.window.end} {}

  void run() {
    if (window_.start >= window_.end) return;
    const auto demand = demand_of_reservation(state_, reservation_.owner, reservation_.request);
    if (!demand) return note({AnswerCode::not_repaired, {{"why", demand.error()}}});
    if (!reservation_.original.empty() && undo(*demand)) return;
    split();
    if (lost_.empty()) return keep(reservation_.original.empty() ? "" : reservation_.note);
    if (!occupied_.empty())
      return note({AnswerCode::jobs_may_still_run, {{"grants", listed(occupied_)}}});
    replace(*demand);
  }

private:
  void note(const Statement& why) { keep(text_of(why)); }
  void keep(const std::string& text) {
    if (reservation_.note != text)
      state_.edit<Reservation>(key_, [&](Reservation& changed) { changed.note = text; });
  }

  // Tasks hold their part of the reservation until it is certain that they have ended.
  bool is_occupied(const InstanceName& instance) const {
    const auto& inside = state_.ledger_of(key_);
    return std::any_of(reservation_.shape.grants.begin(), reservation_.shape.grants.end(),
                       [&](const Grant& grant) {
                         return grant.instance.host == instance.host &&
                                inside.used(Container::queue(grant.instance), "slots", window_) > 0;
                       });
  }

  void split() {
    for (const auto& grant : reservation_.shape.grants) {
      const bool lost = is_lost(state_, grant.instance);
      (lost ? lost_ : kept_).push_back(grant);
      if (lost && is_occupied(grant.instance)) occupied_.push_back(grant);
    }
  }

  void settle(Assignment assignment, std::vector<Grant> original, const std::string& text) {
    state_.edit<Reservation>(key_, [&](Reservation& changed) {
      changed.shape.grants = std::move(assignment.grants);
      changed.shape.bookings = std::move(assignment.bookings);
      changed.original = std::move(original), changed.note = text;
    });
    note_health(state_, key_, texts_of(health(state_, *state_.reservation(key_))));
    if (text.empty()) return;
    mail(state_, Occasion::reservation_repaired, *state_.reservation(key_));
    call_hook(state_, HookEvent::change, *state_.reservation(key_), text);
  }

  // ---- back to what was granted ---------------------------------------------------------------

  bool undo(const Demand& demand) {
    const auto& original = reservation_.original;
    for (const auto& grant : original)
      if (is_lost(state_, grant.instance) || !still_suits(grant.instance, demand)) return false;
    for (const auto& grant : reservation_.shape.grants)
      if (!contains(original, grant) && is_occupied(grant.instance)) return false;
    const Unbooked looking(state_, key_);
    const auto supply = Supply::of_promises(state_, false);
    auto assignment = assignment_of(state_, supply, demand, reservation_.shape.pe, original);
    if (!is_free(supply, demand, assignment.bookings, window_)) return false;
    settle(std::move(assignment), {}, "");
    return true;
  }

  // Guards look at what it has now: meanwhile the other may have been closed to it.
  bool still_suits(const InstanceName& name, const Demand& demand) const {
    const auto* instance = state_.configuration().instance(name);
    auto unread = Obstacles::unwanted();
    return instance && could_serve(state_, *instance, demand, unread);
  }

  static bool contains(const std::vector<Grant>& grants, const Grant& wanted) {
    return std::any_of(grants.begin(), grants.end(), [&](const Grant& grant) {
      return grant.instance == wanted.instance && grant.slots >= wanted.slots;
    });
  }

  // ---- other capacity for what is lost --------------------------------------------------------

  void replace(const Demand& demand) {
    const auto& before = reservation_;
    const bool keeps_master = !is_lost(state_, before.shape.grants.front().instance);
    const auto once = beside_master(demand);
    Unbooked looking(state_, key_);
    looking.book(assignment_of(state_, Supply::of_promises(state_, false),
                               keeps_master ? demand : once, before.shape.pe, kept_)
                     .bookings,
                 before.shape.window);
    Obstacles obstacles;
    const auto found = look_for(keeps_master ? once : demand, before.shape.pe, obstacles);
    looking.clear();
    const auto supply = Supply::of_promises(state_, false);
    if (found) {
      auto whole =
          assignment_of(state_, supply, demand, before.shape.pe,
                        keeps_master ? merged(kept_, found->grants) : merged(found->grants, kept_));
      if (is_free(supply, demand, whole.bookings, window_))
        return settle(std::move(whole),
                      before.original.empty() ? before.shape.grants : before.original,
                      text_of({AnswerCode::repaired,
                               {{"lost", listed(lost_)}, {"found", listed(found->grants)}}}));
    }
    note(no_replacement(obstacles.list()));
  }

  static Demand beside_master(Demand demand) {
    demand.master_queues.clear();
    std::erase_if(demand.consumables,
                  [](const auto& need) { return need.taking == Taking::per_job; });
    return demand;
  }

  std::optional<Assignment> look_for(Demand demand, const std::string& pe, Obstacles& obstacles) {
    demand.pe = pe;
    if (!pe.empty()) demand.slots = {{sum_of(lost_), sum_of(lost_)}};
    auto candidates = reservation_candidates(state_, demand, window_, obstacles).healthy;
    if (!may_share_hosts(pe))
      std::erase_if(candidates, [&](const QueueInstance* candidate) {
        return std::any_of(kept_.begin(), kept_.end(), [&](const Grant& grant) {
          return grant.instance.host == candidate->name.host;
        });
      });
    return assign(state_, Supply::of_promises(state_, false), demand, window_, candidates,
                  obstacles);
  }

  // With a fixed number of slots for each host, a host has its number already.
  bool may_share_hosts(const std::string& pe) const {
    const auto found = state_.configuration().environment(pe);
    return !found || found->rule != AllocationRule::fixed;
  }

  static std::vector<Grant> merged(std::vector<Grant> first, const std::vector<Grant>& second) {
    for (const auto& grant : second) {
      const auto it = std::find_if(first.begin(), first.end(), [&](const Grant& one) {
        return one.instance == grant.instance;
      });
      if (it == first.end()) first.push_back(grant);
      else it->slots += grant.slots;
    }
    return first;
  }

  Statement no_replacement(std::vector<Statement> why) const {
    constexpr std::size_t most = 3;
    Statement none{AnswerCode::no_replacement, {{"slots", sum_of(lost_)}, {"lost", listed(lost_)}}};
    if (why.empty()) return none;
    const auto more = why.size() > most ? why.size() - most : 0;
    why.resize(why.size() - more);
    none.details.emplace_back("why", std::move(why));
    if (more > 0) none.details.emplace_back("more", more);
    return none;
  }

  State& state_;
  ReservationKey key_;
  const Reservation& reservation_;
  Window window_; ///< of it, what is to come
  std::vector<Grant> kept_, lost_, occupied_;
};

} // namespace

void repair_reservations(State& state, Instant now) {
  std::vector<ReservationKey> keys, unwanted;
  for (const auto key : state.occupancy().troubled.keys()) {
    const auto& reservation = *state.reservation(key);
    if (is_wanted(state, reservation)) keys.push_back(key);
    else if (reservation.original.empty() && !reservation.note.empty()) unwanted.push_back(key);
  }
  for (const auto key : unwanted)
    state.edit<Reservation>(key, [](Reservation& reservation) { reservation.note.clear(); });
  bool changed = false;
  for (const auto key : keys) {
    const auto before = state.reservation(key)->shape.grants;
    Repairing(state, key, now).run();
    changed = changed || state.reservation(key)->shape.grants != before;
  }
  if (changed) state.waiting().disturb();
}

} // namespace almanac::rules
