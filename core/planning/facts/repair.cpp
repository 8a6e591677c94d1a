#include "core/planning/facts/repair.hpp"

#include "core/matching/bookings.hpp"
#include "core/matching/instance_obstacles.hpp"
#include "core/matching/reservation_places.hpp"
#include "core/planning/cut_off_share.hpp"
#include "core/planning/facts/repair_notes.hpp"
#include "core/planning/facts/spare_hosts.hpp"
#include "core/planning/facts/taken_back.hpp"
#include "core/planning/hooks.hpp"
#include "core/planning/letters.hpp"
#include "core/planning/reservation_health.hpp"
#include "core/planning/tasks_inside.hpp"
#include "core/planning/texts.hpp"
#include "core/text/words.hpp"

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <tuple>

namespace almanac::rules {

namespace {

constexpr std::size_t repairs_until_it_stays = 3;
constexpr Duration repairs_count_for{3600};

std::string hosts_of(const std::vector<Grant>& grants) {
  std::set<std::string> hosts;
  for (const auto& grant : grants) hosts.insert(grant.instance.host);
  return join({hosts.begin(), hosts.end()}, ",");
}

class Repairing {
public:
  Repairing(State& state, ReservationKey key, Instant now)
      : state_(state),
        key_(key),
        now_(now),
        window_{std::max(now, own().shape.window.start), own().shape.window.end} {}

  void run() {
    if (window_.start >= window_.end) return;
    const auto demand =
        demand_of_reservation(state_, own().owner, own().request, NamedQueues::may_be_gone);
    if (!demand) return note({AnswerCode::not_repaired, {{"why", demand.error()}}});
    if (!undo(*demand)) {
      undo_by_host(*demand);
      if (wants_repair(state_, own())) repair(*demand);
    }
    give_up_in_time();
  }

private:
  // Another record after each edit.
  const Reservation& own() const { return *state_.reservation(key_); }

  void note(const Statement& why) { keep(text_of(why)); }
  void keep(const std::string& text) {
    if (own().note != text)
      state_.edit<Reservation>(key_, [&](Reservation& changed) { changed.note = text; });
  }

  void settle(Assignment assignment, std::vector<Grant> original) {
    state_.edit<Reservation>(key_, [&](Reservation& changed) {
      changed.shape.grants = std::move(assignment.grants);
      changed.shape.bookings = std::move(assignment.bookings);
      drop_used_spares(changed.shape);
      changed.original = std::move(original), changed.note.clear();
    });
    note_left_behind(state_, key_);
  }

  void refresh_health() { note_health(state_, key_, texts_of(health(state_, own()))); }

  void tell(const std::string& what, const Reservation& before) {
    if (own().bad.empty()) mail(state_, Occasion::reservation_repaired, own(), what);
    call_hook(state_, HookEvent::change, own(), what, &before);
  }

  // ---- back to what was granted ---------------------------------------------------------------

  bool undo(const Demand& demand) {
    const auto& original = own().original;
    if (original.empty() || stays()) return false;
    for (const auto& grant : original)
      if (!is_back(grant.instance, demand)) return false;
    for (const auto& grant : own().shape.grants)
      if (!contains(original, grant) && is_occupied(grant.instance)) return false;
    auto whole = if_free(demand, original);
    if (!whole) return false;
    take_back(std::move(*whole), {});
    return true;
  }

  // Whoever has followed it to the other hosts has to come back, too.
  void take_back(Assignment whole, std::vector<Grant> original) {
    const auto before = own();
    settle(std::move(whole), std::move(original));
    if (!own().original.empty()) keep(note_of(state_, own(), Replacement()));
    refresh_health();
    if (const auto undone = note_of_undo(before.shape.grants, own().shape.grants); !undone.empty())
      tell(undone, before);
  }

  // Where not all of it is well, or not all of the others are unused.
  void undo_by_host(const Demand& demand) {
    if (own().original.empty() || stays()) return;
    std::set<std::string> hosts;
    for (const auto& grant : own().original) hosts.insert(grant.instance.host);
    for (const auto& host : hosts) undo_on(host, demand);
  }

  void undo_on(const std::string& host, const Demand& demand) {
    for (const auto& grant : own().original)
      if (grant.instance.host == host && !is_back(grant.instance, demand)) return;
    const auto next = taken_back_on(
        host, own(), [&](const InstanceName& instance) { return is_occupied(instance); });
    if (next.empty()) return;
    auto whole = if_free(demand, next);
    if (!whole) return;
    take_back(std::move(*whole), own().original);
  }

  std::optional<Assignment> if_free(const Demand& demand, const std::vector<Grant>& grants) {
    Unbooked looking(state_, key_);
    looking.free_lent_room();
    const auto supply = Supply::of_promises(state_, false);
    auto whole = assignment_of(state_, supply, demand, own().shape.pe, grants);
    book_left_behind(state_, own(), whole, looking);
    if (!is_free(supply, demand, whole.bookings, window_)) return std::nullopt;
    return whole;
  }

  // A host that comes and goes moves nobody (B1.71).
  bool stays() const {
    const auto& repaired = own().repaired;
    const auto lately = std::count_if(repaired.begin(), repaired.end(),
                                      [&](Instant at) { return at + repairs_count_for > now_; });
    return own().phase == ReservationPhase::waiting &&
           static_cast<std::size_t>(lately) >= repairs_until_it_stays;
  }

