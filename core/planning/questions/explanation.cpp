#include "core/planning/questions/explanation.hpp"

#include "core/matching/assumption.hpp"
#include "core/matching/placement.hpp"
#include "core/matching/occupants.hpp"
#include "core/matching/summed_obstacles.hpp"
#include "core/planning/together.hpp"

namespace almanac::rules {

namespace {

// Instances that are full say so themselves; where some slots are free, but too few in all, it is
// told who has the others.
void add_partly_taken(const Snapshot& state, const ClassRequest& wanted, Instant now,
                      std::vector<Statement>& obstacles) {
  constexpr std::size_t most = 10;
  const Window window{now, now + wanted.length};
  const auto supply =
      Supply::of_cluster(state).asked_by(wanted.claim).before_preempting(wanted.gives_way);
  const Occupants holders(state, window, {}, false, wanted.claim,
                          wanted.gives_way ? Occupants::Beside::preempting
                                           : Occupants::Beside::nobody);
  std::size_t told = 0;
  for (const auto* instance : *wanted.suitable) {
    if (told == most) break;
    auto shares = holders.shares(Container::queue(instance->name), "slots");
    if (shares.empty() || supply.free_slots(*instance, window) < 1) continue;
    ++told;
    Statement taken{AnswerCode::slots_taken, {{"queue", instance->name.text()}}};
    add_taken(taken, std::move(shares));
    obstacles.push_back(std::move(taken));
  }
}

// Why no place of the cluster will do, those included that never will.
std::vector<Statement> missing(const Snapshot& state, const Job& job, Instant now) {
  Obstacles obstacles;
  auto wanted = make_class_request(state, job);
  if (!wanted) return {wanted.error()};
  add_lasting_obstacles(state, job, *wanted, obstacles);
  if (place_now(state, job, *wanted, true, now, obstacles))
    return {{AnswerCode::can_start_now, {}}};
  auto all = obstacles.list();
  if (!wanted->demand.pe.empty() && !job.reservation_key)
    add_partly_taken(state, *wanted, now, all);
  return all;
}

// -tcon y: how many tasks fit, and why the next one does not.
std::vector<Statement> missing_for_all(const Snapshot& state, const Job& job, Instant now) {
  const auto wanted = make_class_request(state, job);
  if (!wanted) return {wanted.error()};
  Together all(state, job, *wanted, now);
  if (all.fit()) return {{AnswerCode::can_start_now, {}}};
  std::vector<Statement> told{all.in_numbers()};
  if (all.obstacle()) told.push_back(*all.obstacle());
  else
    for (auto& why : missing(all.look(), all.rest(), now)) told.push_back(std::move(why));
  return told;
}

std::vector<Statement> missing_without_holds(const Snapshot& state, const Job& job, Instant now) {
  if (job.starts_at_once()) return missing_for_all(state, job, now); // nothing is held for it
  Assumption without(state);
  without.drop_holds(job);
  return missing(without.look(), job, now);
}

Statement planned(const Hold& hold, Instant now) {
  std::vector<Statement> places;
  for (const auto& grant : hold.grants)
    places.push_back({grant.slots == 1 ? AnswerCode::one_slot_on : AnswerCode::slots_on,
                      {{"slots", grant.slots}, {"queue", grant.instance.text()}}});
  Statement start{AnswerCode::start_planned,
                  {{"in", hold.window.start - now}, {"places", std::move(places)}}};
  if (!hold.cause.empty()) start.details.emplace_back("cause", hold.cause);
  return start;
}

// With what is lost of the reservation that it waits for.
std::vector<Statement> told_obstacle(const Snapshot& state, const Job& job, Statement reason) {
  std::vector<Statement> told{std::move(reason)};
  if (told.front().code == AnswerCode::reservation_in_error)
    for (const auto& bad : state.reservation(job.reservation_key)->bad)
      told.push_back(Statement::said(bad));
  return told;
}

// What is held for the job itself keeps only others waiting.
std::vector<Statement> explain(const Snapshot& state, const Job& job, Instant now) {
  if (auto reason = obstacle(state, job, now)) return told_obstacle(state, job, std::move(*reason));
  if (const auto& by = state.counters().stopped_by; !by.empty())
    return {Statement{AnswerCode::scheduler_is_stopped, {{"user", by}}}};
  if (state.counters().passes_off) return {{AnswerCode::scheduling_is_off, {}}};
  auto obstacles = summed_up(missing_without_holds(state, job, now));
  for (const auto& hold : job.holds) obstacles.push_back(planned(hold, now));
  if (job.request->reserve && state.configuration().scheduler().most_holds == 0)
    obstacles.push_back({AnswerCode::nothing_is_held, {}});
  return obstacles;
}

bool fits_now(const Snapshot& state, const Job& job, const ClassRequest& wanted, Instant now) {
  auto unread = Obstacles::unwanted();
  return place_now(state, job, wanted, false, now, unread).has_value();
}

// The longest run time from which on nothing fits; shorter ones fit whenever a longer one does.
class LongestRunTime {
public:
  LongestRunTime(const Snapshot& state, const Job& job, ClassRequest wanted, Instant now)
      : state_(state),
        job_(job),
        wanted_(std::move(wanted)),
        now_(now),
        offset_(state.configuration().scheduler().duration_offset) {
    constexpr std::int64_t longest = 10LL * 365 * 86400;
    const auto limit = sure_length(job.request);
    failing_ = limit.is_endless() ? longest : limit.seconds;
    wanted_.endless = false;
  }

