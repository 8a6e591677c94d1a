// Limits of all processes of a task together (spec/cli.md section 9.5).
#include "core/execution/task_limits.hpp"

#include <gtest/gtest.h>

using namespace almanac;

namespace {

TaskUsage using_cpu(std::int64_t seconds) {
  TaskUsage usage;
  usage.cpu_microseconds = seconds * 1'000'000;
  return usage;
}

TaskUsage using_memory(std::int64_t vmem, std::int64_t rss) {
  TaskUsage usage;
  usage.vmem_bytes = vmem, usage.rss_bytes = rss;
  return usage;
}

} // namespace

TEST(GivenALimitOfProcessorTime, WhenAllProcessesTogetherHaveUsedItThenItIsExceeded) {
  const TaskLimits limits({{"cpu", 5, 10}});
  EXPECT_TRUE(limits.any());
  EXPECT_EQ(limits.exceeded(using_cpu(9)), "");
  EXPECT_EQ(limits.exceeded(using_cpu(10)), "the limit h_cpu of 10 s is exceeded: 10 s");
}

TEST(GivenLimitsOfMemory, WhenMoreIsUsedThenTheOneThatIsExceededIsNamed) {
  const TaskLimits limits({{"rss", -1, 50}, {"vmem", -1, 100}});
  EXPECT_EQ(limits.exceeded(using_memory(100, 50)), "");
  EXPECT_EQ(limits.exceeded(using_memory(101, 50)),
            "the limit h_vmem of 100 bytes is exceeded: 101 bytes");
  EXPECT_EQ(limits.exceeded(using_memory(100, 51)),
            "the limit h_rss of 50 bytes is exceeded: 51 bytes");
}

TEST(GivenSoftLimits, WhenTheyAreExceededThenEachIsToldOnce) {
  TaskLimits limits({{"cpu", 5, -1}, {"vmem", 100, -1}});
  EXPECT_FALSE(limits.take_soft(using_cpu(4)));
  EXPECT_TRUE(limits.take_soft(using_cpu(5)));
  EXPECT_FALSE(limits.take_soft(using_cpu(6)));
  EXPECT_TRUE(limits.take_soft(using_memory(200, 0)));
  EXPECT_FALSE(limits.take_soft(using_memory(300, 0)));
  EXPECT_EQ(limits.exceeded(using_cpu(1'000)), "") << "it is only soft";
}

TEST(GivenLimitsOfFiles, WhenATaskRunsThenTheKernelKeepsThemOfEachProcessAlone) {
  EXPECT_FALSE(
      TaskLimits({{"fsize", 1, 1}, {"core", 0, 0}, {"stack", 1, 1}, {"data", 1, 1}}).any());
}
