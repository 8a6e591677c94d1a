#include "core/matching/closures.hpp"

#include <algorithm>

namespace almanac {

namespace {

constexpr std::int64_t year = 365 * 86400;

std::vector<Closure>::const_iterator first_behind(const std::vector<Closure>& list, Instant at) {
  return std::upper_bound(list.begin(), list.end(), at, [](Instant instant, const Closure& one) {
    return instant < one.window.end;
  });
}

} // namespace

void Closures::set_zone(TimeZone zone) {
  zone_ = std::move(zone);
  forget();
}

Closures Closures::with(const Maintenances* maintenances) const {
  auto other = *this;
  other.maintenances_ = maintenances;
  return other;
}

const Maintenance* Closures::closing(const QueueInstance& instance, Window window) const {
  if (!maintenances_) return nullptr;
  for (const auto& one : maintenances_->on(instance.name.host)) {
    if (one.window.start >= window.end) break;
    if (one.window.end > window.start) return &one;
  }
  return nullptr;
}

// Of the year in which `at` lies, and of the two that follow.
const std::vector<Closure>& Closures::around(const Configuration& configuration,
                                             const std::string& calendar, Instant at) const {
  const auto number = at.seconds / year;
  const auto [it, is_new] = known_.try_emplace({calendar, number});
  if (is_new)
    it->second = configuration.calendars().at(calendar).closures(
        {{number * year}, {(number + 3) * year}}, zone_);
  return it->second;
}

bool Closures::calendar_is_open(const Configuration& configuration, const QueueInstance& instance,
                                Window window) const {
  const auto& calendar = instance.settings.calendar;
  if (calendar.empty()) return true;
  const auto& list = around(configuration, calendar, window.start);
  const auto it = first_behind(list, window.start);
  return it == list.end() || it->window.start >= window.end;
}

// Behind a closure of the one kind there may be one of the other.
std::optional<Instant> Closures::earliest(const Configuration& configuration,
                                          const QueueInstance& instance, Instant from,
                                          Duration length, Duration firm) const {
  for (;;) {
    const auto open = calendar_earliest(configuration, instance, from, length);
    if (!open || open->is_never()) return open;
    const auto* closed = closing(instance, {*open, *open + firm});
    if (!closed) return open;
    if (closed->window.end.is_never()) return std::nullopt;
    from = closed->window.end;
  }
}

std::optional<Instant> Closures::calendar_earliest(const Configuration& configuration,
                                                   const QueueInstance& instance, Instant from,
                                                   Duration length) const {
  const auto& calendar = instance.settings.calendar;
  if (calendar.empty() || from.is_never()) return from;
  const auto& list = around(configuration, calendar, from);
  const auto last = from + Duration{2 * year};
  if (length.is_endless() && !list.empty())
    from = std::max(from, list.back().window.end); // behind all of them
  else
    for (auto it = first_behind(list, from); it != list.end() && it->window.start < from + length;
         ++it)
      from = it->window.end;
  if (from > last) return std::nullopt;
  return from;
}

std::vector<Instant> Closures::changes(const Configuration& configuration,
                                       const QueueInstance& instance, Window window,
                                       Duration length) const {
  std::vector<Instant> found;
  const auto& calendar = instance.settings.calendar;
  if (calendar.empty()) return found;
  const auto& list = around(configuration, calendar, window.start);
  for (auto it = first_behind(list, window.start); it != list.end(); ++it) {
    if (it->window.start - length >= window.end) break;
    found.push_back(it->window.end);
    if (!length.is_endless()) found.push_back(it->window.start - length);
  }
  return found;
}

std::vector<Instant> Closures::maintenance_changes(const QueueInstance& instance, Window window,
                                                   Duration length) const {
  std::vector<Instant> found;
  if (!maintenances_) return found;
  for (const auto& one : maintenances_->on(instance.name.host)) {
    if (one.window.end <= window.start) continue;
    if (!one.window.end.is_never()) found.push_back(one.window.end);
    if (!length.is_endless()) found.push_back(one.window.start - length);
  }
  return found;
}

} // namespace almanac
