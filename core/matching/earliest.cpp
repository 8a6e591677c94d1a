#include "core/matching/earliest.hpp"

#include "core/matching/cell_slots.hpp"
#include "core/matching/pool.hpp"
#include "core/matching/quota_limits.hpp"
#include "core/text/pattern.hpp"

#include <algorithm>
#include <set>

namespace almanac {

namespace {

// What is the same for all times: the supply that holds can count on, and what is asked of it.
struct Question {
  Question(const Snapshot& the_state, const ClassRequest& what)
      : state(the_state),
        wanted(what),
        supply(Supply::of_holds(the_state, what.endless).asked_by(what.claim)),
        consumptions(consumptions_of(what.demand, supply)) {
    const auto& healthy = state.healthy();
    for (const auto* instance : *wanted.suitable)
      if (healthy[position_of(state.configuration(), *instance)]) candidates.push_back(instance);
    for (const auto& [name, pe] : state.configuration().parallel_environments())
      if (!wanted.demand.pe.empty() && matches_expression(wanted.demand.pe, name)) {
        pes.push_back(&pe);
        add_quotas(name);
      }
    // That of -alloc limits nothing by itself.
    if (is_allocation_pe(wanted.demand.pe)) add_quotas(wanted.demand.pe);
    if (wanted.demand.pe.empty()) add_quotas("");
  }
  Question(const Question&) = delete; // consumptions point into the supply

  const Snapshot& state;
  const ClassRequest& wanted;
  Supply supply;
  std::vector<Consumption> consumptions;
  Instances candidates;
  std::vector<const ParallelEnvironment*> pes; ///< those that match
  std::vector<QuotaLimits> quotas;             ///< that may concern it in any of these
  bool unlimited = false;                      ///< in one of these, none does

private:
  void add_quotas(const std::string& pe) {
    QuotaLimits limits(state, supply, wanted.demand, pe);
    if (limits.any()) quotas.push_back(std::move(limits));
    else unlimited = true;
  }
};

// The first start on one instance alone, from the diagrams of all that limits it.
class OneInstance {
public:
  explicit OneInstance(const Question& question) : question_(question) {}

  // The first time at which all that `slots` slots of the instance need is free together.
  Instant first_start(const QueueInstance& instance, std::int64_t slots, Instant from) {
    if (!collect(instance, slots)) return Instant::never();
    const auto& state = question_.state;
    auto start = from;
    for (bool moved = true; moved;) {
      const auto open = state.closures().earliest(state.configuration(), instance, start,
                                                  question_.wanted.length, firm_length());
      if (!open) return Instant::never();
      moved = *open != start;
      start = *open;
      for (const auto& [diagram, most, length] : limits_) {
        const auto next = diagram->earliest_fit(start, length, most);
        if (!next) return Instant::never();
        moved = moved || *next != start;
        start = *next;
      }
    }
    return start;
  }

private:
  // A diagram that matters for the instance, with the highest use that leaves enough.
  struct Limit {
    const Diagram* diagram;
    std::int64_t most;
    Duration length; ///< for which it counts
  };

  // False if the capacity does not suffice at any time.
  bool collect(const QueueInstance& instance, std::int64_t slots) {
    limits_.clear();
    for (const auto& consumption : question_.consumptions) {
      const auto pools = pools_of(consumption, instance);
      for (auto pool = pools.end(); pool != pools.begin();) // what is its own first
        if (!limit(*--pool, consumption.asked, slots)) return false;
    }
    for (const auto* pe : question_.pes) {
      if (pe->slots < slots) return false;
      keep_below(question_.supply.capacity_of(Container::pe(pe->name), "slots"), pe->slots - slots);
    }
    return collect_quotas(instance, slots);
  }

  // There is one parallel environment, or none.
  bool collect_quotas(const QueueInstance& instance, std::int64_t slots) {
    for (const auto& quotas : question_.quotas) {
      if (quotas.is_denied_for_good(instance)) return false;
      for (const auto& pools : {quotas.pools_everywhere(), quotas.pools_at(instance)})
        for (const auto& pool : pools) {
          const auto taken = amount_of(*pool.asked, slots);
          if (pool.most < taken) return false;
          if (pool.used && pool.asked->taking != Taking::beside)
            keep_below(*pool.used, is_exclusive(*pool.asked) ? 0 : pool.most - taken);
          if (pool.shared) keep_below(*pool.shared, 0);
        }
    }
    return true;
  }

  static std::int64_t amount_of(const ConsumableDemand& asked, std::int64_t slots) {
    return asked.taking == Taking::beside     ? 1
           : asked.taking == Taking::per_slot ? almanac::amount_for(asked, slots)
                                              : asked.amount;
  }

