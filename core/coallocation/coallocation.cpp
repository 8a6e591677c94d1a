#include "core/coallocation/coallocation.hpp"

#include "core/base/check.hpp"
#include "core/text/names.hpp"

#include <algorithm>
#include <utility>

namespace almanac {

namespace {

// A lost answer to SETRES is asked for once more (M5.8); the third round trip that a hold lasts is
// for COMMIT.
constexpr std::int64_t most_holds = 2;
constexpr std::int64_t most_aborts = 3; // a hold that nobody aborts ends by itself
constexpr std::int64_t without_end = no_time_ms;
// A site that contradicts itself, or answers something else, comes to its senses by then, or never.
constexpr std::int64_t most_doubts = 8;
constexpr std::int64_t first_pause_ms = 1000, longest_pause_ms = 30000;
constexpr std::int64_t after_failed_hold_ms = 500;

Instant second_of(std::int64_t ms) { return Instant{ms / 1000}; }

// Another start may do better: no capacity then, or something that passes (M8.11 to M8.13, M8.16).
bool is_about_this_start(std::int64_t status) {
  return status == -30 || status == -32 || status == -41 || is_passing(status);
}

} // namespace

const char* name_of(CoallocationEnd end) {
  switch (end) {
  case CoallocationEnd::all: return "all";
  case CoallocationEnd::none: return "none";
  case CoallocationEnd::mixed: return "mixed";
  }
  return "";
}

Coallocation::Coallocation(CoallocationPlan plan, std::string id, std::uint64_t seed)
    : plan_(std::move(plan)), id_(std::move(id)), chance_(seed), parts_(plan_.sites.size()) {}

Coallocation::Coallocation(CoallocationPlan plan, const CoallocationRecord& record,
                           std::uint64_t seed)
    : Coallocation(std::move(plan), record.id, seed) {
  attempt_ = record.attempt;
  const bool decided = record.verdict == CoallocationVerdict::commit ||
                       record.verdict == CoallocationVerdict::release;
  phase_ = decided ? Phase::committing : Phase::aborting;
  releases_ = record.verdict == CoallocationVerdict::release;
  why_ = decided ? "a site had lost its hold after the decision"
                 : "the coordinator was stopped before it had decided";
  round_ = plan_.rounds; // there is no other candidate after this one
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    parts_[i].state = SiteState::unknown;
    for (const auto& grant : record.sites) {
      if (grant.site != plan_.sites[i].name) continue;
      parts_[i].start = grant.start, parts_[i].reservation = grant.reservation;
      parts_[i].key = grant.key, parts_[i].shift = grant.shift;
    }
  }
}

CoallocationStep Coallocation::begin(std::int64_t now_ms) {
  if (phase_ == Phase::planning) plan_round(now_ms);
  else if (phase_ == Phase::committing) ask_all(SiteTask::commit, now_ms);
  else abort_all(now_ms);
  return next_step(now_ms);
}

CoallocationStep Coallocation::answered(std::size_t site, const SiteAnswer& answer,
                                        std::int64_t now_ms) {
  auto& part = parts_.at(site);
  check(part.waits, "a site answers what it was asked");
  part.waits = false;
  if (answer.status == 0) take_good(part, answer, now_ms);
  else take_bad(part, answer, now_ms);
  return next_step(now_ms);
}

CoallocationStep Coallocation::silent(std::size_t site, const std::string& why,
                                      std::int64_t now_ms) {
  auto& part = parts_.at(site);
  check(part.waits, "a site is silent after it was asked");
  part.waits = false;
  if (part.task != SiteTask::check) part.fail(why, false); // why it is asked counts more
  switch (part.task) {
  case SiteTask::hold: repeat(part, most_holds, SiteState::unknown, now_ms); break;
  case SiteTask::find:
  case SiteTask::abort: repeat(part, most_aborts, SiteState::unknown, now_ms); break;
  case SiteTask::commit:
  case SiteTask::check:
  case SiteTask::release: repeat(part, without_end, SiteState::unknown, now_ms); break;
  default: part.done();
  }
  return next_step(now_ms);
}

