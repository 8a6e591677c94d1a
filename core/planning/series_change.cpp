#include "core/planning/series_change.hpp"

#include "core/matching/demand.hpp"
#include "core/planning/proposals.hpp"
#include "core/planning/series_jobs.hpp"
#include "core/planning/series_transitions.hpp"
#include "core/request/reserve_alterations.hpp"
#include "core/text/words.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace almanac::rules {

namespace {

constexpr std::size_t most_listed = 25; // of what is in the way

bool is_of_window(const std::string& name) { return name == "-a" || name == "-e" || name == "-d"; }

// Of one that runs, nothing else changes.
bool is_of_running(const std::string& name) { return name == "-m" || name == "-M" || name == "-N"; }

void apply_to_recurrence(Series& series, const AlterReservation& command, const std::string& name) {
  auto& into = series.recurrence;
  const auto& from = command.recurrence;
  auto& request = series.request;
  if (name == "-a") into.first = from.first;
  if (name == "-e")
    into.ends_at = from.ends_at, request.duration = {}, request.has_duration = false;
  if (name == "-d")
    into.ends_at = 0, request.duration = command.request.duration, request.has_duration = true;
  if (name == "-repeat") into.rule = from.rule;
  if (name == "-until") into.until = from.until;
  if (name == "-skip") into.skipped = from.skipped;
  if (name == "-zone") into.zone = from.zone, into.zone_changes = from.zone_changes;
  if (name == "-conflict") into.waits = from.waits;
}

// One that runs, or was changed alone, keeps its window and its places.
bool is_fixed(const Reservation& one) {
  return one.altered || one.phase == ReservationPhase::running;
}

bool names_option(const AlterReservation& command, std::string_view name) {
  return std::find(command.options.begin(), command.options.end(), name) != command.options.end();
}

// What is not given stays.
std::optional<Statement> apply_options(Series& series, const AlterReservation& command) {
  const auto has = [&](std::string_view name) { return names_option(command, name); };
  if (has("-e") && has("-d")) return Statement{AnswerCode::end_and_duration_of_series, {}};
  if (has("-e") && command.recurrence.ends_at == 0)
    return Statement{AnswerCode::series_needs_time_of_day, {}};
  if (has("-a") && command.request.asap) return Statement{AnswerCode::asap_not_for_changes, {}};
  for (const auto& name : command.options) {
    const auto* option = find_reserve_alteration(name);
    if (!option)
      return Statement{AnswerCode::reservation_option_fixed, {{"option", excerpt(name)}}};
    if (is_of_window(name) || is_of_series(name)) apply_to_recurrence(series, command, name);
    else (*option->copy)(series.request, command.request);
  }
  const auto& length = series.request.duration;
  if (series.recurrence.ends_at == 0 && (length.seconds <= 0 || length.is_endless()))
    return Statement{AnswerCode::end_or_duration_missing, {}};
  if (auto sound = valid(series.recurrence); !sound) return Statement::said(sound.what());
  return change_obstacle(series.request);
}

std::vector<Statement> remarks_on(const Occurrences& all, const Series& next,
                                  const AlterReservation& command, std::int64_t from,
                                  Instant before) {
  std::vector<Statement> remarks;
  if (names_option(command, "-skip")) remarks = unused_skips(all, from, before);
  if (auto rest = rest_behind(all, next.recurrence, next.request.duration, before))
    remarks.push_back(std::move(*rest));
  return remarks;
}

using Staying = std::vector<std::pair<ReservationKey, Window>>;

// What jobs read of the occurrences: who may use them, when and where.
std::vector<HeldJob> held_by(const State& state, const SeriesChange& change, Instant now) {
  ChangedOccurrences changed;
  changed.before.insert(change.vanishing.begin(), change.vanishing.end());
  for (const auto& kept : change.kept) {
    if (!kept.reshapes) continue;
    changed.before.insert(kept.key);
    auto& after = changed.after.emplace_back(*state.reservation(kept.key));
    after.request = kept.request, after.shape = kept.shape, after.proposed.clear();
  }
  for (const auto& added : change.added) {
    auto& after = changed.after.emplace_back();
    after.owner = change.next.owner, after.request = change.next.request;
    after.shape = added.shape;
  }
  return jobs_without_place(state, change.next.number, changed, {}, now);
}

// What -f passes over, of all its occurrences together (spec/beyond.md B12.3).
class InTheWay {
public:
  void add(Statement why) {
    if (listed_.size() < most_listed) listed_.push_back(std::move(why));
    else ++more_;
  }
  // Of one occurrence, without the line that closes it.
  void add_all(const Answer& refusal) {
    for (const auto& why : refusal.statements)
      if (why.code == AnswerCode::and_more) more_ += why.find("count")->number;
      else if (why.code != AnswerCode::reservation_not_changed) add(why);
  }
  std::optional<Answer> refusal() const {
    if (listed_.empty()) return std::nullopt;
    Answer answer;
    for (const auto& why : listed_) answer.refuse(why);
    if (more_ > 0) answer.refuse({AnswerCode::and_more, {{"count", more_}}});
    return answer;
  }

private:
  std::vector<Statement> listed_;
  std::int64_t more_ = 0;
};

// One change that is looked for.
class Finding {
public:
  Finding(State& state, const Caller& caller, const Series& was,
          const std::vector<ReservationKey>& own, const AlterReservation& command, Instant now)
      : state_(state), caller_(caller), own_(own), command_(command), now_(now) {
    change_.next = was;
    change_.occurrences = own;
  }

