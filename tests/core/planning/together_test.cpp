// -tcon y: all tasks of an array start in the same pass, or none does.
#include "core/planning/together.hpp"

#include "chance.hpp"
#include "core/planning/concurrency.hpp"
#include "matching_fixture.hpp"

#include <rapidcheck/gtest.h>

using namespace almanac;

namespace {

class GivenConcurrentArrays : public MatchingFixture {
public:
  void cluster(int count, std::int64_t slots) {
    hosts(count, slots);
    queue("all.q", {{"load_thresholds", "NONE"}});
    scheduler({{"params", "DURATION_OFFSET=0"}, {"job_load_adjustments", "NONE"}});
  }
  static JobRequest concurrent(std::int64_t tasks, const std::string& limit = "") {
    auto request = job("all", limit);
    request.tasks = {1, tasks, 1}, request.concurrent = true;
    return request;
  }
  Answer alter(std::int64_t number, const std::string& option, const JobRequest& request) {
    return command(alice, AlterJobs{{std::to_string(number)}, {}, {option}, request});
  }
  std::int64_t running_tasks(std::int64_t number) const { return find(number)->active_tasks(); }
};

} // namespace

TEST_F(GivenConcurrentArrays, WhenNotAllTasksFitThenNoneStartsAndItIsSaidHowManyWould) {
  cluster(2, 2);
  const auto before = running(job("before"));
  const auto all = submit(alice, concurrent(4));
  const auto small = submit(alice, job("small"));
  pass();
  EXPECT_EQ(running_tasks(all), 0);
  EXPECT_TRUE(is_active(small)) << "what fits passes";
  EXPECT_TRUE(says(why(all), "2 of its 4 tasks would find a place now")) << why(all);
  start(before), end(before);
  pass();
  EXPECT_EQ(running_tasks(all), 0);
  EXPECT_TRUE(says(why(all), "3 of its 4 tasks would find a place now")) << why(all);
  start(small), end(small);
  pass();
  EXPECT_EQ(running_tasks(all), 4);
}

TEST_F(GivenConcurrentArrays, WhenTheMostSlotsOfARangeLeaveNoneToOthersThenEachTakesTheFewest) {
  cluster(1, 4);
  auto request = concurrent(3);
  request.pe = "fill", request.slots = {{1, 3}};
  const auto all = submit(alice, request);
  pass();
  EXPECT_EQ(running_tasks(all), 3);
  for (int task = 1; task <= 3; ++task) EXPECT_EQ(find(all)->find(task)->grants.front().slots, 1);
}

TEST_F(GivenConcurrentArrays, WhenWhatIsAskedForContradictsItThenItIsRefusedWithNumbers) {
  cluster(1, 4);
  auto single = job("single");
  single.concurrent = true;
  EXPECT_TRUE(says(refusal(single), "there is no -t"));
  auto few = concurrent(3);
  few.most_running = 2;
  EXPECT_TRUE(says(refusal(few), "its 3 tasks start at the same time (-tcon y), and -tc allows 2"));
  auto holding = concurrent(3);
  holding.reserve = true;
  EXPECT_TRUE(says(refusal(holding), "-tcon y and -R y exclude each other"));
  auto reserving = concurrent(3);
  reserving.reserve_for = Duration{60};
  EXPECT_TRUE(says(text(command(root, Submit{reserving, "hash"})), "-reserve exclude each other"));
  EXPECT_TRUE(state().reservations().empty());
  EXPECT_TRUE(says(refusal(concurrent(rules::most_at_once + 1)), "257 tasks"));
  change({ObjectKind::global_configuration, "", {{"max_aj_instances", "2"}}});
  EXPECT_TRUE(says(refusal(concurrent(3)), "and max_aj_instances allows 2"));
  EXPECT_TRUE(state().jobs().empty());
  few.most_running = 3;
  change({ObjectKind::global_configuration, "", {{"max_aj_instances", "0"}}});
  EXPECT_EQ(submit(alice, few), 1) << "no id was used";
  pass();
  EXPECT_EQ(running_tasks(1), 3);
}