CoallocationStep Coallocation::written(std::int64_t now_ms) {
  check(record_ && is_asked_for_, "only what was asked for is written");
  const auto verdict = std::exchange(record_, std::nullopt)->verdict;
  is_asked_for_ = false;
  switch (verdict) {
  case CoallocationVerdict::undecided:
    phase_ = Phase::holding;
    ask_all(SiteTask::hold, now_ms);
    break;
  case CoallocationVerdict::commit:
    // No COMMIT was sent yet: writing may have taken too long.
    if (is_in_time(now_ms)) phase_ = Phase::committing, ask_all(SiteTask::commit, now_ms);
    else why_ = "the holds would have ended too soon", want_record(CoallocationVerdict::abort);
    break;
  case CoallocationVerdict::abort:
    phase_ = Phase::aborting;
    abort_all(now_ms);
    break;
  case CoallocationVerdict::release:
    for (auto& part : parts_)
      if (part.state == SiteState::committed) part.ask(SiteTask::release, now_ms);
    break;
  }
  return next_step(now_ms);
}

CoallocationStep Coallocation::time_passed(std::int64_t now_ms) { return next_step(now_ms); }

std::int64_t Coallocation::wake_at_ms() const {
  if (record_ || is_over()) return no_time_ms;
  auto wake = phase_ == Phase::pausing ? pause_until_ms_ : no_time_ms;
  for (const auto& part : parts_)
    if (part.task != SiteTask::none && !part.waits) wake = std::min(wake, part.due_ms);
  return wake;
}

CoallocationOutcome Coallocation::outcome() const {
  check(is_over(), "only what is over has an outcome");
  CoallocationOutcome result{end_, {}, why_};
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    const auto& part = parts_[i];
    result.sites.push_back(
        {{plan_.sites[i].name, part.start, part.reservation, part.key, part.shift},
         part.state,
         part.trouble});
  }
  return result;
}

CoallocationStep Coallocation::next_step(std::int64_t now_ms) {
  while (!record_ && !is_over() && move_on(now_ms)) {
  }
  CoallocationStep step;
  if (record_) {
    if (!std::exchange(is_asked_for_, true)) step.record = record_;
    return step;
  }
  if (is_over()) return step;
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    auto& part = parts_[i];
    if (part.task == SiteTask::none || part.waits || part.due_ms > now_ms) continue;
    part.waits = true, part.sent_ms = now_ms, ++part.sends;
    step.requests.push_back({i, lines_of(i).line(part, earliest_)});
  }
  return step;
}

// Whether something has changed by it.
bool Coallocation::move_on(std::int64_t now_ms) {
  switch (phase_) {
  case Phase::planning:
    if (!is_quiet()) return false;
    end_planning(now_ms);
    return true;
  case Phase::pausing:
    if (now_ms < pause_until_ms_) return false;
    plan_round(now_ms);
    return true;
  case Phase::holding:
    if (!is_quiet()) return give_up_holding();
    end_holding(now_ms);
    return true;
  case Phase::aborting:
    if (!is_quiet()) return false;
    end_aborting(now_ms);
    return true;
  case Phase::committing: return move_commits();
  case Phase::over: return false;
  }
  return false;
}

// ---- when ---------------------------------------------------------------------------------------

void Coallocation::plan_round(std::int64_t now_ms) {
  phase_ = Phase::planning;
  earliest_ = std::max(plan_.earliest, second_of(now_ms) + plan_.lead + Duration{1});
  for (auto& part : parts_) part.ranges.clear(), part.state = SiteState::nothing;
  ask_all(SiteTask::greet, now_ms);
  if (plan_.latest >= earliest_) return;
  why_ = "the last start that the plan allows has passed";
  finish(CoallocationEnd::none);
}