  FoundSeriesChange run() {
    if (auto why = apply_options(change_.next, command_))
      return refused(Answer::refusal(std::move(*why)));
    if (names_option(command_, "-q"))
      if (auto known = check_queues(state_.configuration(), change_.next.request.queues); !known)
        return refused(Answer::refusal(known.error()));
    for (const auto& name : command_.options)
      reshapes_ = reshapes_ || *find_reserve_alteration(name)->reshapes;
    if (reshapes_)
      if (auto why = expand()) return refused(std::move(*why));
    sort_out();
    std::vector<Unbooked> released;
    released.reserve(own_.size());
    for (const auto key : change_.vanishing) released.emplace_back(state_, key);
    look_at_vanishing();
    if (auto why = change_kept()) return refused(std::move(*why));
    for (const auto& kept : change_.kept)
      if (kept.reshapes)
        released.emplace_back(state_, kept.key).book(kept.shape.bookings, kept.shape.window);
    if (reshapes_)
      if (auto why = add_new()) return refused(std::move(*why));
    change_.held = held_by(state_, change_, now_);
    for (const auto& held : change_.held) in_the_way_.add(said_of(state_, held));
    if (!command_.force)
      if (auto why = in_the_way_.refusal()) return refused(std::move(*why));
    return {std::nullopt, std::move(change_)};
  }

private:
  static FoundSeriesChange refused(Answer why) { return {std::move(why), {}}; }

  // ---- when it comes ------------------------------------------------------------------------------

  std::optional<Answer> expand() {
    const auto& next = change_.next;
    auto all = occurrences_of(repetition_of(next.recurrence, next.request.duration),
                              zone_of(next.recurrence), now_ + series_horizon, most_occurrences,
                              std::chrono::local_seconds(std::chrono::seconds(behind())));
    change_.remarks = remarks_on(all, next, command_, behind(), now_ + series_horizon);
    std::erase_if(all.list, [&](const Occurrence& one) {
      const auto at = one.at.time_since_epoch().count();
      return one.window.start <= now_ ||
             std::binary_search(next.removed.begin(), next.removed.end(), at);
    });
    if (auto overlap = overlap_within(all.list, next.recurrence))
      return Answer::refusal(std::move(*overlap));
    if (all.list.empty())
      return Answer::refusal(
          {AnswerCode::no_occurrence_left, {{"days", series_horizon.seconds / 86400}}});
    for (const auto& one : all.list) wanted_.emplace(one.at.time_since_epoch().count(), one);
    if (all.last) change_.next.decided = all.last->time_since_epoch().count();
    return std::nullopt;
  }

  // Of what is over, nothing comes again; of the rest of a series, nothing of its beginning.
  std::int64_t behind() const {
    const auto present = now_.seconds + zone_of(change_.next.recurrence).ahead(now_) - 86400;
    return command_.rest ? std::max(present, first_of_own() - 1) : present;
  }
  std::int64_t first_of_own() const {
    return own_.empty() ? 0 : state_.reservation(own_.front())->occurrence;
  }

  // ---- those that are there -------------------------------------------------------------------------

  void sort_out() {
    for (const auto key : own_) {
      const auto& one = *state_.reservation(key);
      auto wanted = wanted_.extract(one.occurrence);
      if (is_fixed(one)) fixed_.push_back(one.shape.window);
      if (!reshapes_ || is_fixed(one)) staying_.emplace_back(key, one.shape.window);
      else if (wanted) staying_.emplace_back(key, wanted.mapped().window);
      else change_.vanishing.push_back(key);
    }
  }

  std::optional<Answer> change_kept() {
    for (const auto& [key, window] : staying_)
      if (auto why = change_one(*state_.reservation(key), window)) return why;
    return std::nullopt;
  }

