// What hosts say of the tasks that run on them (docs/spec/cli.md section 6.4, usage).
#include "actors/master/live_usage.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <utility>

using namespace almanac;

namespace {

TaskPtr running(std::int64_t number, std::int64_t attempt, std::vector<std::string> hosts) {
  Task task;
  task.job = {7}, task.number = number, task.attempt = attempt, task.state = TaskState::running;
  for (const auto& host : hosts) {
    task.grants.push_back({{"all.q", host}, 1});
    task.grants.push_back({{"long.q", host}, 1});
  }
  return std::make_shared<const Task>(std::move(task));
}

session::TaskUses says(std::int64_t number, std::int64_t attempt, std::int64_t cpu) {
  TaskUsage usage;
  usage.cpu_microseconds = cpu;
  return {{{{{7}, number, attempt}, usage}}};
}

Configuration cell(const std::string& factors = "NONE") {
  auto host = template_of(ObjectKind::exec_host, "n1");
  host.set("usage_scaling", factors);
  return Configuration::initial("root", "master")
      .with({ChangeVerb::add, std::move(host), {}})
      ->configuration;
}

} // namespace

TEST(GivenATaskOnTwoHosts, WhenBothSayWhatItUsesThenItIsTheSumAndEachHostCountsOnce) {
  LiveUsage usage;
  const std::vector<TaskPtr> tasks{running(3, 1, {"n1", "n2"})};
  EXPECT_TRUE(usage.of(tasks, cell()).empty()) << "nobody has said anything";
  usage.take("n1", says(3, 1, 100)), usage.take("n2", says(3, 1, 20));
  usage.take("n3", says(3, 1, 4'000));
  ASSERT_EQ(usage.of(tasks, cell()).size(), 1u);
  EXPECT_EQ(usage.of(tasks, cell())[3].cpu_microseconds, 120) << "n3 runs nothing of it";
}

// docs/spec/cli.md C3.51
TEST(GivenATaskThatIsBound, WhenItIsAskedForThenItsFirstHostSaysItsCores) {
  LiveUsage usage;
  const auto task = running(3, 1, {"n1", "n2"});
  EXPECT_EQ(usage.binding_of(*task), "");
  for (const auto& [host, cores] : {std::pair("n1", "ScC"), {"n2", "SCcC"}}) {
    auto said = says(3, 1, 100);
    said.tasks.front().binding = cores;
    usage.take(host, said);
  }
  EXPECT_EQ(usage.binding_of(*task), "ScC");
  EXPECT_EQ(usage.binding_of(*running(3, 2, {"n1"})), "") << "that was the attempt before";
}

TEST(GivenAHostThatSaysSomethingElse, WhenItIsAskedForThenOnlyTheLastWordCounts) {
  LiveUsage usage;
  const std::vector<TaskPtr> tasks{running(0, 2, {"n1"})};
  usage.take("n1", says(0, 1, 100));
  EXPECT_TRUE(usage.of(tasks, cell()).empty()) << "that was the attempt before";
  usage.take("n1", says(0, 2, 7));
  EXPECT_EQ(usage.of(tasks, cell())[0].cpu_microseconds, 7);
  usage.take("n1", {});
  EXPECT_TRUE(usage.of(tasks, cell()).empty()) << "nothing runs there any more";
}

// docs/spec/objects.md O2.7
TEST(GivenAHostWithFactors, WhenItSaysWhatATaskUsesThenThatCountsWithThem) {
  LiveUsage usage;
  const std::vector<TaskPtr> tasks{running(3, 1, {"n1", "n2"})};
  auto said = says(3, 1, 100);
  said.tasks.front().usage.memory_kib_seconds = 8, said.tasks.front().usage.io_bytes = 5;
  said.tasks.front().usage.vmem_bytes = 9;
  usage.take("n1", said), usage.take("n2", says(3, 1, 20));
  const auto used = usage.of(tasks, cell("cpu=1.5,mem=0"))[3];
  EXPECT_EQ(used.cpu_microseconds, 170) << "n2 has no factors";
  EXPECT_EQ(used.memory_kib_seconds, 0);
  EXPECT_EQ(used.io_bytes, 5);
  EXPECT_EQ(used.vmem_bytes, 9);
}
