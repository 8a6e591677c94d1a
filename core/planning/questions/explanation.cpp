#include "core/planning/questions/explanation.hpp"

#include "core/matching/assumption.hpp"
#include "core/matching/placement.hpp"
#include "core/matching/occupants.hpp"
#include "core/planning/pass/slice.hpp"
#include "core/text/values.hpp"

namespace almanac::rules {

namespace {

// Instances that are full say so themselves; where some slots are free, but too few in all, it is
// told who has the others.
void add_partly_taken(const Snapshot& state, const ClassRequest& wanted, Instant now,
                      std::vector<std::string>& obstacles) {
  constexpr std::size_t most = 10;
  const Window window{now, now + wanted.length};
  const auto supply = Supply::of_cluster(state);
  const Occupants holders(state, window, {});
  std::size_t told = 0;
  for (const auto* instance : *wanted.suitable) {
    if (told == most) break;
    const auto who = holders.text(Container::queue(instance->name), "slots");
    if (who.empty() || supply.free_slots(*instance, window) < 1) continue;
    ++told;
    obstacles.push_back("some slots of queue instance \"" + instance->name.text() +
                        "\" are taken by " + who);
  }
}

// Why no place of the cluster will do, those included that never will.
std::vector<std::string> missing(const Snapshot& state, const Job& job, Instant now) {
  Obstacles obstacles;
  auto wanted = make_class_request(state, job);
  if (!wanted) return {wanted.what()};
  add_lasting_obstacles(state, job, *wanted, obstacles);
  if (place_now(state, job, *wanted, true, now, obstacles))
    return {"fits now and starts with the next pass"};
  auto all = obstacles.list();
  if (!wanted->demand.pe.empty() && !job.reservation_key)
    add_partly_taken(state, *wanted, now, all);
  return all;
}

std::vector<std::string> missing_without_holds(const State& state, const Job& job, Instant now) {
  Assumption without(state);
  without.drop_holds(job);
  return missing(without.look(), job, now);
}

std::string held_text(const Hold& hold, Instant now) {
  std::string places;
  for (const auto& grant : hold.grants)
    places += (places.empty() ? "" : ", ") + std::to_string(grant.slots) +
              (grant.slots == 1 ? " slot on " : " slots on ") + grant.instance.text();
  return "held for it in " + print_duration(hold.window.start - now) + ": " + places +
         (hold.cause.empty() ? "" : "; later than before, because " + hold.cause);
}

} // namespace

// What is held for the job itself keeps only others waiting.
std::vector<std::string> explain(const State& state, const Job& job, Instant now) {
  if (auto reason = obstacle(state, job, now); !reason.empty()) return {reason};
  if (state.counters().passes_off)
    return {"nothing is started: the master has crashed three times within five minutes; once the "
            "cause is found, stop it and start it again"};
  auto obstacles = missing_without_holds(state, job, now);
  for (const auto& hold : job.holds) obstacles.push_back(held_text(hold, now));
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

std::vector<std::string> alternatives(const State& state, const Job& job, Instant now) {
  if (!obstacle(state, job, now).empty() || state.counters().passes_off || job.reservation_key)
    return {};
  auto wanted = make_class_request(state, job);
  if (!wanted || fits_now(state, job, *wanted, now)) return {};
  std::vector<std::string> found;
  if (const auto seconds = longest_run_time(state, job, *wanted, now); seconds > 0)
    found.push_back("would start now with -l h_rt=" + std::to_string(seconds) +
                    ", the longest run time that still fits");
  if (const auto slots = most_slots_now(state, job, *wanted, now); slots > 0)
    found.push_back("would start now with -pe " + job.request->pe + " " + std::to_string(slots) +
                    ", the most slots that fit");
  return found;
}

} // namespace almanac::rules