  Duration firm_length() const {
    return question_.wanted.endless ? Duration::endless() : question_.wanted.length;
  }

  bool limit(const Pool& pool, const ConsumableDemand& asked, std::int64_t slots) {
    if (asked.amount <= 0) return true;
    const auto taken = amount_of(asked, slots);
    const auto total = *pool.capacity->total;
    if (total < taken) return false;
    keep_below(*pool.capacity, total - taken);
    if (pool.shared) keep_below(*pool.shared, 0);
    return true;
  }

  void keep_below(const Diagram& diagram, std::int64_t most) {
    limits_.push_back({&diagram, most, question_.wanted.length});
  }

  void keep_below(const Capacity& capacity, std::int64_t most) {
    for (const auto* diagram : question_.supply.booked(capacity))
      if (diagram) limits_.push_back({diagram, most, question_.wanted.length});
    for (const auto* diagram : question_.supply.endless_use(capacity))
      if (diagram) limits_.push_back({diagram, most, Duration::endless()});
  }

  const Question& question_;
  std::vector<Limit> limits_; ///< of the instance that was looked at last
};

// A time at which what is free in the window may change.
struct ChangeOfSupply {
  Instant time;
  std::size_t candidate; ///< whose slots change; beyond the last: something else does
  auto operator<=>(const ChangeOfSupply&) const = default;
};

// What is free in a window changes only where a point of some diagram enters or leaves it.
class Changes {
public:
  Changes(const Question& question, Instant after, Instant before)
      : question_(question), after_(after), before_(before) {}

  std::vector<ChangeOfSupply> ascending() {
    for (std::size_t i = 0; i < question_.candidates.size(); ++i) {
      add_slots(i);
      add_turns(i);
    }
    const auto& supply = question_.supply;
    for (const auto& [container, resource] : other_limits()) {
      const auto capacity = supply.capacity_of(container, resource);
      for (const auto& diagrams : {supply.booked(capacity), supply.endless_use(capacity)})
        for (const auto* diagram : diagrams)
          if (diagram) add_points(*diagram, question_.candidates.size());
    }
    for (const auto* diagram : quota_diagrams()) add_points(*diagram, question_.candidates.size());
    std::sort(found_.begin(), found_.end());
    return std::move(found_);
  }

private:
  using Places = std::set<std::pair<Container, Resource>>;

  void add_slots(std::size_t candidate) {
    const auto length = question_.wanted.length;
    const auto& slots = question_.supply.capacity_index("slots");
    const auto& capacity = slots.of_queue(*question_.candidates[candidate]);
    for (const auto* diagram : question_.supply.booked(capacity)) {
      if (!diagram) continue;
      for (const auto point : diagram->points()) {
        add(point, candidate);
        if (!length.is_endless()) add(point - length, candidate);
      }
    }
    for (const auto* diagram : question_.supply.endless_use(capacity))
      if (diagram) add_points(*diagram, candidate);
  }

  void add_turns(std::size_t candidate) {
    const auto& state = question_.state;
    for (const auto turn :
         state.closures().changes(state.configuration(), *question_.candidates[candidate],
                                  {after_, before_}, question_.wanted.length))
      add(turn, candidate);
    for (const auto turn : state.closures().maintenance_changes(
             *question_.candidates[candidate], {after_, before_}, question_.wanted.length))
      add(turn, candidate);
  }

  void add(Instant time, std::size_t candidate) {
    if (time > after_ && time < before_ && !time.is_never()) found_.push_back({time, candidate});
  }

  void add_points(const Diagram& diagram, std::size_t candidate) {
    for (const auto point : diagram.points()) add(point, candidate);
  }

  // Everything that may stand in the way beside the slots of the instances.
  Places other_limits() const {
    Places places;
    for (const auto* pe : question_.pes) places.emplace(Container::pe(pe->name), "slots");
    for (const auto& consumption : question_.wanted.demand.consumables) {
      add_limits(places, consumption.resource);
      if (consumption.taking == Taking::alone)
        add_limits(places, Resource(consumption.resource, true));
    }
    return places;
  }

  std::set<const Diagram*> quota_diagrams() const {
    std::set<const Diagram*> diagrams;
    const auto add = [&](const std::vector<QuotaPool>& pools) {
      for (const auto& pool : pools)
        for (const auto* diagram : {pool.used, pool.shared})
          if (diagram) diagrams.insert(diagram);
    };
    for (const auto& quotas : question_.quotas) {
      add(quotas.pools_everywhere());
      for (const auto* instance : question_.candidates) add(quotas.pools_at(*instance));
    }
    return diagrams;
  }

