#include "core/execution/accounting_line.hpp"
#include "core/execution/environment.hpp"
#include "core/execution/exit_record.hpp"
#include "core/text/words.hpp"

#include <gtest/gtest.h>

#include <map>

using namespace almanac;

TEST(GivenAnExitRecord, WhenPrintedThenItReadsBackAndACutOneDoesNot) {
  ExitRecord record;
  record.failed = 37, record.exit_status = 137, record.reason = "too long\nreally",
  record.maxrss_kib = 5;
  const auto text = print_exit_record(record);
  const auto read = parse_exit_record(text);
  ASSERT_TRUE(read.ok());
  EXPECT_EQ(read->exit_status, 137);
  EXPECT_EQ(read->reason, "too long really");
  EXPECT_FALSE(parse_exit_record(text.substr(0, text.size() / 2)).ok());
}

TEST(GivenAnAccountingRecord, WhenPrintedThenTheLineHas45FieldsAndReadsBack) {
  AccountingRecord record;
  record.queue = "all.q", record.host = "h1", record.owner = "alice", record.group = "users";
  record.job_name = "a:b", record.account = "sge", record.pe = "NONE", record.category = "-l x=1";
  record.job_number = 7, record.reservation = 3, record.reservation_submitted = {99};
  record.record.user_microseconds = 1'500'000;
  const auto line = accounting_line(record);
  EXPECT_EQ(split(line, ':').size(), 45u);
  const auto read = parse_accounting_line(line);
  ASSERT_TRUE(read.ok());
  EXPECT_EQ(read->reservation, 3);
  EXPECT_EQ(read->record.user_microseconds, 1'500'000);
  EXPECT_FALSE(parse_accounting_line("too:short").ok());
}

TEST(GivenAParallelArrayTask, WhenItsEnvironmentIsMadeThenTheSystemsNamesWin) {
  Job job;
  job.number = 12;
  job.owner.user = "alice";
  job.request.name = "name", job.request.tasks = {1, 9, 2};
  job.request.environment = {{"JOB_ID", "forged"}, {"MINE", "1"}, {"PATH", "/opt/bin"}};
  Task task;
  task.number = 3, task.pe = "mpi";
  task.grants = {{"all.q@h1", 2}, {"all.q@h2", 1}};
  const ExecutionPlace place{
      "h1",         "/home/alice", "/bin/sh", "/spool/x", "/tmp/12.3", "/spool/x/pe_hostfile",
      "/agents/h1", "/bin",        "cell",    "lx-amd64"};
  std::map<std::string, std::string> values;
  for (const auto& [name, value] : job_environment(job, task, place))
    EXPECT_TRUE(values.emplace(name, value).second) << name;
  EXPECT_EQ(values["JOB_ID"], "12");
  EXPECT_EQ(values["SGE_TASK_ID"], "3");
  EXPECT_EQ(values["SGE_TASK_STEPSIZE"], "2");
  EXPECT_EQ(values["NSLOTS"], "3");
  EXPECT_EQ(values["NHOSTS"], "2");
  EXPECT_EQ(values["PATH"], "/tmp/12.3:/opt/bin");
  EXPECT_EQ(values["MINE"], "1");
  EXPECT_EQ(pe_hostfile(task), "h1 2 all.q@h1 UNDEFINED\nh2 1 all.q@h2 UNDEFINED\n");
  EXPECT_EQ(expand_path("$HOME/$JOB_NAME.$JOB_ID.$TASK_ID", job, task, place),
            "/home/alice/name.12.3");
  EXPECT_EQ(expand_path("out", job, task, place), "/home/alice/out");
}
