#include "core/planning/input_filter.hpp"

#include "core/planning/input.hpp"
#include "core/planning/input_summary.hpp"

#include <gtest/gtest.h>

using namespace almanac;

namespace {

InputSummary summary(Input input) { return summary_of({1, {100}, 1, std::move(input), 0}); }

} // namespace

TEST(GivenAFilterOfInputs, WhenItNamesNothingThenEachInputIsWanted) {
  EXPECT_TRUE(wants({}, summary(Pass{})));
  EXPECT_TRUE(wants({}, summary(TaskStarted{{{7}, 0, 1}})));
}

TEST(GivenAFilterOfInputs, WhenItNamesSomethingThenInputsThatNameNoneOfItAreNotWanted) {
  const InputFilter filter{{"job 7", "host n1"}};
  EXPECT_TRUE(wants(filter, summary(TaskStarted{{{7}, 0, 1}})));
  EXPECT_FALSE(wants(filter, summary(TaskStarted{{{70}, 0, 1}}))) << "no part of a word";
  EXPECT_TRUE(wants(filter, summary(HostSilent{"n1", false})));
  EXPECT_FALSE(wants(filter, summary(HostSilent{"n2", false})));
  EXPECT_TRUE(wants(filter, summary(TaskLost{{{8}, 0, 1}, "n1"}))) << "one of its names is enough";
  EXPECT_FALSE(wants(filter, summary(Pass{}))) << "it names nothing";
}

TEST(GivenAFilterOfInputs, WhenACommandNamesSomethingAsItWasTypedThenThatIsWhatIsLookedFor) {
  const auto command = [](CommandBody body) { return summary(Command{{}, std::move(body)}); };
  EXPECT_TRUE(wants({{"name 3"}}, command(DeleteJobs{{"1", "3"}, {}, {}, false})));
  EXPECT_FALSE(wants({{"job 3"}}, command(DeleteJobs{{"3"}, {}, {}, false}))) << "that is a key";
}
