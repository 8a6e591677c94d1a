#include "core/planning/series_transitions.hpp"

#include "core/matching/reservation_places.hpp"
#include "core/planning/hooks.hpp"
#include "core/planning/letters.hpp"
#include "core/planning/reservation_transitions.hpp"
#include "core/planning/series_jobs.hpp"
#include "core/planning/texts.hpp"

#include <algorithm>

namespace almanac::rules {

namespace {

constexpr int most_looks = 2'000; // the search is part of one input
constexpr std::int64_t day = 86400;
constexpr Duration far_ahead{30 * 366 * day}; // a series without an occurrence until then is over

std::chrono::local_seconds local(std::int64_t at) {
  return std::chrono::local_seconds(std::chrono::seconds(at));
}

Occurrences occurrences_behind(const Series& series, Instant before, std::size_t most) {
  return occurrences_of(repetition_of(series.recurrence, series.request.duration),
                        zone_of(series.recurrence), before, most, local(series.decided));
}

} // namespace

ReservationKey grant(State& state, const Series& series, const PlannedOccurrence& planned,
                     Instant now, std::optional<HookEvent> told) {
  auto request = series.request;
  request.start = planned.shape.window.start, request.end = planned.shape.window.end;
  request.duration = {}, request.has_duration = false;
  auto granted = new_reservation(state, series.owner, request, now);
  granted.series = series.number, granted.occurrence = planned.start();
  change_state(granted, ReservationEvent::committed);
  granted.shape = planned.shape;
  granted.bad = texts_of(health(state, granted));
  const auto key = granted.key;
  state.put(std::move(granted));
  if (told)
    call_hook(state, *told, *state.reservation(key),
              text_of({AnswerCode::reservation_was_granted, {}}));
  reservation_due(state, key, now);
  return key;
}

Conflict kept_conflict(const PlannedOccurrence& planned) {
  std::string why;
  for (const auto& text : texts_of(planned.why)) why += (why.empty() ? "" : "; ") + text;
  return {planned.start(), planned.when.window, std::move(why), false};
}

Instant due_after(const Series& series, Instant now) {
  const auto zone = zone_of(series.recurrence);
  const auto today = (now.seconds + zone.ahead(now)) / day;
  auto due = moment_of(zone, (today + 1) * day).at;
  if (due <= now) due = now + Duration{day}; // the clock is set over midnight
  for (const auto& conflict : series.conflicts)
    if (conflict.window.start > now) due = std::min(due, conflict.window.start);
  return due;
}

std::vector<ReservationKey> occurrences_from(const State& state, ReservationNumber series,
                                             std::int64_t first) {
  std::vector<std::pair<std::int64_t, ReservationKey>> list;
  for (const auto key : state.occupancy().standing_series.occurrences(series))
    if (const auto at = state.reservation(key)->occurrence; at >= first) list.emplace_back(at, key);
  std::sort(list.begin(), list.end());
  std::vector<ReservationKey> keys;
  for (const auto& [at, key] : list) keys.push_back(key);
  return keys;
}

std::string print_numbers(const std::vector<std::int64_t>& numbers) {
  std::string text;
  for (std::size_t first = 0; first < numbers.size();) {
    auto last = first;
    while (last + 1 < numbers.size() && numbers[last + 1] == numbers[last] + 1) ++last;
    text += (text.empty() ? "" : ",") + std::to_string(numbers[first]);
    if (last > first) text += "-" + std::to_string(numbers[last]);
    first = last + 1;
  }
  return text;
}

void remember_removed(State& state, const Reservation& occurrence) {
  const auto* series = occurrence.series ? state.series(occurrence.series) : nullptr;
  if (!series) return;
  state.edit<Series>(series->number, [&](Series& changed) {
    auto& removed = changed.removed;
    removed.insert(std::upper_bound(removed.begin(), removed.end(), occurrence.occurrence),
                   occurrence.occurrence);
  });
}

namespace {

// Those who hear of a conflict hear of it as of a reservation that does not work. It has no number
// but that of its series.
Reservation absent(const Series& series, const Conflict& conflict) {
  Reservation reservation;
  reservation.number = series.number, reservation.owner = series.owner;
  reservation.request = series.request;
  reservation.series = series.number, reservation.occurrence = conflict.occurrence;
  reservation.shape.window = conflict.window;
  return reservation;
}
std::string text_about(const Series& series, const Conflict& conflict) {
  return text_of({AnswerCode::occurrence_not_granted,
                  {{"occurrence", print_wall_clock(conflict.occurrence)},
                   {"reservation", series.number},
                   {"why", conflict.why}}});
}

void tell(State& state, const Series& series, const Conflict& conflict) {
  mail(state, Occasion::reservation_in_error, absent(series, conflict),
       text_about(series, conflict));
}

// Its start has come, and there is still no place for it: the hook reads of it as of one in state E.
void fail(State& state, const Series& series, const Conflict& conflict) {
  if (!conflict.told) tell(state, series, conflict);
  auto failed = absent(series, conflict);
  const auto why = text_about(series, conflict);
  change_state(failed, ReservationEvent::committed);
  change_state(failed, ReservationEvent::begun);
  failed.bad = {why};
  call_hook(state, HookEvent::error, failed, why);
}

// The granted ones of a series, by their start.
std::vector<const Reservation*> granted_ones(const State& state, ReservationNumber series) {
  std::vector<const Reservation*> list;
  for (const auto key : state.occupancy().standing_series.occurrences(series))
    list.push_back(state.reservation(key));
  std::sort(list.begin(), list.end(), [](const auto* a, const auto* b) {
    return a->shape.window.start < b->shape.window.start;
  });
  return list;
}

std::vector<InstanceName> instances_of(const Reservation* reservation) {
  std::vector<InstanceName> names;
  if (reservation)
    for (const auto& grant : reservation->shape.grants) names.push_back(grant.instance);
  return names;
}

bool overlap(const Window& a, const Window& b) { return a.start < b.end && b.start < a.end; }

// One series at one moment.
class Rolling {
public:
  Rolling(State& state, ReservationNumber number, Instant now)
      : state_(state), now_(now), series_(*state.series(number)) {}