  bool is_occupied(const InstanceName& instance) const {
    return state_.ledger_of(key_).used(Container::queue(instance), "slots", window_) > 0;
  }

  // One that is not heard may be lost in a moment, and tasks there cannot be told of their end.
  bool is_back(const InstanceName& instance, const Demand& demand) const {
    return state_.host(instance.host).phase == HostPhase::up && !is_lost(state_, instance) &&
           still_suits(instance, demand);
  }

  // Guards look at what it has now: meanwhile the other may have been closed to it.
  bool still_suits(const InstanceName& name, const Demand& demand) const {
    const auto* instance = state_.configuration().instance(name);
    auto unread = Obstacles::unwanted();
    return instance && could_serve(state_, *instance, demand, unread) &&
           !state_.closures().closing(*instance, window_);
  }

  static bool contains(const std::vector<Grant>& grants, const Grant& wanted) {
    return std::any_of(grants.begin(), grants.end(), [&](const Grant& grant) {
      return grant.instance == wanted.instance && grant.slots >= wanted.slots;
    });
  }

  // ---- other capacity for what is lost --------------------------------------------------------

  void repair(const Demand& demand) {
    const auto lost_now = lost_grants(state_, own());
    if (lost_now.empty())
      return keep(own().original.empty() ? "" : note_of(state_, own(), Replacement()));
    std::vector<Grant> kept;
    for (const auto& grant : own().shape.grants)
      if (!is_lost(state_, grant.instance)) kept.push_back(grant);
    const SpareOccupants on_spares(state_, own(), window_);
    const auto replacement =
        find_replacement(state_, own(), demand, window_, kept, lost_now, on_spares);
    if (!replacement.any())
      return note(why_not(state_, own(), demand, lost_now, replacement.obstacles));
    take(replacement, on_spares);
  }

  void take(const Replacement& replacement, const SpareOccupants& on_spares) {
    const auto lost_hosts = hosts_of(replacement.replaced);
    if (replacement.over_holds || on_spares.are_held()) move_holds(replacement, lost_hosts);
    const auto original = own().original.empty() ? own().shape.grants : own().original;
    const auto before = own();
    settle(replacement.whole, original);
    if (on_spares.any()) on_spares.give_way(state_, now_);
    const auto text = note_of(state_, own(), replacement);
    state_.edit<Reservation>(key_, [&](Reservation& changed) {
      std::erase_if(changed.repaired, [&](Instant at) { return at + repairs_count_for <= now_; });
      changed.repaired.push_back(now_);
      if (changed.repaired.size() > repairs_until_it_stays)
        changed.repaired.erase(changed.repaired.begin());
      changed.note = text;
    });
    refresh_health();
    tell(text, before);
  }

  void move_holds(const Replacement& replacement, const std::string& lost_hosts) {
    std::set<JobKey> holders;
    for (const auto& hold : holds_beside(state_, replacement.whole.bookings, window_))
      holders.insert(hold.job);
    state_.waiting().unsettle(
        {AnswerCode::capacity_was_replaced, {{"hosts", lost_hosts}, {"reservation", own().number}}},
        holders);
  }

  void give_up_in_time() {
    Instant at;
    if (own().request.repair == Repair::fail && !lost_grants(state_, own()).empty())
      at = own().gives_up_at != Instant{}
               ? own().gives_up_at
               : window_.start + state_.configuration().global().repair_patience;
    if (own().gives_up_at != at)
      state_.edit<Reservation>(key_, [&](Reservation& changed) { changed.gives_up_at = at; });
  }

  State& state_;
  ReservationKey key_;
  const Instant now_;
  const Window window_; ///< of it, what is to come
};

// Running ones first, then by start, then by number (B1.5).
std::vector<ReservationKey> in_order(const State& state) {
  std::vector<std::tuple<bool, Instant, ReservationNumber, ReservationKey>> order;
  for (const auto key : state.occupancy().troubled.keys()) {
    const auto& one = *state.reservation(key);
    order.emplace_back(one.phase != ReservationPhase::running, one.shape.window.start, one.number,
                       key);
  }
  std::sort(order.begin(), order.end());
  std::vector<ReservationKey> keys;
  for (const auto& entry : order) keys.push_back(std::get<3>(entry));
  return keys;
}

void forget_failure(State& state, ReservationKey key) {
  const auto& reservation = *state.reservation(key);
  auto note = reservation.original.empty() ? std::string() : reservation.note;
  if (!note.empty() && reservation.bad.empty()) note = note_of(state, reservation, Replacement());
  if (reservation.gives_up_at == Instant{} && reservation.note == note) return;
  state.edit<Reservation>(
      key, [&](Reservation& changed) { changed.gives_up_at = {}, changed.note = std::move(note); });
}

} // namespace

void repair_reservations(State& state, Instant now) {
  bool changed = false;
  for (const auto key : in_order(state)) {
    const auto before = *state.reservation(key);
    if (!before.is_granted()) continue;
    if (!before.left_behind.empty()) note_left_behind(state, key);
    // What a change by force has left is taken back, whatever becomes of what is lost (B11.21).
    const bool repairs = wants_repair(state, before);
    if (repairs || !before.original.empty()) Repairing(state, key, now).run();
    if (!repairs) forget_failure(state, key);
    if (!before.left_behind.empty()) cut_what_was_left(state, before, now);
    replenish_spares(state, key, now);
    changed = changed || !books_the_same(before, *state.reservation(key));
  }
  if (changed) state.waiting().disturb();
}

} // namespace almanac::rules