void Coallocation::end_planning(std::int64_t now_ms) {
  candidates_.clear();
  std::vector<SiteRanges> ranges;
  for (const auto& part : parts_) ranges.push_back(part.ranges);
  tell_why();
  if (!why_.empty()) return pause(now_ms);
  const auto common = common_starts(ranges, plan_.skew);
  const auto found =
      candidates(common, static_cast<std::size_t>(plan_.tries), plan_.duration, chance_);
  candidates_.assign(found.begin(), found.end());
  why_ = common.empty() ? "there is no common start" : "no candidate was left in time";
  next_candidate(now_ms);
}

// Plans again after a while, unless that is of no use (M5.4).
void Coallocation::pause(std::int64_t now_ms) {
  for (const auto& part : parts_)
    if (part.is_lasting) return finish(CoallocationEnd::none);
  if (++round_ > plan_.rounds) return finish(CoallocationEnd::none);
  phase_ = Phase::pausing;
  pause_until_ms_ = now_ms + random_pause_ms(round_);
}

// With a skew, two candidates may come to the same starts; the second one then fails as the first
// did.
void Coallocation::next_candidate(std::int64_t now_ms) {
  std::vector<SiteRanges> ranges;
  for (const auto& part : parts_) ranges.push_back(part.ranges);
  while (!candidates_.empty()) {
    const auto starts = starts_from(ranges, candidates_.front());
    candidates_.pop_front();
    const auto first = *std::min_element(starts.begin(), starts.end());
    if (first <= second_of(now_ms) + plan_.margin) continue;
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      auto& part = parts_[i];
      part.start = starts[i], part.state = SiteState::nothing;
      part.reservation.clear(), part.key.clear();
    }
    ++attempt_;
    return want_record(CoallocationVerdict::undecided);
  }
  pause(now_ms);
}

// ---- holds --------------------------------------------------------------------------------------

// Once one is refused, nobody is asked again.
bool Coallocation::give_up_holding() {
  const auto is_refused = [](const SitePart& part) {
    return part.task == SiteTask::none && part.state != SiteState::held;
  };
  if (std::none_of(parts_.begin(), parts_.end(), is_refused)) return false;
  bool changed = false;
  for (auto& part : parts_) {
    if (part.task == SiteTask::none || part.waits) continue;
    part.done(), part.state = SiteState::unknown, changed = true;
  }
  return changed;
}

void Coallocation::end_holding(std::int64_t now_ms) {
  const bool all = std::all_of(parts_.begin(), parts_.end(),
                               [](const SitePart& part) { return part.state == SiteState::held; });
  if (all && is_in_time(now_ms)) return want_record(CoallocationVerdict::commit);
  if (all) why_ = "the holds would have ended too soon";
  else tell_why();
  is_hopeless_ = std::any_of(parts_.begin(), parts_.end(),
                             [](const SitePart& part) { return part.is_lasting; });
  want_record(CoallocationVerdict::abort);
}

void Coallocation::end_aborting(std::int64_t now_ms) {
  if (is_hopeless_) return finish(CoallocationEnd::none);
  next_candidate(now_ms);
}

// ---- the decision -------------------------------------------------------------------------------

bool Coallocation::move_commits() {
  if (has(SiteState::lost) && has(SiteState::committed) && !releases_) {
    releases_ = true;
    want_record(CoallocationVerdict::release);
    return true;
  }
  if (!is_quiet()) return false;
  if (releases_) finish(CoallocationEnd::mixed);
  else finish(has(SiteState::lost) ? CoallocationEnd::none : CoallocationEnd::all);
  return true;
}

void Coallocation::want_record(CoallocationVerdict verdict) {
  CoallocationRecord record{id_, attempt_, verdict, {}};
  for (std::size_t i = 0; i < parts_.size(); ++i)
    record.sites.push_back({plan_.sites[i].name, parts_[i].start, parts_[i].reservation,
                            parts_[i].key, parts_[i].shift});
  record_ = std::move(record), is_asked_for_ = false;
}

void Coallocation::finish(CoallocationEnd end) {
  for (auto& part : parts_) part.done();
  end_ = end, phase_ = Phase::over;
  if (end == CoallocationEnd::mixed || has(SiteState::lost)) tell_loss();
}

