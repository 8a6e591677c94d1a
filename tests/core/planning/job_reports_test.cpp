// What the reporting file is told of jobs (C11.14, V10.12, V10.13, V10.14).
#include "core/text/words.hpp"
#include "reports_fixture.hpp"

using namespace almanac;

namespace {

class GivenReportsOfJobs : public ReportsFixture {
public:
  GivenReportsOfJobs() { report("reporting=true joblog=true"); }

  bool is_looked_at(ReportKind kind) const override { return kind <= ReportKind::acct; }
  /// What has come since the last call: kind, event of job_log, and the task's number.
  Lines told() {
    Lines short_lines;
    for (const auto& line : ReportsFixture::told()) {
      const auto fields = split(line, ':');
      short_lines.push_back(fields[1] == "job_log" ? fields[3] + " " + fields[5] : fields[1]);
    }
    return short_lines;
  }
};

} // namespace

TEST_F(GivenReportsOfJobs, WhenAJobComesRunsAndEndsThenEachStepHasItsLine) {
  hosts(1, 4);
  const auto id = submit(alice, job("work"));
  const auto at = std::to_string(now.seconds);
  ASSERT_EQ(lines.size(), 2U);
  EXPECT_TRUE(lines[0].starts_with(at + ":new_job:" + at + ":1:-1:NONE:work:alice:")) << lines[0];
  EXPECT_TRUE(lines[0].ends_with(":1024")) << lines[0];
  EXPECT_NE(lines[0].find(":defaultdepartment:"), std::string::npos) << lines[0];
  EXPECT_TRUE(lines[1].starts_with(at + ":job_log:" + at + ":pending:1:-1:NONE::alice:"))
      << lines[1];
  EXPECT_TRUE(lines[1].ends_with(":new job")) << lines[1];
  told();
  pass();
  EXPECT_EQ(told(), Lines{"sent 0"});
  start(id);
  EXPECT_EQ(told(), Lines{"delivered 0"});
  end(id);
  const auto acct = lines.empty() ? "" : lines.front();
  EXPECT_TRUE(acct.starts_with(at + ":acct:all.q:h1:")) << acct;
  ASSERT_EQ(lines.size(), 4U);
  EXPECT_NE(lines[1].find(":finished:1:0:NONE:r:execution daemon:h1:0:1024:"), std::string::npos)
      << lines[1];
  EXPECT_TRUE(lines[1].ends_with(":job exited")) << lines[1];
  EXPECT_NE(lines[2].find(":finished:1:0:NONE:r:master:"), std::string::npos) << lines[2];
  EXPECT_TRUE(lines[2].ends_with(":job waits for schedds deletion")) << lines[2];
  EXPECT_NE(lines[3].find(":deleted:1:0:NONE:T:scheduler:"), std::string::npos) << lines[3];
  EXPECT_TRUE(lines[3].ends_with(":job deleted by schedd")) << lines[3];
  EXPECT_EQ(told(), (Lines{"acct", "finished 0", "finished 0", "deleted 0"}));
}

TEST_F(GivenReportsOfJobs, WhenTasksAreDeletedRunAgainOrFailThenThatIsTold) {
  hosts(1, 1);
  auto request = job("array");
  request.tasks = {1, 3, 1};
  const auto id = submit(alice, request);
  pass(), start(id, 1), told();
  end(id, 99, 1);
  ASSERT_EQ(lines.size(), 3U);
  EXPECT_TRUE(lines[1].ends_with(":job didn't get resources -> schedule it again")) << lines[1];
  EXPECT_TRUE(lines[2].ends_with(":rescheduling job 1.1")) << lines[2];
  EXPECT_EQ(told(), (Lines{"acct", "restart 1", "restart 1"}));
  pass(), start(id, 2), told();
  end(id, 100, 2);
  EXPECT_NE(lines[1].find(":job set in error state ("), std::string::npos) << lines[1];
  EXPECT_EQ(told(), (Lines{"acct", "error 2", "restart 2"}));
  command(alice, DeleteJobs{{std::to_string(id)}, {}, {}, false});
  for (const auto& line : lines) {
    EXPECT_NE(line.find(":NONE::alice:"), std::string::npos) << "who wanted it: " << line;
    EXPECT_TRUE(line.ends_with(":job deleted")) << line;
  }
  const auto left = told();
  EXPECT_EQ(std::count(left.begin(), left.end(), "deleted -1"), 1) << "those that never ran";
  EXPECT_EQ(std::count(left.begin(), left.end(), "deleted 1"), 1);
  EXPECT_EQ(std::count(left.begin(), left.end(), "deleted 2"), 1);
}

TEST_F(GivenReportsOfJobs, WhenARunningJobIsDeletedByForceThenTheLinesSaySo) {
  hosts(1, 1);
  const auto id = submit(alice, job("work"));
  pass(), start(id), told();
  command(root, DeleteJobs{{std::to_string(id)}, {}, {}, true});
  ASSERT_EQ(lines.size(), 4U);
  EXPECT_TRUE(lines[1].ends_with(":job deleted by forced deletion request")) << lines[1];
  EXPECT_EQ(told(), (Lines{"acct", "deleted 0", "finished 0", "deleted 0"}));
}

TEST_F(GivenReportsOfJobs, WhenTheHostIsLostThenTheMasterAloneTellsOfIt) {
  hosts(1, 1);
  auto request = job("work");
  request.rerun = Rerun::yes;
  const auto id = submit(alice, request);
  pass(), start(id), told();
  tell(HostSilent{"h1", true});
  tell(TaskLost{attempt(id), "h1"});
  for (const auto& line : lines)
    EXPECT_EQ(line.find("execution daemon"), std::string::npos) << line;
  EXPECT_EQ(told(), (Lines{"acct", "restart 0"}));
}

TEST_F(GivenReportsOfJobs, WhenAJobNeverRanThenItIsScheduledAgain) {
  hosts(1, 1);
  const auto id = submit(alice, job("work"));
  pass(), told();
  tell(LaunchFailed{attempt(id), "h1", false, {}});
  ASSERT_FALSE(lines.empty());
  EXPECT_NE(lines[0].find(":restart:1:0:NONE:t:execution daemon:h1:"), std::string::npos)
      << lines[0];
  EXPECT_TRUE(lines[0].ends_with(":job never ran -> schedule it again")) << lines[0];
  EXPECT_EQ(told(), (Lines{"restart 0", "restart 0"}));
}

TEST_F(GivenReportsOfJobs, WhenNoJobLogIsWantedThenOnlyItsAccountIsTold) {
  hosts(1, 4);
  report("reporting=true joblog=false");
  const auto id = submit(alice, job("quiet"));
  pass(), start(id), end(id);
  EXPECT_EQ(told(), Lines{"acct"});
  report("reporting=false joblog=true");
  const auto next = submit(alice, job("silent"));
  pass(), start(next), end(next);
  EXPECT_EQ(told(), Lines{});
}