  bool is_found() const { return failing_ - fitting_ <= 1; }
  void look() {
    const auto middle = fitting_ + (failing_ - fitting_) / 2;
    wanted_.length = Duration{middle} + offset_;
    (fits_now(state_, job_, wanted_, now_) ? fitting_ : failing_) = middle;
  }
  std::int64_t seconds() const { return fitting_; }

private:
  const Snapshot& state_;
  const Job& job_;
  ClassRequest wanted_;
  Instant now_;
  Duration offset_;
  std::int64_t fitting_ = 0, failing_ = 0;
};

std::int64_t most_slots_now(const Snapshot& state, const Job& job, ClassRequest wanted,
                            Instant now) {
  if (wanted.slots <= 1) return 0;
  wanted.demand.slots = {{1, wanted.slots - 1}};
  wanted.slots = 1;
  auto unread = Obstacles::unwanted();
  const auto place = place_now(state, job, wanted, false, now, unread);
  return place ? slots_of(place->assignment.grants) : 0;
}

// With what it would start now.
class Alternatives {
public:
  Alternatives(const Snapshot& state, const Job& job, Instant now)
      : state_(state), job_(job), now_(now) {}

  /// True if that was not the last look.
  bool look() {
    if (!run_time_) return begin();
    if (run_time_->is_found()) {
      slots_ = most_slots_now(state_, job_, *wanted_, now_);
      return false;
    }
    run_time_->look();
    return true;
  }
  std::vector<Statement> found() const;

private:
  bool begin() {
    if (obstacle(state_, job_, now_) || state_.counters().passes_off || job_.reservation_key ||
        job_.starts_at_once())
      return false;
    auto wanted = make_class_request(state_, job_);
    if (!wanted || fits_now(state_, job_, *wanted, now_)) return false;
    wanted_ = std::move(*wanted);
    run_time_.emplace(state_, job_, *wanted_, now_);
    return true;
  }

  const Snapshot& state_;
  const Job& job_;
  Instant now_;
  std::optional<ClassRequest> wanted_;
  std::optional<LongestRunTime> run_time_;
  std::int64_t slots_ = 0;
};

std::vector<Statement> Alternatives::found() const {
  if (!run_time_) return {};
  std::vector<Statement> found;
  if (const auto seconds = run_time_->seconds(); seconds > 0)
    found.push_back({AnswerCode::shorter_would_start, {{"seconds", seconds}}});
  const auto &pe = job_.request->pe, &rule = job_.request->allocation_rule;
  if (slots_ > 0 && rule.empty())
    found.push_back({AnswerCode::fewer_would_start, {{"pe", pe}, {"slots", slots_}}});
  else if (slots_ > 0)
    found.push_back({AnswerCode::fewer_would_start_by_rule, {{"rule", rule}, {"slots", slots_}}});
  return found;
}

class Explanation : public Answering {
public:
  Explanation(const Snapshot& state, const Job& job, bool alternatives, Instant now)
      : state_(state), job_(job), now_(now) {
    if (alternatives) alternatives_.emplace(state, job, now);
  }

  bool look() override {
    if (std::exchange(is_explained_, true)) return alternatives_->look();
    answer_.number = job_.number.value;
    for (auto& reason : explain(state_, job_, now_)) answer_.say(std::move(reason));
    return alternatives_.has_value();
  }
  Answer answer() override {
    if (alternatives_)
      for (auto& alternative : alternatives_->found()) answer_.say(std::move(alternative));
    return std::move(answer_);
  }

private:
  const Snapshot& state_;
  const Job& job_;
  Instant now_;
  std::optional<Alternatives> alternatives_;
  bool is_explained_ = false;
  Answer answer_;
};

} // namespace

std::unique_ptr<Answering> explanation(const Snapshot& state, const ExplainJob& asked,
                                       Instant now) {
  const auto* job = state.job_by_number(asked.number);
  if (!job)
    return std::make_unique<Answered>(
        Answer::refusal({AnswerCode::no_such_job_here, {{"job", asked.number}}}));
  // Who asks for alternatives wants to know more than qstat -j shows.
  if (state.configuration().scheduler().tells_why(asked.number) || asked.alternatives)
    return std::make_unique<Explanation>(state, *job, asked.alternatives, now);
  Answer answer;
  answer.number = asked.number.value;
  answer.say({AnswerCode::job_info_is_off, {{"job", asked.number}}});
  return std::make_unique<Answered>(std::move(answer));
}

} // namespace almanac::rules
