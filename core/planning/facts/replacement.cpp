#include "core/planning/facts/replacement.hpp"

#include "core/matching/assumption.hpp"
#include "core/matching/bookings.hpp"
#include "core/matching/reservation_places.hpp"
#include "core/planning/facts/node_replacement.hpp"
#include "core/planning/reservation_health.hpp"
#include "core/planning/tasks_inside.hpp"

#include <algorithm>
#include <set>
#include <string>
#include <utility>

namespace almanac::rules {

namespace {

using Instances = std::vector<const QueueInstance*>;

Demand beside_master(Demand demand) {
  demand.master_queues.clear();
  std::erase_if(demand.consumables,
                [](const auto& need) { return need.taking == Taking::per_job; });
  return demand;
}

std::set<std::string> hosts_of(const std::vector<Grant>& grants) {
  std::set<std::string> hosts;
  for (const auto& grant : grants) hosts.insert(grant.instance.host);
  return hosts;
}

// One reservation, taken out of the books while a place is looked for.
class Replacing {
public:
  Replacing(State& state, const Reservation& reservation, const Demand& demand, Window window,
            const std::vector<Grant>& kept, const std::vector<Grant>& lost,
            const SpareOccupants& on_spares)
      : state_(state),
        reservation_(reservation),
        demand_(demand),
        beside_master_(beside_master(demand)),
        window_(window),
        kept_(kept),
        lost_(lost),
        on_spares_(on_spares),
        missing_(slots_of(lost)),
        looking_(state, reservation.key) {
    looking_.free_lent_room();
    const auto& front = reservation.shape.grants.front();
    keeps_master_ = std::any_of(kept.begin(), kept.end(), [&](const Grant& grant) {
      return grant.instance == front.instance;
    });
    auto pe = state.configuration().environment(reservation.shape.pe);
    if (pe && !is_allocation_pe(pe->name) && !reservation.shape.allocation_rule.empty())
      check(pe->set_rule(reservation.shape.allocation_rule).ok(),
            "a rule that was granted by is one");
    if (pe) rule_ = pe->rule, each_host_ = pe->per_host;
  }

  Replacement run() {
    auto unread = Obstacles::unwanted();
    look(state_, Among::spares, unread);
    look(state_, Among::all, unread);
    if (missing_ > 0) look_over_holds();
    Obstacles obstacles;
    if (found_.empty()) look(state_, Among::all, obstacles);
    else settle();
    result_.obstacles = obstacles.list();
    return std::move(result_);
  }

private:
  enum class Among { spares, all };

  void look_over_holds() {
    if (state_.occupancy().jobs_with_holds.keys().empty()) return;
    const auto before = missing_;
    book_meanwhile(state_);
    Assumption without_holds(state_);
    for (const auto key : state_.occupancy().jobs_with_holds.keys())
      without_holds.drop_holds(*state_.job(key));
    auto unread = Obstacles::unwanted();
    search(without_holds.look(), Among::all, unread);
    result_.over_holds = missing_ < before;
  }

  void look(const Snapshot& view, Among among, Obstacles& obstacles) {
    if (missing_ == 0 || (among == Among::spares && reservation_.shape.spares.empty())) return;
    book_meanwhile(view);
    if (among != Among::spares || !on_spares_.any()) return search(view, among, obstacles);
    Assumption without_occupants(state_);
    on_spares_.take_out(without_occupants);
    search(without_occupants.look(), among, obstacles);
  }

  // What it has for sure, and what was found until now.
  void book_meanwhile(const Snapshot& view) {
    looking_.clear();
    const auto supply = Supply::of_promises(view, false);
    Assignment sure;
    if (const auto grants = so_far(); !grants.empty())
      sure = assignment_of(view, supply, has_master() ? demand_ : beside_master_,
                           reservation_.shape.pe, grants);
    book_left_behind(state_, reservation_, sure, looking_);
    looking_.book(std::move(sure.bookings), reservation_.shape.window);
  }

  void search(const Snapshot& view, Among among, Obstacles& obstacles) {
    auto wanted = has_master() ? beside_master_ : demand_;
    wanted.pe = reservation_.shape.pe;
    wanted.pe_rule = reservation_.shape.allocation_rule;
    if (!wanted.pe.empty()) wanted.slots = {{least(), missing_}};
    if (least() > missing_) return;
    const auto candidates = candidates_in(view, wanted, among, obstacles);
    const auto supply = Supply::of_promises(view, false);
    auto place = assign(view, supply, wanted, window_, candidates, obstacles);
    if (!place) return;
    missing_ -= slots_of(place->grants);
    found_ = merged(std::move(found_), place->grants);
  }

  // The fewest slots that make sense by the rule.
  std::int64_t least() const {
    switch (rule_) {
    case AllocationRule::pe_slots: return slots_of(lost_);
    case AllocationRule::fixed: return each_host_;
    default: return 1;
    }
  }

  Instances candidates_in(const Snapshot& view, const Demand& wanted, Among among,
                          Obstacles& obstacles) const {
    auto candidates = reservation_candidates(view, wanted, window_, obstacles).healthy;
    const auto taken =
        rule_ == AllocationRule::fixed ? hosts_of(so_far()) : std::set<std::string>();
    const auto spares = hosts_of(reservation_.shape.spares);
    std::erase_if(candidates, [&](const QueueInstance* one) {
      const auto& host = one->name.host;
      return taken.contains(host) || was_left(one->name) ||
             (among == Among::spares && !spares.contains(host));
    });
    if (among == Among::spares) put_best_first(candidates);
    return candidates;
  }

