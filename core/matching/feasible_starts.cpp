#include "core/matching/feasible_starts.hpp"

#include "core/matching/class_request.hpp"
#include "core/matching/node_places.hpp"
#include "core/matching/node_policy.hpp"
#include "core/matching/pool.hpp"
#include "core/text/pattern.hpp"

#include <algorithm>
#include <utility>

namespace almanac {

namespace {

constexpr Duration second{1};
constexpr Duration hour{3'600};
constexpr Duration year{365 * 86'400}; // for so long a look at calendars is good (closures.hpp)

std::int64_t least_slots_of(const Demand& demand) {
  if (demand.nodes.count > 0)
    return demand.nodes.count * std::max<std::int64_t>(1, demand.nodes.slots);
  return demand.slots.empty() ? 1 : lowest(demand.slots);
}

} // namespace

FeasibleStarts::FeasibleStarts(const Snapshot& state, Demand demand, Duration length,
                               StartRange among, Instant now)
    : state_(state),
      demand_(std::move(demand)),
      length_(length),
      among_(among),
      now_(now),
      supply_(Supply::of_reservations(state, demand_.preempts)),
      cell_slots_(state, supply_, least_slots_of(demand_), among.first) {
  if (among_.last < among_.first) return;
  times_.push_back(among_.first);
  add_time(now_ + second); // from then on instances count that are off (M4.2)
  add_pools();
  add_hours();
  add_times_of_policy();
  std::sort(times_.begin(), times_.end());
  times_.erase(std::unique(times_.begin(), times_.end()), times_.end());
}

void FeasibleStarts::add_time(Instant time) {
  if (time > among_.first && time <= among_.last) times_.push_back(time);
}

// A point enters the window at its last second, and leaves it with its first.
void FeasibleStarts::add_diagram(const Diagram* diagram) {
  if (!diagram || !seen_.insert(diagram).second) return;
  for (const auto point : diagram->points()) {
    add_time(point);
    if (!point.is_never()) add_time(point - length_ + second);
  }
}

void FeasibleStarts::add_pools() {
  const auto add = [&](const Capacity& capacity) {
    for (const auto* diagram : supply_.booked(capacity)) add_diagram(diagram);
    for (const auto* diagram : supply_.firmly_booked(capacity)) add_diagram(diagram);
  };
  const auto consumptions = consumptions_of(demand_, supply_);
  for (const auto* instance : *suitable_for(state_, demand_))
    for (const auto& consumption : consumptions)
      for (const auto& pool : pools_of(consumption, *instance)) {
        add(*pool.capacity);
        if (pool.shared) add(*pool.shared);
      }
  if (demand_.nodes.whole) add_whole_hosts();
  if (demand_.pe.empty()) return;
  for (const auto& [name, pe] : state_.configuration().parallel_environments())
    if (matches_expression(demand_.pe, name))
      add(supply_.capacity_of(Container::pe(name), "slots"));
}

// Whoever has anything of them is in the way.
void FeasibleStarts::add_whole_hosts() {
  std::set<std::size_t> hosts;
  for (const auto* instance : *suitable_for(state_, demand_)) {
    if (!hosts.insert(instance->host_index).second) continue;
    for (const auto& booking : all_of_host(state_, *instance)) {
      const auto capacity = supply_.capacity_of(booking.container, booking.resource);
      for (const auto* diagram : supply_.booked(capacity)) add_diagram(diagram);
      for (const auto* diagram : supply_.firmly_booked(capacity)) add_diagram(diagram);
    }
  }
}

void FeasibleStarts::add_hours() {
  std::set<std::string> calendars;
  for (const auto* instance : *suitable_for(state_, demand_)) {
    for (const auto time : state_.closures().maintenance_changes(
             *instance, {among_.first, among_.last + second}, length_ - second))
      add_time(time);
    const auto& calendar = instance->settings.calendar;
    if (calendar.empty() || !calendars.insert(calendar).second) continue;
    for (auto from = among_.first; from <= among_.last; from = from + year)
      for (const auto time : state_.closures().changes(
               state_.configuration(), *instance,
               {from, std::min(from + year, among_.last) + second}, length_ - second))
        add_time(time);
  }
}

void FeasibleStarts::add_times_of_policy() {
  const auto* conditions = state_.site_policy().conditions();
  if (!conditions || demand_.nodes.count == 0 || !demand_.nodes.asks_site) return;
  demand_.nodes.usage = std::make_shared<UsageMemo>();
  add_time(among_.last);
  if (!conditions->depends_on_window()) return;
  const auto last = std::min(among_.last, now_ + year);
  const auto hours = (std::max(among_.first, now_) - now_).seconds / hour.seconds;
  for (auto time = now_ + Duration{hours * hour.seconds}; time <= last; time = time + hour)
    add_time(time);
}

bool FeasibleStarts::look(int times) {
  while (next_ < times_.size() && times-- > 0) {
    next_ = first_possible(next_);
    if (next_ < times_.size()) note(next_++);
  }
  return next_ < times_.size();
}

// Those before it have too few slots in the whole cell.
std::size_t FeasibleStarts::first_possible(std::size_t time) const {
  const auto start = cell_slots_.not_before(times_[time], length_);
  if (!start) return times_.size();
  const auto from = times_.begin() + static_cast<std::ptrdiff_t>(time);
  return static_cast<std::size_t>(std::lower_bound(from, times_.end(), *start) - times_.begin());
}

// The starts from this time on, up to the next one.
void FeasibleStarts::note(std::size_t time) {
  const auto first = times_[time];
  if (!has_place(state_, demand_, {first, first + length_}, now_)) return;
  const auto last = time + 1 < times_.size() ? times_[time + 1] - second : among_.last;
  if (!ranges_.empty() && ranges_.back().last + second == first) ranges_.back().last = last;
  else ranges_.push_back({first, last});
}

} // namespace almanac