  std::optional<Answer> change_one(const Reservation& one, const Window& window) {
    AlterReservation command;
    command.number = one.number, command.force = command_.force;
    command.request = command_.request;
    for (const auto& name : command_.options)
      if (!is_of_window(name) && !is_of_series(name) && (!is_fixed(one) || is_of_running(name)))
        command.options.push_back(name);
    if (window != one.shape.window) {
      command.options.insert(command.options.end(), {"-a", "-e"});
      command.request.start = window.start, command.request.end = window.end;
      command.request.duration = {}, command.request.has_duration = false;
      command.request.asap = false;
    }
    if (command.options.empty()) return std::nullopt;
    auto found = find_change(state_, caller_, command, now_, true);
    if (found.refusal && !found.change) return std::move(found.refusal);
    if (found.refusal) in_the_way_.add_all(*found.refusal);
    if (found.change->reshapes) {
      if (auto why = slot_hours_obstacle(state_, caller_, one.owner, found.change->shape, &one,
                                         now_, beside_.slot_seconds))
        return why;
      beside_.slot_seconds += seconds_of(found.change->shape) - seconds_of(one.shape);
    }
    change_.kept.push_back(std::move(*found.change));
    return std::nullopt;
  }

  std::int64_t seconds_of(const Shape& shape) const {
    return slot_seconds(shape.slots(), shape.window, now_);
  }

  // Jobs that name the occurrence; those that name the series go on with the next one.
  void look_at_vanishing() {
    for (const auto key : change_.vanishing) {
      const auto& one = *state_.reservation(key);
      --beside_.count, beside_.slot_seconds -= seconds_of(one.shape);
      for (const auto job_key : state_.occupancy().jobs_of.of(key)) {
        const auto& job = *state_.job(job_key);
        if (job.request->reservation == one.number)
          in_the_way_.add({AnswerCode::job_in_vanishing,
                           {{"job", job.number},
                            {"occurrence", print_wall_clock(one.occurrence)},
                            {"reservation", one.number}}});
      }
    }
  }

  // ---- those that are new -----------------------------------------------------------------------------

  std::optional<Answer> add_new() {
    std::vector<Occurrence> list;
    std::vector<PlannedOccurrence> conflicts;
    for (const auto& [at, one] : wanted_)
      if (auto why = overlap_with_fixed(one)) conflicts.push_back({one, {}, false, {*why}, 1});
      else list.push_back(one);
    change_.added =
        plan(state_, change_.next.owner, change_.next.request, list, {}, {}, now_, beside_);
    for (auto& one : change_.added)
      if (!one.fits()) conflicts.push_back(one);
    std::erase_if(change_.added, [](const auto& one) { return !one.fits(); });
    return note_conflicts(conflicts);
  }

  std::optional<Statement> overlap_with_fixed(const Occurrence& one) const {
    for (const auto& window : fixed_)
      if (window.start < one.window.end && one.window.start < window.end)
        return Statement{AnswerCode::occurrences_overlap,
                         {{"occurrence", print_wall_clock(one.at.time_since_epoch().count())},
                          {"seconds", (window.end - one.window.start).seconds}}};
    return std::nullopt;
  }

  // What did not fit before is no reason to refuse.
  std::optional<Answer> note_conflicts(const std::vector<PlannedOccurrence>& conflicts) {
    auto& next = change_.next;
    const auto was = std::exchange(next.conflicts, {});
    Answer answer;
    std::size_t count = 0;
    for (const auto& one : conflicts) {
      const auto known = std::find_if(was.begin(), was.end(), [&](const Conflict& conflict) {
        return conflict.occurrence == one.start();
      });
      if (known == was.end() && ++count <= most_listed) answer.refuse(conflict_of(one));
      auto kept = kept_conflict(one);
      if (known != was.end()) kept.told = known->told;
      next.conflicts.push_back(std::move(kept));
    }
    std::sort(next.conflicts.begin(), next.conflicts.end(),
              [](const Conflict& a, const Conflict& b) { return a.occurrence < b.occurrence; });
    if (count == 0 || next.recurrence.waits) return std::nullopt;
    if (count > most_listed)
      answer.refuse({AnswerCode::and_more, {{"count", count - most_listed}}});
    return answer;
  }

  State& state_;
  const Caller& caller_;
  const std::vector<ReservationKey>& own_;
  const AlterReservation& command_;
  const Instant now_;
  bool reshapes_ = false;
  std::map<std::int64_t, Occurrence> wanted_; ///< by the wall clock; those that are there go out
  Staying staying_;                           ///< with the windows that they get
  std::vector<Window> fixed_;                 ///< of those that stay as they are
  PlannedBeside beside_;
  InTheWay in_the_way_;
  SeriesChange change_;
};

} // namespace

FoundSeriesChange find_series_change(State& state, const Caller& caller, const Series& series,
                                     const std::vector<ReservationKey>& own,
                                     const AlterReservation& command, Instant now) {
  return Finding(state, caller, series, own, command, now).run();
}

} // namespace almanac::rules