TEST_F(GivenConcurrentArrays, WhenALimitIsLoweredMeanwhileThenAllWaitForIt) {
  cluster(1, 4);
  scheduler({{"maxujobs", "2"}});
  const auto all = submit(alice, concurrent(3));
  pass();
  EXPECT_EQ(running_tasks(all), 0);
  EXPECT_TRUE(says(why(all), "0 jobs of \"alice\" run, and 2 may (maxujobs)")) << why(all);
  scheduler({{"maxujobs", "0"}});
  change({ObjectKind::global_configuration, "", {{"max_aj_instances", "2"}}});
  pass();
  EXPECT_EQ(running_tasks(all), 0);
  EXPECT_TRUE(says(why(all), "and max_aj_instances allows 2")) << why(all);
  EXPECT_EQ(alter(all, "-N", job("renamed")).exit_code, 0) << "other things may change";
  change({ObjectKind::global_configuration, "", {{"max_aj_instances", "3"}}});
  pass();
  EXPECT_EQ(running_tasks(all), 3);
}

TEST_F(GivenConcurrentArrays, WhenOneTaskIsHeldThenAllWaitAndADeletedOneIsNotWaitedFor) {
  cluster(1, 4);
  const auto all = submit(alice, concurrent(4));
  const auto id = std::to_string(all);
  command(alice, ChangeHold{{id + ".2"}, {}, true, false, false, false});
  pass();
  EXPECT_EQ(running_tasks(all), 0);
  EXPECT_TRUE(says(why(all), "1 of its 4 tasks are on hold")) << why(all);
  command(alice, DeleteJobs{{id}, {{4, 4, 1}}, {}, false});
  command(alice, ChangeHold{{id + ".2"}, {}, true, false, false, true});
  pass();
  EXPECT_EQ(running_tasks(all), 3);
}

// The older array asks for the same and still waits for room for three.
TEST_F(GivenConcurrentArrays, WhenATaskIsTriedAgainThenItGoesOnAloneWhateverWaits) {
  cluster(1, 2);
  const auto older = submit(alice, concurrent(3));
  const auto pair = submit(alice, concurrent(2));
  pass();
  ASSERT_EQ(running_tasks(pair), 2);
  start(pair, 1), start(pair, 2);
  end(pair, 99, 1);
  now = now + Duration{60};
  pass();
  EXPECT_EQ(running_tasks(pair), 2);
  EXPECT_EQ(find(pair)->find(1)->attempt, 2);
  EXPECT_EQ(running_tasks(older), 0);
}

TEST_F(GivenConcurrentArrays, WhenItIsAlteredThenOnlyWhileNothingHasStarted) {
  cluster(1, 2);
  const auto all = submit(alice, concurrent(3));
  pass();
  auto fewer = concurrent(3);
  fewer.most_running = 2, fewer.reserve = true;
  EXPECT_TRUE(says(text(alter(all, "-tc", fewer)), "and -tc allows 2"));
  EXPECT_TRUE(says(text(alter(all, "-R", fewer)), "-tcon y and -R y exclude each other"));
  EXPECT_EQ(text(alter(all, "-tcon", job("x"))), "modified concurrent tasks of job 1\n");
  pass();
  EXPECT_EQ(running_tasks(all), 2) << "one by one";
  EXPECT_EQ(alter(all, "-tcon", concurrent(3)).exit_code, 1) << "tasks of it run";
  start(all, 1), end(all, 0, 1), start(all, 2), end(all, 0, 2);
  EXPECT_TRUE(says(text(alter(all, "-tcon", concurrent(3))), "2 of its 3 tasks have started"));
  const auto single = submit(alice, job("single"));
  EXPECT_TRUE(says(text(alter(single, "-tcon", concurrent(3))), "there is no -t"));
}

TEST_F(GivenConcurrentArrays, WhenLowerPrioritiesHoldPlacesThenTheseGiveWayToAllOrToNone) {
  cluster(1, 3);
  scheduler({{"max_reservation", "5"}});
  running(job("before", "100"));
  auto low = parallel("smp", 3);
  low.resources = {{"h_rt", "50"}}, low.reserve = true;
  const auto waits = submit(alice, low);
  pass();
  const auto held = [&] { return (find(waits)->holds.front().window.start - now).seconds; };
  ASSERT_EQ(held(), 100);
  auto high = concurrent(3, "200");
  high.priority = 1000;
  const auto three = submit(root, high);
  pass();
  EXPECT_EQ(running_tasks(three), 0);
  EXPECT_EQ(held(), 100);
  high.tasks.last = 2;
  const auto two = submit(root, high);
  pass();
  EXPECT_EQ(running_tasks(two), 2);
  EXPECT_EQ(held(), 200);
}

