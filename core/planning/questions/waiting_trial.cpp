#include "core/planning/questions/waiting_trial.hpp"

#include "core/matching/assumption.hpp"
#include "core/matching/demand.hpp"
#include "core/matching/earliest.hpp"

#include <algorithm>

namespace almanac::rules {

// ---- holds ------------------------------------------------------------------------------------

HoldTrial::HoldTrial(const State& present, Instant now) : now_(now) {
  for (const auto& [rank, key] : present.waiting().holders()) keys_.push_back(key);
}

// What is gone already is no affair of the change: the next pass sees to it.
bool HoldTrial::take_over(const State& present) {
  if (holders_.size() == keys_.size()) return false;
  Holder holder{present.jobs().at(keys_[holders_.size()]), {}};
  const auto& job = *holder.job;
  const auto wanted = make_class_request(present, job);
  Assumption without(present);
  without.drop_holds(job);
  for (const auto& hold : job.holds)
    holder.are_there.push_back(wanted && is_still_there(without.look(), *wanted, hold));
  holders_.push_back(std::move(holder));
  return holders_.size() < keys_.size();
}

bool HoldTrial::look(TrialCell& other) {
  if (looked_ < holders_.size()) look_at(holders_[looked_++], other);
  return looked_ < holders_.size();
}

// As the keeper of holds does it: each that stays is booked before the next is looked for.
void HoldTrial::look_at(const Holder& holder, TrialCell& other) {
  const auto& job = *holder.job;
  const auto& cell = other.state();
  const auto& scheduler = cell.configuration().scheduler();
  const bool any = scheduler.most_holds > 0 && scheduler.backfill != Backfill::none;
  const auto wanted = make_class_request(cell, job);
  std::vector<Hold> kept;
  for (std::size_t i = 0; i < job.holds.size(); ++i) {
    auto hold = job.holds[i];
    if (!any || !wanted || !is_still_there(cell, *wanted, hold)) {
      auto place = any && wanted ? place_earliest(cell, *wanted, now_ + Duration{1}) : std::nullopt;
      if (holder.are_there[i] && (!place || place->window.start > hold.window.start)) {
        Statement said{place ? AnswerCode::hold_would_move : AnswerCode::hold_would_fall,
                       {{"job", job.number}, {"in", hold.window.start - now_}}};
        if (place) said.details.emplace_back("then", place->window.start - now_);
        found_.push_back(std::move(said));
      }
      if (!place) continue;
      auto& assignment = place->assignment;
      hold = {place->window,
              std::move(assignment.pe),
              std::move(assignment.grants),
              std::move(assignment.bookings),
              "",
              wanted->claim == Claim::rerunnable};
    }
    kept.push_back(std::move(hold));
    other.hold(job, kept);
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

std::vector<Statement> CouldRun::reasons_beside(const CouldRun& before) const {
  constexpr std::size_t most = 3;
  if (obstacle_) return {*obstacle_};
  const auto& all = search_->found().obstacles.list();
  const auto& known = before.search_->found().obstacles.list();
  std::vector<Statement> reasons;
  for (const auto& reason : all)
    if (reasons.size() < most && std::find(known.begin(), known.end(), reason) == known.end())
      reasons.push_back(reason);
  if (reasons.empty()) reasons.assign(all.begin(), all.begin() + std::min(most, all.size()));
  return reasons;
}

bool PendingTrial::take_over(const State& present) {
  const auto most_at_once = records_at_once(present);
  const auto& jobs = present.jobs();
  auto it = jobs.lower_bound(next_job_);
  for (std::size_t seen = 0; it != jobs.end() && seen < most_at_once; ++it, ++seen)
    note(present, it->second);
  if (it == jobs.end()) return false;
  next_job_ = it->first;
  return true;
}

void PendingTrial::note(const State& present, const JobPtr& job) {
  constexpr std::size_t most_named = 10;
  if (waiting_tasks(*job, present.tally(job->key)) == 0) return;
  const auto [it, is_new] =
      known_.try_emplace(&present.waiting().class_of(job->key), kinds_.size());
  if (is_new) kinds_.push_back({job, {}, 0});
  auto& kind = kinds_[it->second];
  if (kind.jobs.size() < most_named) kind.jobs.push_back(job->number);
  else ++kind.more;
}

bool PendingTrial::look(const State& before, const State& other) {
  constexpr std::size_t most = 1'000; // of kinds: each may take a look at all of the cell
  const auto end = std::min(most, kinds_.size());
  if (looked_ < end && !look_at_kind(before, other)) ++looked_;
  return looked_ < end;
}

// True if there is more to look at of this kind. Only of those that could not run any more it is
// asked whether they could before.
bool PendingTrial::look_at_kind(const State& before, const State& other) {
  const auto& kind = kinds_[looked_];
  if (!then_) then_.emplace(other, *kind.first, now_);
  if (!before_) {
    if (then_->look()) return true;
    if (!then_->found()) {
      before_.emplace(before, *kind.first, now_);
      return true;
    }
  } else {
    if (before_->look()) return true;
    if (before_->found()) found_.push_back(named(kind));
  }
  then_.reset(), before_.reset();
  return false;
}

Statement PendingTrial::named(const Kind& kind) const {
  std::vector<Statement> jobs;
  for (const auto number : kind.jobs) jobs.push_back({AnswerCode::a_job, {{"job", number}}});
  Statement said{AnswerCode::would_never_run,
                 {{"jobs", std::move(jobs)}, {"reasons", then_->reasons_beside(*before_)}}};
  if (kind.more > 0) said.details.emplace_back("more", kind.more);
  return said;
}

std::vector<Statement> PendingTrial::found() const {
  auto found = found_;
  if (looked_ < kinds_.size())
    found.push_back({AnswerCode::kinds_not_looked_at, {{"count", kinds_.size() - looked_}}});
  return found;
}

} // namespace almanac::rules
