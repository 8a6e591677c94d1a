// A pass in slices: however thin they are and whatever comes in between, nobody of a lower priority
// gets what a pass in one piece would have given to a higher one.
#include "core/planning/commands/submission.hpp"
#include "core/planning/pass/slice.hpp"
#include "planner_fixture.hpp"

#include <rapidcheck/gtest.h>

#include <set>

using namespace almanac;

namespace {

// Many small steps instead of one.
void pass_in_slices(State& state, Instant now, rules::SliceLimits limits) {
  while (rules::pass(state, now, limits)) state.take_effects(now);
  state.take_effects(now);
}

class Cell {
public:
  explicit Cell(std::int64_t slots) : state(*State::restore(records(slots))) {}

  void submit(std::int64_t priority, std::int64_t slots, bool reserve, std::int64_t limit) {
    JobRequest request;
    request.name = "j";
    request.priority = priority;
    request.pe = "smp", request.slots = {{slots, slots}};
    request.reserve = reserve;
    request.resources = {{"h_rt", std::to_string(limit)}};
    rules::submit(state, {"root", "root", 0, 0, "master"}, Submit{request, ""}, now);
    state.take_effects(now);
  }
  std::set<std::int64_t> running() const {
    std::set<std::int64_t> numbers;
    for (const auto& [key, job] : state.jobs())
      if (job->active_tasks() > 0) numbers.insert(job->number.value);
    return numbers;
  }
  std::map<std::int64_t, std::int64_t> held() const {
    std::map<std::int64_t, std::int64_t> starts;
    for (const auto& [key, job] : state.jobs())
      for (const auto& hold : job->holds) starts[job->number.value] = hold.window.start.seconds;
    return starts;
  }

  State state;
  Instant now{1000};

private:
  static Records records(std::int64_t slots) {
    auto records = Planner::initial_records("root", "master");
    records.objects.push_back(template_of(ObjectKind::exec_host, "h1"));
    HostState host;
    host.name = "h1", host.phase = HostPhase::up;
    records.hosts.push_back(host);
    for (auto& object : records.objects) {
      if (object.kind == ObjectKind::host_group) object.set("hostlist", "h1");
      if (object.kind == ObjectKind::cluster_queue) object.set("slots", std::to_string(slots));
      if (object.kind != ObjectKind::scheduler_configuration) continue;
      object.set("max_reservation", "3");
      object.set("weight_urgency", "0"); // -p alone decides
    }
    return records;
  }
};

} // namespace

RC_GTEST_PROP(GivenAPassInSlices, WhenNothingComesBetweenThenItDecidesAsInOnePiece, ()) {
  Cell whole(6), sliced(6);
  const auto count = *rc::gen::inRange(1, 15);
  for (int i = 0; i < count; ++i) {
    const std::int64_t priority = *rc::gen::inRange(-3, 3), slots = *rc::gen::inRange(1, 7),
                       limit = *rc::gen::inRange(1, 5) * 100;
    const bool reserve = *rc::gen::arbitrary<bool>();
    whole.submit(priority, slots, reserve, limit);
    sliced.submit(priority, slots, reserve, limit);
  }
  pass_in_slices(whole.state, whole.now, {});
  pass_in_slices(sliced.state, sliced.now, {*rc::gen::inRange(1, 3), *rc::gen::inRange(1, 4)});
  RC_ASSERT(sliced.running() == whole.running());
  RC_ASSERT(sliced.held() == whole.held());
}

RC_GTEST_PROP(GivenAPassInSlices, WhenJobsComeBetweenThenAHigherPriorityIsNeverPassedOver, ()) {
  Cell cell(6);
  std::map<std::int64_t, std::int64_t> started_after; // number -> highest number submitted by then
  const auto steps = *rc::gen::inRange(1, 30);
  std::int64_t submitted = 0;
  for (int i = 0; i < steps; ++i) {
    if (*rc::gen::arbitrary<bool>()) {
      cell.submit(*rc::gen::inRange(-3, 3), *rc::gen::inRange(1, 3), false, 100);
      ++submitted;
    } else {
      rules::pass(cell.state, cell.now, {1, 1});
      cell.state.take_effects(cell.now);
    }
    for (const auto number : cell.running()) started_after.emplace(number, submitted);
  }
  pass_in_slices(cell.state, cell.now, {});
  for (const auto number : cell.running()) started_after.emplace(number, submitted);
  // Whoever waits at the end was never passed over by an equal or larger job of lower priority that
  // started when it was already there.
  for (const auto& [key, waiting] : cell.state.jobs()) {
    if (waiting->active_tasks() > 0) continue;
    for (const auto& [number, after] : started_after) {
      const auto& started = *cell.state.job_by_number({number});
      const bool was_there = waiting->number.value <= after;
      const bool as_large = started.request.slots.front().low >= waiting->request.slots.front().low;
      if (was_there && as_large) RC_ASSERT(started.request.priority >= waiting->request.priority);
    }
  }
}