TEST_F(GivenConcurrentArrays, WhenItIsVerifiedThenPokeLooksForAllAndVerifyForOne) {
  cluster(1, 4);
  running(job("before"));
  auto request = concurrent(4);
  request.validation = Validation::poke;
  const auto now_ = ask(VerifySubmit{alice, {request, ""}});
  EXPECT_EQ(now_.exit_code, 1);
  EXPECT_TRUE(says(text(now_), "3 of its 4 tasks would find a place now")) << text(now_);
  request.tasks.last = 3;
  EXPECT_EQ(ask(VerifySubmit{alice, {request, ""}}).exit_code, 0);
  request.validation = Validation::verify;
  EXPECT_TRUE(says(text(ask(VerifySubmit{alice, {request, ""}})),
                   "looked for a place of one task, not of all 3"));
}

TEST_F(GivenConcurrentArrays, WhenItIsToStartWithItsSubmissionThenBothMeanTheSame) {
  cluster(1, 3);
  auto request = concurrent(4);
  request.immediate = true;
  EXPECT_TRUE(says(refusal(request), "not enough free slots for all its tasks"));
  EXPECT_TRUE(state().jobs().empty());
  request.tasks.last = 3;
  EXPECT_EQ(running_tasks(submit(alice, request)), 3);
}

TEST_F(GivenConcurrentArrays, WhenTasksWaitForThoseOfAnotherArrayThenAllStartBehindTheLast) {
  cluster(1, 4);
  auto first = job("first");
  first.tasks = {1, 2, 1};
  const auto ahead = submit(alice, first);
  auto request = concurrent(2);
  request.array_predecessors = {"first"};
  const auto behind = submit(alice, request);
  pass();
  start(ahead, 1), end(ahead, 0, 1);
  pass();
  EXPECT_EQ(running_tasks(behind), 0);
  EXPECT_TRUE(says(why(behind), "1 of its 2 tasks are on hold or wait")) << why(behind);
  start(ahead, 2), end(ahead, 0, 2);
  pass();
  EXPECT_EQ(running_tasks(behind), 2);
}

TEST_F(GivenConcurrentArrays, WhenTheyRunInAReservationThenItsSlotsAreForAllOrForNone) {
  cluster(2, 4);
  const auto reserved = reserve(root, on_pe(window(now.seconds, 1000), "smp", 3));
  due(reserved);
  auto request = concurrent(4, "100");
  request.reservation = {reserved};
  const auto four = submit(root, request);
  pass();
  EXPECT_EQ(running_tasks(four), 0);
  EXPECT_TRUE(says(why(four), "3 of its 4 tasks would find a place now")) << why(four);
  request.tasks.last = 3;
  const auto three = submit(root, request);
  pass();
  EXPECT_EQ(running_tasks(three), 3);
}

TEST_F(GivenConcurrentArrays, WhenAQuotaLetsInAPartThenNoneStarts) {
  cluster(2, 4);
  change({ObjectKind::quota_set, "few", {{"limit", "limit users {*} to slots=3"}}},
         ChangeVerb::add);
  const auto four = submit(alice, concurrent(4)), three = submit(bob, concurrent(3));
  pass();
  EXPECT_EQ(running_tasks(four), 0);
  EXPECT_TRUE(says(why(four), "3 of its 4 tasks would find a place now")) << why(four);
  EXPECT_EQ(running_tasks(three), 3);
}

// What waits is as large as a slice of a pass; others get their turn behind it.
TEST_F(GivenConcurrentArrays, WhenItHasAsManyTasksAsMayStartAtOnceThenOnePassStartsThem) {
  cluster(4, 64);
  const auto all = submit(alice, concurrent(rules::most_at_once));
  pass();
  EXPECT_EQ(running_tasks(all), rules::most_at_once);
}

// ---- any load -------------------------------------------------------------------------------------

