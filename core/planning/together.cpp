#include "core/planning/together.hpp"

#include "core/matching/attraction.hpp"
#include "core/planning/start.hpp"

namespace almanac::rules {

namespace {

// What keeps one more task of it from starting. Those that have their place are not known to the
// state yet.
std::optional<Statement> obstacle_to_next(const Snapshot& state, const Job& job,
                                          const TaskTally& tally, Instant now) {
  const auto most = state.configuration().scheduler().most_user_jobs;
  const auto running = state.occupancy().running.of(job.owner.user) + tally.active;
  if (most > 0 && running >= most)
    return Statement{AnswerCode::most_jobs_of_user_would_run,
                     {{"limit", most}, {"user", job.owner.user}}};
  return almanac::obstacle(state, job, tally, now);
}

} // namespace

Together::Together(const Snapshot& state, const Job& job, const ClassRequest& wanted, Instant now)
    : state_(state), job_(job), wanted_(wanted), now_(now) {
  begin();
}

void Together::begin() {
  all_.emplace(state_);
  rest_ = job_, tally_ = {}, obstacle_ = {};
  tasks_.clear();
}

bool Together::fit() {
  if (place_all(wanted_)) return true;
  const auto& slots = wanted_.demand.slots;
  if (slots.empty() || lowest(slots) == highest(slots)) return false;
  auto least = wanted_;
  least.demand.slots = {{lowest(slots), lowest(slots)}};
  begin();
  return place_all(least);
}

bool Together::place_all(const ClassRequest& wanted) {
  while (!rest_.fresh.empty())
    if (!place_next(wanted)) return false;
  return true;
}

bool Together::place_next(const ClassRequest& wanted) {
  const auto state = all_->look();
  if ((obstacle_ = obstacle_to_next(state, rest_, tally_, now_))) return false;
  auto unread = Obstacles::unwanted();
  auto inside = place_attracted(state, rest_, now_);
  auto place = inside ? std::optional(std::move(inside->place))
                      : place_now(state, rest_, wanted, false, now_, unread);
  if (!place) return false;
  Task task;
  task.job = rest_.key, task.number = rest_.fresh.front().first;
  rest_.take_fresh(task.number);
  take_place(state_, rest_, task, std::move(*place), now_,
             inside ? inside->reservation : ReservationKey{});
  ++tally_.active;
  all_->start(rest_, task);
  tasks_.push_back(std::move(task));
  return true;
}

Statement Together::in_numbers() const {
  const auto placed = static_cast<std::int64_t>(tasks_.size());
  return {AnswerCode::some_tasks_would_fit,
          {{"placed", placed}, {"tasks", placed + rest_.fresh_tasks()}}};
}

} // namespace almanac::rules
