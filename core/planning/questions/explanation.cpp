#include "core/planning/questions/explanation.hpp"

#include "core/matching/assumption.hpp"
#include "core/matching/placement.hpp"
#include "core/matching/occupants.hpp"
#include "core/planning/pass/slice.hpp"

namespace almanac::rules {

namespace {

// Instances that are full say so themselves; where some slots are free, but too few in all, it is
// told who has the others.
void add_partly_taken(const Snapshot& state, const ClassRequest& wanted, Instant now,
                      std::vector<Statement>& obstacles) {
  constexpr std::size_t most = 10;
  const Window window{now, now + wanted.length};
  const auto supply = Supply::of_cluster(state);
  const Occupants holders(state, window, {});
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

std::vector<Statement> missing_without_holds(const State& state, const Job& job, Instant now) {
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

} // namespace

// What is held for the job itself keeps only others waiting.
std::vector<Statement> explain(const State& state, const Job& job, Instant now) {
  if (auto reason = obstacle(state, job, now)) return {std::move(*reason)};
  if (state.counters().passes_off) return {{AnswerCode::scheduling_is_off, {}}};
  auto obstacles = missing_without_holds(state, job, now);
  for (const auto& hold : job.holds) obstacles.push_back(planned(hold, now));
  return obstacles;
}

namespace {

bool fits_now(const State& state, const Job& job, const ClassRequest& wanted, Instant now) {
  auto unread = Obstacles::unwanted();
  return place_now(state, job, wanted, false, now, unread).has_value();
}

// The longest run time from which on nothing fits; shorter ones fit whenever a longer one does.
std::int64_t longest_run_time(const State& state, const Job& job, ClassRequest wanted,
                              Instant now) {
  const auto offset = state.configuration().scheduler().duration_offset;
  wanted.endless = false;
  const auto fits = [&](std::int64_t seconds) {
    wanted.length = Duration{seconds} + offset;
    return fits_now(state, job, wanted, now);
  };
  constexpr std::int64_t longest = 10LL * 365 * 86400;
  const auto limit = sure_length(job.request);
  std::int64_t fitting = 0, failing = limit.is_endless() ? longest : limit.seconds;
  while (failing - fitting > 1) {
    const auto middle = fitting + (failing - fitting) / 2;
    (fits(middle) ? fitting : failing) = middle;
  }
  return fitting;
}

std::int64_t most_slots_now(const State& state, const Job& job, ClassRequest wanted, Instant now) {
  if (wanted.slots <= 1) return 0;
  wanted.demand.slots = {{1, wanted.slots - 1}};
  wanted.slots = 1;
  auto unread = Obstacles::unwanted();
  const auto place = place_now(state, job, wanted, false, now, unread);
  std::int64_t slots = 0;
  if (place)
    for (const auto& grant : place->assignment.grants) slots += grant.slots;
  return slots;
}

} // namespace

std::vector<Statement> alternatives(const State& state, const Job& job, Instant now) {
  if (obstacle(state, job, now) || state.counters().passes_off || job.reservation_key) return {};
  auto wanted = make_class_request(state, job);
  if (!wanted || fits_now(state, job, *wanted, now)) return {};
  std::vector<Statement> found;
  if (const auto seconds = longest_run_time(state, job, *wanted, now); seconds > 0)
    found.push_back({AnswerCode::shorter_would_start, {{"seconds", seconds}}});
  if (const auto slots = most_slots_now(state, job, *wanted, now); slots > 0)
    found.push_back({AnswerCode::fewer_would_start, {{"pe", job.request->pe}, {"slots", slots}}});
  return found;
}

} // namespace almanac::rules
