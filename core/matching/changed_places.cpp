#include "core/matching/changed_places.hpp"

#include "core/base/bisect.hpp"
#include "core/matching/assumption.hpp"
#include "core/matching/bookings.hpp"
#include "core/matching/instance_obstacles.hpp"
#include "core/matching/spare_places.hpp"
#include "core/text/pattern.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace almanac {

namespace {

using SlotsOn = std::map<InstanceName, std::int64_t>;

SlotsOn slots_by_instance(const std::vector<Grant>& grants) {
  SlotsOn slots;
  for (const auto& grant : grants) slots[grant.instance] += grant.slots;
  return slots;
}

// What is taken once for the whole belongs to the first grant.
Demand without_per_job(Demand demand) {
  std::erase_if(demand.consumables,
                [](const auto& need) { return need.taking == Taking::per_job; });
  return demand;
}

enum class WhatChanges { the_request, the_hosts };

std::vector<Grant> merged(std::vector<Grant> kept, const std::vector<Grant>& more) {
  auto added = slots_by_instance(more);
  for (auto& grant : kept)
    if (auto node = added.extract(grant.instance)) grant.slots += node.mapped();
  for (const auto& grant : more)
    if (added.contains(grant.instance)) kept.push_back(grant);
  return kept;
}

// What has become an orphan, or is closed by now, still serves as it was granted, and in no other time
// (spec/reservations.md R4.16). Off the hosts of a maintenance goes what these close.
Instances serving_as_granted(const Snapshot& looking, const Reservation& own, const Demand& demand,
                             Window window, WhatChanges what, const std::vector<Grant>& grants) {
  const auto& had = own.shape.window;
  Instances serving;
  if (window.start < had.start || window.end > had.end) return serving;
  auto asked = demand;
  if (asked.queues == own.request.queues) asked.queues.clear();
  auto unread = Obstacles::unwanted();
  const auto& configuration = looking.configuration();
  for (const auto& grant : grants)
    if (const auto* instance = configuration.instance(grant.instance);
        instance && could_serve(looking, *instance, asked, unread) &&
        (what == WhatChanges::the_request ||
         looking.closures().is_open(configuration, *instance, window)))
      serving.push_back(instance);
  return serving;
}

bool asks_for_more(const Demand& demand, const Shape& had) {
  return std::any_of(demand.slots.begin(), demand.slots.end(),
                     [&](const SlotRange& range) { return range.high > had.slots(); });
}

// The search for candidates passes them over without a word, since to others they are nothing.
void tell_of_orphans(const Configuration& configuration, const Reservation& own,
                     const Instances& candidates, Obstacles& obstacles) {
  for (const auto& grant : own.shape.grants) {
    const auto* instance = configuration.instance(grant.instance);
    if (!instance || !instance->orphaned ||
        std::count(candidates.begin(), candidates.end(), instance) > 0)
      continue;
    obstacles.add_made([&] {
      return Statement{
          AnswerCode::instance_dropped,
          {{"queue", grant.instance.text()},
           {"why", Statement{AnswerCode::an_orphaned_queue, {{"reservation", own.number}}}}}};
    });
  }
}

// Jobs on its hosts give way at its start, and not once it has begun.
Supply supply_of(const Snapshot& looking, const Demand& demand, const Reservation& own) {
  return Supply::of_reservations(looking,
                                 demand.preempts && booked_claim(own) == Claim::preempting);
}

// One search for a place, in the cluster without the reservation.
class ChangedPlace {
public:
  ChangedPlace(Assumption& without, const Reservation& own, const Demand& demand, Window window,
               Instant now, const std::vector<Grant>& pinned, Obstacles obstacles,
               WhatChanges what = WhatChanges::the_request)
      : what_(what),
        own_(own),
        demand_(demand),
        window_{std::max(now, window.start), window.end},
        begins_later_(window.start > now && what == WhatChanges::the_request),
        pinned_(slots_by_instance(pinned)),
        without_(without),
        found_{std::nullopt, false, std::move(obstacles)} {
    for (const auto& grant : own.shape.grants)
      granted_.insert(without.look().configuration().instance(grant.instance));
  }