  void run() {
    drop_past();
    grant_new();
    const auto& granted = state_.occupancy().standing_series.occurrences(series_.number);
    if (granted.empty() && series_.conflicts.empty() && is_over())
      return state_.erase<Series>(series_.number);
    series_.due = due_after(series_, now_);
    state_.put(std::move(series_));
  }

private:
  void drop_past() {
    std::erase_if(series_.conflicts, [&](const Conflict& conflict) {
      if (conflict.window.start > now_) return false;
      fail(state_, series_, conflict);
      return true;
    });
    const auto present = now_.seconds + zone_of(series_.recurrence).ahead(now_);
    std::erase_if(series_.removed, [&](std::int64_t at) { return at < present; });
  }

  bool is_over() const {
    return !occurrences_behind(series_, now_ + far_ahead, 1).last.has_value();
  }

  void grant_new() {
    const auto granted = granted_ones(state_, series_.number);
    const auto there = granted.size() + series_.conflicts.size();
    if (there >= most_occurrences) return;
    const auto all = occurrences_behind(series_, now_ + series_horizon, most_occurrences - there);
    if (!all.last) return;
    const auto* last = granted.empty() ? nullptr : granted.back();
    for (auto& one : planned(all.list, last))
      if (one.fits()) grant(state_, series_, one, now_);
      else note(kept_conflict(one));
    series_.decided = all.last->time_since_epoch().count();
  }

  // What its owner may not have any more is a conflict like what does not fit.
  std::vector<PlannedOccurrence> planned(const std::vector<Occurrence>& all,
                                         const Reservation* last) {
    std::vector<Occurrence> list;
    std::vector<PlannedOccurrence> refused;
    const auto obstacle = simple_obstacle(state_, series_.owner, series_.request, true);
    const auto refuse = [&](const Occurrence& one, std::vector<Statement> why) {
      refused.push_back({one, {}, false, std::move(why), 1});
    };
    auto before = last ? last->shape.window : Window{};
    for (const auto& one : all) {
      if (before.start == one.window.start) continue; // clocks are set, and it is the same
      if (one.window.start <= now_) refuse(one, {{AnswerCode::occurrence_missed, {}}});
      else if (obstacle) refuse(one, obstacle->statements);
      else if (overlap(before, one.window))
        refuse(one, {{AnswerCode::occurrences_overlap,
                      {{"occurrence", print_wall_clock(last ? last->occurrence : 0)},
                       {"seconds", (before.end - one.window.start).seconds}}}});
      else list.push_back(one), before = one.window;
    }
    auto found = plan(state_, series_.owner, series_.request, list, instances_of(last), {}, now_);
    found.insert(found.end(), refused.begin(), refused.end());
    std::stable_sort(found.begin(), found.end(), [](const auto& a, const auto& b) {
      return a.when.window.start < b.when.window.start;
    });
    return found;
  }

  // There nobody waits for an answer: the owner is told at once, unless it is to wait.
  void note(Conflict conflict) {
    if (conflict.window.start <= now_) return fail(state_, series_, conflict);
    conflict.told = !series_.recurrence.waits;
    if (conflict.told) tell(state_, series_, conflict);
    series_.conflicts.push_back(std::move(conflict));
  }

  State& state_;
  Instant now_;
  Series series_; ///< as it will be
};

} // namespace

bool roll_series(State& state, Instant now) {
  const auto due = state.occupancy().standing_series.due(now);
  for (const auto number : due) Rolling(state, number, now).run();
  return !due.empty();
}

namespace {

// The number of looks that are left.
int retry(State& state, ReservationNumber number, int looks, Instant now) {
  const auto series = *state.series(number);
  std::vector<std::int64_t> resolved;
  for (const auto& conflict : series.conflicts) {
    if (conflict.window.start <= now) continue;
    if (--looks < 0) break;
    const auto granted = granted_ones(state, number);
    const Reservation* before = nullptr;
    bool overlaps = false;
    for (const auto* one : granted) {
      overlaps = overlaps || overlap(one->shape.window, conflict.window);
      if (one->shape.window.start < conflict.window.start) before = one;
    }
    if (overlaps || simple_obstacle(state, series.owner, series.request, true)) continue;
    const Occurrence when{local(conflict.occurrence), conflict.window};
    const auto planned = plan(state, series.owner, series.request, {when}, instances_of(before),
                              Obstacles::unwanted(), now);
    if (!planned.front().fits()) continue;
    grant(state, series, planned.front(), now);
    resolved.push_back(conflict.occurrence);
  }
  if (resolved.empty()) return looks;
  state.edit<Series>(number, [&](Series& changed) {
    std::erase_if(changed.conflicts, [&](const Conflict& conflict) {
      return std::find(resolved.begin(), resolved.end(), conflict.occurrence) != resolved.end();
    });
    changed.due = due_after(changed, now);
  });
  bind_to_earlier(state, number, now);
  return looks;
}

} // namespace

bool retry_conflicts(State& state, Instant now) {
  int looks = most_looks;
  bool granted = false;
  for (const auto number : state.occupancy().standing_series.with_conflicts()) {
    const auto before = state.series(number)->conflicts.size();
    looks = retry(state, number, looks, now);
    granted = granted || state.series(number)->conflicts.size() != before;
    if (looks <= 0) break;
  }
  return granted;
}

} // namespace almanac::rules
