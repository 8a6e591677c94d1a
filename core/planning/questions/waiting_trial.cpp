#include "core/planning/questions/waiting_trial.hpp"

#include "core/matching/assumption.hpp"
#include "core/matching/demand.hpp"
#include "core/matching/earliest.hpp"

#include <algorithm>

namespace almanac::rules {

// ---- holds ------------------------------------------------------------------------------------

HoldTrial::HoldTrial(const State& present, TrialCell& other, Instant now)
    : present_(present), other_(other), now_(now) {
  for (const auto& [rank, key] : present.waiting().holders()) holders_.push_back(key);
  std::reverse(holders_.begin(), holders_.end());
}

bool HoldTrial::look() {
  if (holders_.empty()) return false;
  look_at(*present_.job(holders_.back()));
  holders_.pop_back();
  return !holders_.empty();
}

// What is gone already is no affair of the change: the next pass sees to it.
bool HoldTrial::is_still_there_now(const Job& job, const Hold& hold) const {
  const auto wanted = make_class_request(present_, job);
  Assumption without(present_);
  without.drop_holds(job);
  return wanted && is_still_there(without.look(), *wanted, hold);
}

// As the keeper of holds does it: each that stays is booked before the next is looked for.
void HoldTrial::look_at(const Job& job) {
  const auto& cell = other_.state();
  const auto& scheduler = cell.configuration().scheduler();
  const bool any = scheduler.most_holds > 0 && scheduler.backfill != Backfill::none;
  const auto wanted = make_class_request(cell, job);
  std::vector<Hold> kept;
  for (const auto& before : job.holds) {
    auto after = before;
    if (!any || !wanted || !is_still_there(cell, *wanted, before)) {
      auto place = any && wanted ? place_earliest(cell, *wanted, now_ + Duration{1}) : std::nullopt;
      const bool is_worse = !place || place->window.start > before.window.start;
      if (is_worse && is_still_there_now(job, before)) {
        Statement said{place ? AnswerCode::hold_would_move : AnswerCode::hold_would_fall,
                       {{"job", job.number}, {"in", before.window.start - now_}}};
        if (place) said.details.emplace_back("then", place->window.start - now_);
        found_.push_back(std::move(said));
      }
      if (!place) continue;
      after = {place->window, std::move(place->assignment.pe), std::move(place->assignment.grants),
               std::move(place->assignment.bookings), ""};
    }
    kept.push_back(std::move(after));
    other_.hold(job, kept);
  }
}

// ---- jobs that could never run ----------------------------------------------------------------

CouldRun::CouldRun(const State& state, const Job& job, Instant now) {
  if (job.reservation_key) obstacle_ = reservation_obstacle(state, job.owner, job.request, now);
  if (obstacle_) return;
  auto demand = demand_of_job(state.configuration(), job.request, job.owner);
  if (demand) search_.emplace(state, std::move(*demand), job.request, now);
  else obstacle_ = demand.error();
}

std::vector<Statement> CouldRun::reasons() const {
  constexpr std::size_t most = 3;
  if (obstacle_) return {*obstacle_};
  auto reasons = search_->found().obstacles.list();
  if (reasons.size() > most) reasons.resize(most);
  return reasons;
}

PendingTrial::PendingTrial(const State& present, const State& other, Instant now)
    : present_(present), other_(other), now_(now) {}

bool PendingTrial::look() {
  constexpr std::size_t most = 1'000; // of kinds: each may take a look at all of the cell
  if (!are_collected_) {
    are_collected_ = !collect_more();
    return true;
  }
  if (looked_ < std::min(most, kinds_.size()) && !look_at_kind()) ++looked_;
  return looked_ < std::min(most, kinds_.size());
}

bool PendingTrial::collect_more() {
  const auto most_at_once = records_at_once(present_);
  const auto& jobs = present_.jobs();
  auto it = jobs.lower_bound(next_job_);
  for (std::size_t seen = 0; it != jobs.end() && seen < most_at_once; ++it, ++seen)
    note(*it->second);
  if (it == jobs.end()) return false;
  next_job_ = it->first;
  return true;
}

void PendingTrial::note(const Job& job) {
  constexpr std::size_t most_named = 10;
  if (waiting_tasks(job, present_.tally(job.key)) == 0) return;
  const auto [it, is_new] =
      known_.try_emplace(&present_.waiting().class_of(job.key), kinds_.size());
  if (is_new) kinds_.push_back({job.key, {}, 0});
  auto& kind = kinds_[it->second];
  if (kind.jobs.size() < most_named) kind.jobs.push_back(job.number);
  else ++kind.more;
}

// True if there is more to look at of this kind. Only of those that could not run it is asked whether
// they can now.
bool PendingTrial::look_at_kind() {
  const auto& kind = kinds_[looked_];
  const auto& job = *present_.job(kind.first);
  if (!then_) then_.emplace(other_, job, now_);
  if (!now_is_) {
    if (then_->look()) return true;
    if (!then_->found()) return now_is_.emplace(present_, job, now_), true;
  } else {
    if (now_is_->look()) return true;
    if (now_is_->found()) {
      std::vector<Statement> jobs;
      for (const auto number : kind.jobs) jobs.push_back({AnswerCode::a_job, {{"job", number}}});
      Statement said{AnswerCode::would_never_run,
                     {{"jobs", std::move(jobs)}, {"reasons", then_->reasons()}}};
      if (kind.more > 0) said.details.emplace_back("more", kind.more);
      found_.push_back(std::move(said));
    }
  }
  then_.reset(), now_is_.reset();
  return false;
}

std::vector<Statement> PendingTrial::found() const {
  auto found = found_;
  if (looked_ < kinds_.size())
    found.push_back({AnswerCode::kinds_not_looked_at, {{"count", kinds_.size() - looked_}}});
  return found;
}

} // namespace almanac::rules