  void add_limits(Places& places, const Resource& resource) const {
    places.emplace(Container::global(), resource);
    const bool slots = resource.name == "slots";
    for (const auto* instance : question_.candidates) {
      if (!slots) places.emplace(Container::queue(instance->name), resource);
      if (!slots || instance->host_limits_slots)
        places.emplace(Container::host(instance->name.host), resource);
    }
  }

  const Question& question_;
  Instant after_, before_;
  std::vector<ChangeOfSupply> found_;
};

// Searches times in ascending order.
class EarliestSearch {
public:
  EarliestSearch(const Snapshot& state, const ClassRequest& wanted, Instant from, Instant before)
      : question_(state, wanted), from_(from), before_(before), one_(question_) {}

  std::optional<Placement> run() {
    if (question_.wanted.demand.pe.empty()) return sequential();
    if (question_.candidates.size() == 1 && question_.pes.size() == 1)
      return alone(question_.candidates.front());
    return parallel();
  }

private:
  std::optional<Placement> at(Instant start, const Instances& candidates) {
    const auto& wanted = question_.wanted;
    const Window window{start, start + wanted.length};
    auto assignment =
        assign(question_.state, question_.supply, wanted.demand, window, candidates, unread_);
    if (!assignment) return std::nullopt;
    return Placement{std::move(*assignment), window};
  }

  // The instance that is free first; among equals that with the fewest soft requests unmet, then
  // the first in order.
  std::optional<Placement> sequential() {
    const bool any_will_do = question_.wanted.demand.soft.is_empty();
    Instances best;
    auto start = Instant::never();
    for (const auto* instance : question_.candidates) {
      const auto found = one_.first_start(*instance, 1, from_);
      if (found < start) best.clear(), start = found;
      if (found == start && (best.empty() || !any_will_do)) best.push_back(instance);
      if (start == from_ && any_will_do) break;
    }
    return !best.empty() && start < before_ ? at(start, best) : std::nullopt;
  }

  // With one instance all limits are known before: no time has to be tried in vain.
  std::optional<Placement> alone(const QueueInstance* instance) {
    const auto start = one_.first_start(*instance, question_.wanted.slots, from_);
    return start < before_ ? at(start, {instance}) : std::nullopt;
  }

  // The times of changes are tried, in order, where the slots of all instances together suffice.
  std::optional<Placement> parallel() {
    const auto first = CellSlots(question_.state, question_.supply, question_.wanted.slots, from_)
                           .not_before(from_, question_.wanted.length);
    if (!first || *first >= before_) return std::nullopt;
    from_ = *first;
    const auto needed = question_.wanted.slots;
    const auto count = question_.candidates.size();
    free_.assign(count, 0);
    for (std::size_t i = 0; i < count; ++i) recount(i, from_);
    if (total_ >= needed)
      if (auto found = at(from_, with_free_slots())) return found;
    const auto changes = Changes(question_, from_, before_).ascending();
    for (std::size_t i = 0; i < changes.size();) {
      const auto time = changes[i].time;
      for (; i < changes.size() && changes[i].time == time; ++i)
        if (changes[i].candidate < count) recount(changes[i].candidate, time);
      if (total_ < needed || !quotas_leave(needed, time)) continue;
      if (auto found = at(time, with_free_slots())) return found;
    }
    return std::nullopt;
  }

  // Those that are the same everywhere, which are many at once.
  bool quotas_leave(std::int64_t slots, Instant start) {
    const Window window{start, start + question_.wanted.length};
    return question_.unlimited || question_.quotas.empty() ||
           std::any_of(question_.quotas.begin(), question_.quotas.end(), [&](const auto& quotas) {
             return quotas.everywhere(window, unread_).slots >= slots;
           });
  }

  Instances with_free_slots() const {
    Instances found;
    for (std::size_t i = 0; i < free_.size(); ++i)
      if (free_[i] > 0) found.push_back(question_.candidates[i]);
    return found;
  }

  void recount(std::size_t candidate, Instant start) {
    const Window window{start, start + question_.wanted.length};
    const auto free = std::max<std::int64_t>(
        0, question_.supply.free_slots(*question_.candidates[candidate], window));
    total_ += free - free_[candidate];
    free_[candidate] = free;
  }

  Question question_;
  Instant from_, before_;
  OneInstance one_;
  std::vector<std::int64_t> free_; ///< slots of each candidate in the window that is looked at
  std::int64_t total_ = 0;
  Obstacles unread_ = Obstacles::unwanted();
};

} // namespace

std::optional<Placement> place_earliest(const Snapshot& state, const ClassRequest& wanted,
                                        Instant from, Instant before) {
  return EarliestSearch(state, wanted, from, before).run();
}

} // namespace almanac
