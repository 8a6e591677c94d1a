// The actor of one job: whom it tells to have its tasks, and who hears of their end.
#include "actors/master/life_cycles.hpp"
#include "tests/actors/memory_store.hpp"

using namespace almanac;

namespace {

struct ScriptStore {
  int asked = 0;
  static caf::behavior run(caf::event_based_actor*, std::shared_ptr<ScriptStore> store) {
    return {[store](const GetScript&) {
      ++store->asked;
      return ScriptContent{std::make_shared<const std::string>("#!/bin/sh\n")};
    }};
  }
};

class GivenAJob : public ActorFixture {
public:
  Partner calendar = partner(), views = partner(), gate = partner(), host = partner();
  std::shared_ptr<ScriptStore> scripts = std::make_shared<ScriptStore>();
  Identity identity;
  LifeCycleContext context{
      calendar.as<CalendarActor>(),
      caf::actor_cast<ArchiveActor>(keep(system.spawn(ScriptStore::run, scripts))),
      views.as<ViewsActor>(),
      gate.as<GateActor>(),
      directory,
      &clock,
      &identity,
      "store",
      1};
  JobActor actor = keep(spawn_job(system, context, {12}));
  Job record;
  Task task;

  GivenAJob() {
    record.key = {7}, record.number = {12}, record.script_hash = "hash";
    record.owner = {"alice", "users", 1001, 100, "h"};
    task.job = record.key, task.state = TaskState::sent, task.attempt = 1;
    task.grants = {{{"all.q", "h1"}, 1}};
    task.started = clock.now();
    task.booked = {clock.now(), clock.now() + Duration{100}};
  }
  void change(bool with_plan = true, std::int64_t inside = 0) {
    tell(actor, JobChanged{std::make_shared<const Job>(record)});
    TaskChanged news{std::make_shared<const Task>(task), {}};
    LaunchPlan plan;
    plan.parts = {{"h1", {"all.q", "h1"}, 1, "", "/tmp", {}}};
    plan.hosts = {host.pointer()};
    plan.reservation = {inside};
    if (with_plan) news.plan = plan;
    tell(actor, std::move(news));
  }
};

} // namespace

TEST_F(GivenAJob, WhenATaskIsSentThenItsHostIsToHaveItWithTheScript) {
  change();
  ASSERT_EQ(host.all<WantTask>().size(), 1u);
  const auto want = host.all<WantTask>().front();
  EXPECT_TRUE(want.launch);
  EXPECT_EQ(want.order->script.content, "#!/bin/sh\n");
  EXPECT_EQ(want.order->attempt, (Attempt{7, 0, 1}));
  task.state = TaskState::running;
  change();
  EXPECT_FALSE(host.all<WantTask>().back().launch);
  EXPECT_EQ(scripts->asked, 1) << "it is read once";
}

// C9.13, B5.4045: what becomes SGE_AR_ID is the occurrence, not the series that the user has named.
TEST_F(GivenAJob, WhenItRunsInAnOccurrenceThenTheOrderNamesThat) {
  record.request.edit().reservation = {34};
  change();
  EXPECT_EQ(host.all<WantTask>().back().order->job.request->reservation.value, 34);
  task.attempt = 2;
  change(true, 36);
  EXPECT_EQ(host.all<WantTask>().back().order->job.request->reservation.value, 36);
  EXPECT_EQ(record.request->reservation.value, 34);
}

TEST_F(GivenAJob, WhenAnAttemptIsOverThenItsHostIsToldToForgetIt) {
  change();
  task.attempt = 2;
  change();
  ASSERT_EQ(host.all<UnwantTask>().size(), 1u);
  EXPECT_EQ(host.all<UnwantTask>().front().attempt, (Attempt{7, 0, 1}));
  EXPECT_EQ(host.all<WantTask>().back().order->attempt, (Attempt{7, 0, 2}));
}

TEST_F(GivenAJob, WhenItsTimeIsOverThenTheCalendarHearsOfItOnce) {
  task.state = TaskState::running;
  change();
  pass(std::chrono::seconds(99));
  const auto overdue = [&] {
    std::size_t count = 0;
    for (const auto& fact : calendar.all<Tell>())
      count += std::holds_alternative<TaskOverdue>(*fact.input);
    return count;
  };
  EXPECT_EQ(overdue(), 0u);
  pass(std::chrono::seconds(2));
  EXPECT_EQ(overdue(), 1u);
}

TEST_F(GivenAJob, WhenItIsGoneThenWhoeverWaitsForItHearsOfIt) {
  change();
  const auto end_of_it = ask<JobEnd>(*this, actor, AwaitEnd{});
  tell(actor, TaskGone{0});
  EXPECT_FALSE(end_of_it->has_value()) << "others of its tasks may come";
  tell(actor, JobGone{});
  ASSERT_TRUE(end_of_it->has_value());
  EXPECT_EQ(end_of_it->value().job, record.key);
  EXPECT_TRUE(end_of_it->value().in_error.empty());
  EXPECT_EQ(host.all<UnwantTask>().size(), 1u);
}

// -sync r: cli C3.73.
TEST_F(GivenAJob, WhenATaskRunsThenWhoeverWaitsForThatHearsOfIt) {
  change();
  const auto end_of_it = ask<JobEnd>(*this, actor, AwaitEnd{});
  const auto start_of_it = ask<JobEnd>(*this, actor, AwaitEnd{true});
  EXPECT_FALSE(start_of_it->has_value()) << "it is only sent";
  task.state = TaskState::running;
  change();
  ASSERT_TRUE(start_of_it->has_value());
  EXPECT_TRUE(start_of_it->value().runs);
  EXPECT_FALSE(end_of_it->has_value());
  const auto late = ask<JobEnd>(*this, actor, AwaitEnd{true});
  EXPECT_TRUE(late->has_value()) << "it runs already";
}

TEST_F(GivenAJob, WhenItIsGoneBeforeItRanThenWhoeverWaitsForItsStartHearsOfIt) {
  change();
  const auto start_of_it = ask<JobEnd>(*this, actor, AwaitEnd{true});
  tell(actor, JobGone{});
  ASSERT_TRUE(start_of_it->has_value());
  EXPECT_FALSE(start_of_it->value().runs);
}

TEST_F(GivenAJob, WhenAllOfItIsInErrorThenNobodyWaitsForEver) {
  const auto end_of_it = ask<JobEnd>(*this, actor, AwaitEnd{});
  task.state = TaskState::error, task.reason = "no such directory", task.grants.clear();
  change(false);
  ASSERT_TRUE(end_of_it->has_value());
  EXPECT_NE(end_of_it->value().in_error.front().record.reason.find("no such directory"),
            std::string::npos);
}

TEST_F(GivenAJob, WhenAllOfItButWhatWaitsIsInErrorAndThatIsDeletedThenNobodyWaitsForEver) {
  const auto end_of_it = ask<JobEnd>(*this, actor, AwaitEnd{});
  record.request.edit().tasks = {1, 2, 1}, record.fresh = {{2, 2, 1}};
  task.number = 1, task.state = TaskState::error, task.reason = "no such directory";
  task.grants.clear();
  change(false);
  EXPECT_FALSE(end_of_it->has_value()) << "a task waits";
  record.fresh.clear();
  tell(actor, JobChanged{std::make_shared<const Job>(record)});
  pass(std::chrono::seconds(2));
  ASSERT_TRUE(end_of_it->has_value());
  EXPECT_EQ(end_of_it->value().in_error.front().task, 1);
}