namespace {

std::int64_t any(std::int64_t least, std::int64_t end) { return *rc::gen::inRange(least, end); }

class AnyLoad : public GivenConcurrentArrays {
public:
  AnyLoad() {
    cluster(3, any(1, 4));
    scheduler({{"max_reservation", one_in(2) ? "0" : "3"},
               {"maxujobs", one_in(3) ? std::to_string(any(2, 8)) : "0"}});
    if (one_in(3))
      change({ObjectKind::quota_set, "few", {{"limit", "limit users {*} to slots=5"}}},
             ChangeVerb::add);
  }

  void step() {
    now = now + Duration{any(0, 20)};
    happen();
    check();
    for (int round = 0; round < 10; ++round) {
      const auto decided = handle(Pass{});
      check();
      if (decided.effects.empty()) break;
    }
  }
  /// When all was looked at and nothing came of it, nobody waits for whom there is room.
  void come_to_rest() {
    for (int round = 0; round < 20; ++round) {
      now = now + Duration{60};
      for (const auto& attempt : active()) tell(TaskOverdue{attempt});
      const auto decided = handle(Pass{});
      check();
      if (!decided.effects.empty() || state().waiting().in_a_pass) continue;
      for (const auto& [name, waiting] : state().waiting().classes())
        if (!waiting.jobs.empty()) check_waits(*state().job(*waiting.jobs.begin()));
      return;
    }
  }

private:
  JobRequest any_request() const {
    auto request = one_in(3) ? parallel("smp", any(1, 3)) : job("j");
    request.resources = {{"h_rt", std::to_string(any(1, 100))}};
    request.priority = any(-3, 1);
    if (one_in(3)) request.reserve = true;
    if (one_in(2)) request.tasks = {1, any(1, 6), 1};
    request.concurrent = request.tasks.is_array() && !request.reserve && !one_in(4);
    return request;
  }
  void happen() {
    const auto running = active();
    const auto one = [&] { return running[*rc::gen::inRange<std::size_t>(0, running.size())]; };
    switch (any(0, 10)) {
    case 0:
      if (!running.empty()) tell(TaskStarted{one()});
      break;
    case 1:
    case 2:
      if (!running.empty()) {
        ExitRecord record;
        record.exit_status = one_in(3) ? 99 : 0;
        tell(TaskEnded{one(), record});
      }
      break;
    case 3:
    case 4: change_any(); break;
    case 5:
      command(root, Reserve{on_pe(window(now.seconds + any(0, 50), 60), "smp", any(1, 3))});
      break;
    default: submit(one_in(2) ? alice : bob, any_request());
    }
  }
  void change_any() {
    const auto& jobs = state().jobs();
    if (jobs.empty()) return;
    auto it = jobs.begin();
    std::advance(it, any(0, static_cast<std::int64_t>(jobs.size())));
    const auto id = to_string(it->second->number);
    const auto task = any(1, 5);
    auto request = *it->second->request;
    switch (any(0, 4)) {
    case 0: command(root, DeleteJobs{{id}, {{task, task, 1}}, {}, one_in(2)}); break;
    case 1:
      command(root, ChangeHold{{id}, {}, true, false, false, one_in(2), {{task, task, 1}}});
      break;
    case 2:
      request.concurrent = !request.concurrent;
      command(root, AlterJobs{{id}, {}, {"-tcon"}, request});
      break;
    default: request.most_running = any(0, 5); command(root, AlterJobs{{id}, {}, {"-tc"}, request});
    }
  }
  void check() const {
    RC_ASSERT(state().records().followers_agree());
    RC_ASSERT(state().waiting().agrees(state(), now));
    for (const auto& [key, job] : state().jobs())
      if (job->starts_at_once()) RC_ASSERT(state().tally(key).all() == 0);
  }
  void check_waits(const Job& job) const {
    if (!job.starts_at_once() || obstacle(state(), job, now)) return;
    const auto wanted = make_class_request(state(), job);
    RC_ASSERT(wanted.ok());
    RC_ASSERT(!rules::Together(state(), job, *wanted, now).fit());
  }
};

} // namespace

RC_GTEST_PROP(GivenAnyLoad, WhenAnArrayIsConcurrentThenNoPassStartsSomeOfItAndAllStartWithRoom,
              ()) {
  AnyLoad load;
  const auto steps = *rc::gen::inRange(1, 40);
  for (int i = 0; i < steps; ++i) load.step();
  load.come_to_rest();
}