  // What tasks hold there would be in the way of those for whom it is.
  bool was_left(const InstanceName& instance) const {
    return std::any_of(reservation_.left_behind.begin(), reservation_.left_behind.end(),
                       [&](const LeftBehind& left) { return left.instance == instance; });
  }

  // The smallest spare host that is enough; else the largest ones, of which several are taken.
  void put_best_first(Instances& candidates) const {
    const auto slots_on = [&](const QueueInstance* one) {
      std::int64_t slots = 0;
      for (const auto& spare : reservation_.shape.spares)
        if (spare.instance.host == one->name.host) slots += spare.slots;
      return slots;
    };
    std::stable_sort(candidates.begin(), candidates.end(), [&](const auto* a, const auto* b) {
      const auto of_a = slots_on(a), of_b = slots_on(b);
      const bool a_does = of_a >= missing_, b_does = of_b >= missing_;
      return a_does != b_does ? a_does : a_does ? of_a < of_b : of_a > of_b;
    });
  }

  bool has_master() const { return keeps_master_ || !found_.empty(); }

  // The master's instance first.
  std::vector<Grant> so_far() const {
    return keeps_master_ ? merged(kept_, found_) : merged(found_, kept_);
  }

  // ---- all of it together -----------------------------------------------------------------------

  void settle() {
    auto replaced = slots_of(found_);
    std::vector<Grant> rest;
    for (const auto& grant : lost_) {
      const auto slots = std::min(grant.slots, replaced);
      replaced -= slots;
      if (slots > 0) result_.replaced.push_back({grant.instance, slots});
      if (slots < grant.slots) rest.push_back({grant.instance, grant.slots - slots});
    }
    for (const auto& grant : rest)
      if (!state_.configuration().instance(grant.instance)) return give_up();
    result_.still_lost = slots_of(rest);
    const auto grants = merged(so_far(), rest);
    looking_.clear();
    book_left_behind(state_, reservation_, whole_in(state_, grants), looking_);
    if (!result_.over_holds && !on_spares_.any()) return check_free(state_, grants);
    Assumption without(state_);
    if (on_spares_.any()) on_spares_.take_out(without);
    if (result_.over_holds)
      for (const auto key : state_.occupancy().jobs_with_holds.keys())
        without.drop_holds(*state_.job(key));
    check_free(without.look(), grants);
  }

  Assignment whole_in(const Snapshot& view, const std::vector<Grant>& grants) const {
    return assignment_of(view, Supply::of_promises(view, false), demand_, reservation_.shape.pe,
                         grants);
  }

  void check_free(const Snapshot& view, const std::vector<Grant>& grants) {
    auto whole = whole_in(view, grants);
    if (!is_free(Supply::of_promises(view, false), demand_, whole.bookings, window_))
      return give_up();
    result_.whole = std::move(whole), result_.found = found_;
  }

  void give_up() { result_ = {}, found_.clear(); }

  State& state_;
  const Reservation& reservation_;
  const Demand& demand_;
  const Demand beside_master_;
  const Window window_;
  const std::vector<Grant>&kept_, &lost_;
  const SpareOccupants& on_spares_;
  AllocationRule rule_ = AllocationRule::fill_up;
  std::int64_t each_host_ = 1;
  bool keeps_master_ = false;
  std::int64_t missing_;
  std::vector<Grant> found_;
  Unbooked looking_;
  Replacement result_{};
};

} // namespace

std::vector<Grant> lost_grants(const State& state, const Reservation& reservation) {
  auto lost = reservation.shape.grants;
  std::erase_if(lost, [&](const Grant& grant) { return !is_lost(state, grant.instance); });
  return lost;
}

std::vector<Grant> merged(std::vector<Grant> first, const std::vector<Grant>& second) {
  for (const auto& grant : second) {
    const auto it = std::find_if(first.begin(), first.end(),
                                 [&](const Grant& one) { return one.instance == grant.instance; });
    if (it == first.end()) first.push_back(grant);
    else it->slots += grant.slots;
  }
  return first;
}

// Slots of a parallel environment are booked for them where it has some left, and not before.
void book_left_behind(State& state, const Reservation& reservation, const Assignment& next,
                      Unbooked& looking) {
  Shape shape = reservation.shape;
  shape.grants = next.grants, shape.bookings = next.bookings;
  for (auto& left : left_behind(state, reservation, shape)) {
    std::erase_if(left.bookings, [](const Booking& booking) {
      return booking.container.kind == Container::Kind::pe;
    });
    looking.book(left.bookings, window_of(left, reservation.shape));
  }
}

Replacement find_replacement(State& state, const Reservation& reservation, const Demand& demand,
                             Window window, const std::vector<Grant>& kept,
                             const std::vector<Grant>& lost, const SpareOccupants& on_spares) {
  if (demand.nodes.count > 0)
    return find_node_replacement(state, reservation, demand, window, lost);
  return Replacing(state, reservation, demand, window, kept, lost, on_spares).run();
}

} // namespace almanac::rules
