// What a shepherd has written down, as the other half reads it.
#include "agent/shepherd/progress_file.hpp"
#include "agent/task_progress.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

using namespace almanac;

TEST(GivenTheProgressOfATask, WhenItsShepherdHasWrittenNothingOrOnlyItselfThenItHasNotBegun) {
  EXPECT_FALSE(parse_task_progress("").noted);
  const auto progress = parse_task_progress("shepherd 7\n");
  EXPECT_TRUE(progress.noted);
  EXPECT_FALSE(progress.began() || progress.record);
}

TEST(GivenTheProgressOfATask, WhenItWasStartingThenItMayHaveBegunUntilItsEndSaysOtherwise) {
  const auto text = "shepherd 7\n" + starting_line;
  EXPECT_TRUE(parse_task_progress(text).began());
  ExitRecord record;
  record.failed = failed::no_directory, record.reason = "can't change to directory /x";
  const auto ended = parse_task_progress(text + print_end(record));
  ASSERT_TRUE(ended.record);
  EXPECT_EQ(ended.record->reason, record.reason);
  EXPECT_FALSE(ended.began());
  EXPECT_TRUE(parse_task_progress(text + started_line + print_end(record)).began());
}

// docs/spec/cli.md C3.51
TEST(GivenTheProgressOfATask, WhenItIsBoundThenItsCoresComeBack) {
  const std::vector<CoreName> cores{{0, 1}, {1, 0}};
  const auto line = print_bound_line(cores);
  EXPECT_EQ(line, "bound 0,1:1,0\n");
  EXPECT_EQ(print_bound_line({}), "");
  EXPECT_EQ(parse_task_progress("shepherd 7\n" + line + starting_line).cores, cores);
  for (const char* none :
       {"", "starting\n", "bound 0,1", "bound 0\n", "bound 0,1:0,1\n", "bound \n"})
    EXPECT_TRUE(parse_task_progress("shepherd 7\n" + std::string(none)).cores.empty()) << none;
}

TEST(GivenTheProgressOfATask, WhenARecordIsCutOffThenTheNextOneCounts) {
  ExitRecord record;
  record.exit_status = 3;
  const auto whole = print_end(record);
  for (std::size_t size = 0; size + 1 < whole.size(); ++size)
    EXPECT_FALSE(parse_task_progress("shepherd 7\n" + whole.substr(0, size)).record) << size;
  const auto again = parse_task_progress("shepherd 7\n" + whole.substr(0, 20) + whole);
  ASSERT_TRUE(again.record);
  EXPECT_EQ(again.record->exit_status, 3);
}

TEST(GivenTheProgressOfATask, WhenItCantBeWrittenThenItsShepherdIsTold) {
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  EXPECT_TRUE(note(ends[1], starting_line));
  EXPECT_FALSE(note(ends[0], starting_line)) << "it is open to be read";
  for (const int end : ends) ::close(end);
}

TEST(GivenWhatAShepherdSaysOfItsProcesses, WhenItIsReadThenTheNumbersComeBackAndNothingElse) {
  const TaskUsage usage{1, 2, 3, 4, 5, 6, 7};
  const auto line = print_usage_line(usage);
  EXPECT_EQ(line, "usage 1 2 3 4 5 6 7\n");
  EXPECT_EQ(parse_usage_line(line.substr(0, line.size() - 1)), usage);
  for (const char* other : {"running", "usage", "usage 1 2 3", "usage 1 2 3 4 5 6 x", ""})
    EXPECT_FALSE(parse_usage_line(other)) << other;
}

TEST(GivenWhatAShepherdSaysOfItsProcesses, WhenTheJobWasCheckpointedThenItsProcessComesBack) {
  EXPECT_EQ(print_saved_line(4711), "saved 4711\n");
  EXPECT_EQ(parse_saved_line("saved 4711"), 4711);
  for (const auto* other : {"saved", "saved 0", "saved -1", "saved 1x", "running"})
    EXPECT_FALSE(parse_saved_line(other)) << other;
}