// ---- answers ------------------------------------------------------------------------------------

void Coallocation::take_good(SitePart& part, const SiteAnswer& answer, std::int64_t now_ms) {
  const auto not_understood = [&](const Outcome& taken) {
    if (!taken) part.fail(taken.what(), true);
    return !taken.ok();
  };
  const auto task = std::exchange(part.task, SiteTask::none);
  switch (task) {
  case SiteTask::greet:
    if (not_understood(take_greeting(part, answer, plan_.odd_clock, now_ms))) return;
    return part.ask(SiteTask::query, now_ms);
  case SiteTask::query:
    not_understood(take_ranges(part, answer, {earliest_, plan_.latest}));
    return;
  case SiteTask::hold:
    part.state = not_understood(take_hold(part, answer)) ? SiteState::unknown : SiteState::held;
    return;
  case SiteTask::find:
    part.state = SiteState::nothing;
    if (take_hold(part, answer)) part.ask(SiteTask::abort, now_ms);
    return;
  case SiteTask::abort: part.state = SiteState::nothing; return;
  case SiteTask::commit:
    if (says_state(answer, "COMMITTED")) return be_committed(part, now_ms);
    return doubt(part, "its answer to COMMIT makes no sense", now_ms);
  case SiteTask::check: return take_check(part, answer, now_ms);
  case SiteTask::release:
    if (says_state(answer, "RELEASED")) {
      part.state = SiteState::released, part.trouble.clear();
      return;
    }
    part.task = SiteTask::release;
    part.fail("it may stay reserved: its answer to RELEASE makes no sense", false);
    return repeat(part, most_doubts, SiteState::committed, now_ms);
  case SiteTask::none: return;
  }
}

void Coallocation::take_bad(SitePart& part, const SiteAnswer& answer, std::int64_t now_ms) {
  const auto status = answer.status;
  switch (part.task) {
  case SiteTask::greet:
  case SiteTask::query: part.fail(answer.reason(), !is_passing(status)); return part.done();
  case SiteTask::hold:
    part.fail(answer.reason(), !is_about_this_start(status));
    // One that cannot answer now may have held before.
    if (is_passing(status)) part.state = SiteState::unknown;
    return part.done();
  case SiteTask::find:
  case SiteTask::abort:
    if (is_passing(status)) return repeat(part, most_aborts, SiteState::unknown, now_ms);
    // There is nothing to abort. What the site refuses for another reason ends by itself.
    part.state = SiteState::nothing;
    return part.done();
  case SiteTask::commit:
    if (is_passing(status)) {
      part.fail(answer.reason(), false);
      return repeat(part, without_end, SiteState::unknown, now_ms);
    }
    if (!is_gone(status)) part.doubts = most_doubts; // it refuses, whatever it holds
    return doubt(part, answer.reason(), now_ms);
  case SiteTask::check:
    if (is_passing(status)) return repeat(part, without_end, SiteState::unknown, now_ms);
    return lose(part, now_ms);
  case SiteTask::release:
    if (is_passing(status)) return repeat(part, without_end, SiteState::unknown, now_ms);
    part.done();
    part.state = is_gone(status) ? SiteState::released : SiteState::committed;
    part.trouble.clear();
    if (!is_gone(status)) part.fail("it stays reserved: " + answer.reason(), false);
    return;
  case SiteTask::none: return;
  }
}

void Coallocation::be_committed(SitePart& part, std::int64_t now_ms) {
  part.done();
  part.state = SiteState::committed, part.trouble.clear();
  // The decision to release is durable; while it is being written, written() asks.
  if (releases_ && !record_) part.ask(SiteTask::release, now_ms);
}

// An earlier COMMIT may have come there, more than an hour ago (M5.8).
void Coallocation::doubt(SitePart& part, std::string why, std::int64_t now_ms) {
  part.ask(SiteTask::check, now_ms);
  part.fail(std::move(why), false);
  ++part.doubts;
}