  Found run() {
    const auto looking = without_.look();
    auto [healthy, unhealthy] = reservation_candidates(looking, demand_, window_, found_.obstacles);
    serving_ = {healthy.begin(), healthy.end()};
    serving_.insert(unhealthy.begin(), unhealthy.end());
    candidates_ = granted_among(looking);
    const auto as_granted = [&](const std::vector<Grant>& grants) {
      return serving_as_granted(looking, own_, demand_, window_, what_, grants);
    };
    for (const auto* instance : as_granted(own_.shape.grants)) serving_.insert(instance);
    auto for_as_many = granted_among(looking);
    for (auto* list : {&candidates_, &for_as_many})
      for (const auto* instance : healthy)
        if (!granted_.contains(instance)) list->push_back(instance);
    for_spares_ = for_as_many;
    for (const auto* instance : as_granted(own_.shape.spares))
      if (serving_.insert(instance).second) for_spares_.push_back(instance);
    if (keep(looking)) return std::move(found_);
    if (!asks_for_more(demand_, own_.shape)) candidates_ = std::move(for_as_many);
    tell_of_orphans(looking.configuration(), own_, candidates_, found_.obstacles);
    const auto supply = supply_of(looking, demand_, own_);
    auto unread = Obstacles::unwanted();
    take_all(looking, supply, begins_later_ ? unread : found_.obstacles);
    if (found_.assignment || !begins_later_) return std::move(found_);
    for (const auto* instance : unhealthy)
      if (!granted_.contains(instance)) candidates_.push_back(instance);
    take_all(looking, supply, found_.obstacles);
    found_.on_unhealthy = found_.assignment.has_value();
    return std::move(found_);
  }

private:
  // `told`: what is in the way, of the last look alone.
  void take_all(const Snapshot& looking, const Supply& supply, Obstacles& told) {
    found_.assignment =
        assign_with_spares(looking, supply, demand_, window_, candidates_, own_.shape.spares, told);
  }

  std::int64_t pinned_on(const InstanceName& instance) const {
    const auto it = pinned_.find(instance);
    return it == pinned_.end() ? 0 : it->second;
  }

  // Where tasks hold the most first.
  Instances granted_among(const Snapshot& looking) const {
    Instances granted;
    for (const auto& grant : own_.shape.grants)
      if (const auto* instance = looking.configuration().instance(grant.instance);
          instance && serving_.contains(instance))
        granted.push_back(instance);
    std::stable_sort(granted.begin(), granted.end(), [&](const auto* a, const auto* b) {
      return pinned_on(a->name) > pinned_on(b->name);
    });
    return granted;
  }

  // ---- what it has, and as much as is missing -------------------------------------------------

  // Where the rule lets hosts have any number of slots; the others take whole hosts in their order.
  bool keep(const Snapshot& looking) {
    const auto& all = looking.configuration().parallel_environments();
    const auto& granted = own_.shape.pe;
    const auto pe = all.find(matches_pattern(demand_.pe, granted) ? granted : demand_.pe);
    if (pe == all.end() || demand_.pe.empty()) return false;
    auto asked = pe->second;
    if (!demand_.pe_rule.empty())
      check(asked.set_rule(demand_.pe_rule).ok(), "a rule that was checked is one");
    if (asked.rule != AllocationRule::fill_up && asked.rule != AllocationRule::round_robin)
      return false;
    auto ranges = demand_.slots;
    std::stable_sort(ranges.begin(), ranges.end(),
                     [](const SlotRange& a, const SlotRange& b) { return a.high > b.high; });
    return std::any_of(ranges.begin(), ranges.end(),
                       [&](const SlotRange& range) { return keep(looking, pe->first, range); });
  }

  bool keep(const Snapshot& looking, const std::string& pe, const SlotRange& range) {
    auto kept = kept_of(looking, pe, range.high);
    if (kept.empty()) return false;
    if (grow(looking, pe, kept, range)) return true;
    return slots_of(kept) >= range.low && settle(looking, pe, std::move(kept));
  }

  // The most of it that leaves room for the spare hosts.
  bool grow(const Snapshot& looking, const std::string& pe, const std::vector<Grant>& kept,
            const SlotRange& range) {
    const auto slots = slots_of(kept);
    const auto least = std::max<std::int64_t>(1, range.low - slots);
    if (slots >= range.high) return false;
    const auto more = more_than(looking, pe, kept, {least, range.high - slots});
    if (!more) return false;
    if (settle(looking, pe, merged(kept, *more))) return true;
    if (demand_.spares == 0) return false;
    return bisect(least - 1, slots_of(*more), [&](std::int64_t most) {
             const auto fewer = more_than(looking, pe, kept, {least, most});
             return fewer && settle(looking, pe, merged(kept, *fewer));
           }) >= least;
  }