void Coallocation::take_check(SitePart& part, const SiteAnswer& answer, std::int64_t now_ms) {
  const auto standing = standing_of(part, answer);
  if (standing == SiteStanding::committed) return be_committed(part, now_ms);
  if (standing == SiteStanding::gone || part.doubts >= most_doubts) return lose(part, now_ms);
  part.task = standing == SiteStanding::held ? SiteTask::commit : SiteTask::check;
  if (part.task == SiteTask::check) ++part.doubts;
  part.again(now_ms + random_pause_ms(part.doubts));
}

// Once the time of the reservation is over, nobody can say any more whether it was lost.
void Coallocation::lose(SitePart& part, std::int64_t now_ms) {
  part.done();
  part.state = SiteState::lost;
  if (part.start + plan_.duration <= second_of(now_ms))
    part.fail("its time is over, and nobody knows whether it was committed: " + part.trouble,
              false);
}

// Sends the line again after a while, at most so often in all.
void Coallocation::repeat(SitePart& part, std::int64_t most, SiteState otherwise,
                          std::int64_t now_ms) {
  if (part.sends >= most) {
    part.state = otherwise;
    return part.done();
  }
  part.again(now_ms +
             (part.task == SiteTask::hold ? after_failed_hold_ms : random_pause_ms(part.sends)));
}

// Whose answer was lost, or whose coordinator has forgotten it, has a hold that nobody can name
// yet.
void Coallocation::abort_all(std::int64_t now_ms) {
  for (auto& part : parts_)
    if (part.state == SiteState::held || part.state == SiteState::unknown)
      part.ask(part.reservation.empty() ? SiteTask::find : SiteTask::abort, now_ms);
}

void Coallocation::ask_all(SiteTask task, std::int64_t now_ms) {
  for (auto& part : parts_) part.ask(task, now_ms);
}

// The first trouble that lasts, or else the first one.
void Coallocation::tell_why() {
  why_.clear();
  for (const bool lasting : {true, false})
    for (std::size_t i = 0; i < parts_.size() && why_.empty(); ++i)
      if (!parts_[i].trouble.empty() && parts_[i].is_lasting == lasting)
        why_ = plan_.sites[i].name + ": " + printable(parts_[i].trouble);
}

// Who has lost it first of all, and who has it though it should have given it back.
void Coallocation::tell_loss() {
  std::string lost, kept;
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    const auto& part = parts_[i];
    const auto said = plan_.sites[i].name + ": " + printable(part.trouble);
    if (part.state == SiteState::lost && lost.empty()) lost = said;
    if (part.state == SiteState::committed) kept += "; " + said;
  }
  why_ = (lost.empty() ? why_ : lost) + kept;
}

bool Coallocation::is_quiet() const {
  return std::all_of(parts_.begin(), parts_.end(),
                     [](const SitePart& part) { return part.task == SiteTask::none; });
}

// M5.6. A site aborts a hold whose start passes, too (plus.md section 4, rule 7b).
bool Coallocation::is_in_time(std::int64_t now_ms) const {
  return std::all_of(parts_.begin(), parts_.end(), [&](const SitePart& part) {
    return second_of(now_ms) + plan_.margin < std::min(part.hold_until, part.start);
  });
}

bool Coallocation::has(SiteState state) const {
  return std::any_of(parts_.begin(), parts_.end(),
                     [&](const SitePart& part) { return part.state == state; });
}

// 1, 2, 4 ... seconds, more or less by up to a half.
std::int64_t Coallocation::random_pause_ms(std::int64_t times) {
  const auto doublings = std::clamp<std::int64_t>(times - 1, 0, 5);
  const auto pause = std::min(first_pause_ms << doublings, longest_pause_ms);
  return pause / 2 + chance_.up_to(pause);
}

SiteLines Coallocation::lines_of(std::size_t site) const {
  return {plan_, site, id_ + "." + std::to_string(attempt_)};
}

} // namespace almanac