  // In the order of the grants: the first one may have the master. Nothing where it would not have
  // what tasks hold.
  std::vector<Grant> kept_of(const Snapshot& looking, const std::string& pe, std::int64_t most) {
    const auto supply = supply_of(looking, demand_, own_);
    const auto once = without_per_job(demand_);
    auto left = most;
    for (const auto& [instance, slots] : pinned_) left -= slots;
    if (left < 0) return {};
    std::vector<Grant> kept;
    for (const auto& grant : own_.shape.grants) {
      const auto pinned = pinned_on(grant.instance);
      auto slots = pinned;
      if (serves(looking, pe, grant.instance)) {
        const auto wanted = std::min(grant.slots, pinned + left);
        slots = std::max(pinned, most_free(looking, supply, once, pe, grant.instance, wanted));
      } else if (pinned > 0 && what_ == WhatChanges::the_request) return {};
      left -= slots - pinned;
      if (slots > 0) kept.push_back({grant.instance, slots});
    }
    return kept;
  }

  bool serves(const Snapshot& looking, const std::string& pe, const InstanceName& name) const {
    const auto* instance = looking.configuration().instance(name);
    if (!instance || !serving_.contains(instance)) return false;
    const auto& list = instance->settings.pe_list;
    return std::find(list.begin(), list.end(), pe) != list.end();
  }

  // The largest number of slots up to `most` that is free on the instance by itself.
  std::int64_t most_free(const Snapshot& looking, const Supply& supply, const Demand& once,
                         const std::string& pe, const InstanceName& instance,
                         std::int64_t most) const {
    const auto fits = [&](std::int64_t slots) {
      const auto assignment = assignment_of(looking, supply, once, pe, {{instance, slots}});
      return is_free(supply, once, assignment.bookings, window_);
    };
    if (most <= 0 || fits(most)) return std::max<std::int64_t>(0, most);
    return bisect(0, most, fits);
  }

  std::optional<std::vector<Grant>> more_than(const Snapshot& looking, const std::string& pe,
                                              const std::vector<Grant>& kept, SlotRange missing) {
    const auto supply = supply_of(looking, demand_, own_);
    const auto booked = assignment_of(looking, supply, demand_, pe, kept).bookings;
    without_.reserve(booked, window_);
    const auto with_kept = without_.look();
    auto rest = without_per_job(demand_);
    rest.pe = pe, rest.slots = {missing};
    auto unread = Obstacles::unwanted();
    const auto more =
        assign(with_kept, supply_of(with_kept, demand_, own_), rest, window_, candidates_, unread);
    without_.give_back(booked, window_);
    if (!more) return std::nullopt;
    return more->grants;
  }

  bool settle(const Snapshot& looking, const std::string& pe, std::vector<Grant> grants) {
    const auto* first = looking.configuration().instance(grants.front().instance);
    if (!demand_.master_queues.empty() &&
        !is_among(looking.configuration(), demand_.master_queues, *first))
      return false;
    const auto supply = supply_of(looking, demand_, own_);
    auto whole = assignment_of(looking, supply, demand_, pe, std::move(grants));
    if (!is_free(supply, demand_, whole.bookings, window_)) return false;
    if (add_spares(looking, supply, demand_, window_, for_spares_, own_.shape.spares, whole) <
        demand_.spares)
      return false;
    found_.assignment = std::move(whole);
    return true;
  }

  const WhatChanges what_;
  const Reservation& own_;
  const Demand& demand_;
  const Window window_;
  const bool begins_later_;
  const SlotsOn pinned_;
  Assumption& without_;
  std::set<const QueueInstance*> granted_, serving_; ///< serving: what may have a part of it
  Instances candidates_;                             ///< those that may stay first
  Instances for_spares_;
  Found found_;
};

} // namespace

void set_free(Assumption& without, const Reservation& own) {
  without.drop(own);
  // What it lends it may go on lending: others have it only together with the borrower.
  for (const auto& loan : own.lent) without.reserve(negated(loan.bookings), loan.window);
  for (const auto& left : own.left_behind)
    without.reserve(left.bookings, window_of(left, own.shape));
}

Found find_changed_place(const Snapshot& state, const Reservation& own, const Demand& demand,
                         Window window, Instant now, const std::vector<Grant>& pinned) {
  const auto search = [&](const Obstacles& obstacles) {
    Assumption without(state);
    set_free(without, own);
    return ChangedPlace(without, own, demand, window, now, pinned, obstacles).run();
  };
  auto found = search(Obstacles::unwanted());
  return found.assignment ? found : search({});
}

Found find_place_off_hosts(Assumption& without, const Reservation& own, const Demand& demand,
                           Window window, Instant now, const std::vector<Grant>& pinned) {
  const auto search = [&](const Obstacles& obstacles) {
    return ChangedPlace(without, own, demand, window, now, pinned, obstacles,
                        WhatChanges::the_hosts)
        .run();
  };
  auto found = search(Obstacles::unwanted());
  return found.assignment ? found : search({});
}

} // namespace almanac
