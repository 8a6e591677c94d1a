#include "core/configuration/objects/step_line.hpp"
#include "core/execution/call_environment.hpp"
#include "core/execution/environment.hpp"
#include "core/execution/step_command.hpp"
#include "core/job/accounting_line.hpp"
#include "core/job/read_exit_record.hpp"
#include "core/text/names.hpp"
#include "core/text/words.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <map>
#include <tuple>

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

TEST(GivenAnExitRecord, WhenAShepherdOfAnEarlierVersionWroteItThenWhatItDidNotMeasureIsNothing) {
  ExitRecord record;
  record.exit_status = 3, record.io_bytes = 77, record.signal = 9;
  const auto text = print_exit_record(record);
  EXPECT_EQ(parse_exit_record(text)->io_bytes, 77);
  const auto old = parse_exit_record(text.substr(0, text.find("memory_kib_seconds")));
  ASSERT_TRUE(old.ok()) << old.what();
  EXPECT_EQ(old->exit_status, 3);
  EXPECT_EQ(old->io_bytes, 0);
}

// Columns 38, 39, 41 and 43 (spec/observed-gridengine.md section 10).
TEST(GivenWhatATaskUsed, WhenItsLineIsPrintedThenMemoryAndIoAreInGigabytesAndReadBack) {
  AccountingRecord record;
  record.record.memory_kib_seconds = 3 << 20, record.record.io_bytes = 1LL << 29;
  record.record.io_wait_microseconds = 1'250'000, record.record.maxvmem_bytes = 4'640 * 1024;
  const auto line = accounting_line(record);
  const auto fields = split(line, ':');
  EXPECT_EQ(fields[37], "3.000000");
  EXPECT_EQ(fields[38], "0.500000");
  EXPECT_EQ(fields[40], "1.250000");
  EXPECT_EQ(fields[42], "4751360.000000");
  const auto read = parse_accounting_line(line);
  ASSERT_TRUE(read.ok()) << read.what();
  EXPECT_EQ(accounting_line(*read), line);
  EXPECT_EQ(read->record.memory_kib_seconds, 3 << 20);
  EXPECT_EQ(read->record.maxvmem_bytes, 4'640 * 1024);
}

// Found by the fuzzer: what is read of a file that others write must not change when it is written again.
TEST(GivenALineWithNegativeUse, WhenItIsReadAndPrintedThenItSaysTheSame) {
  for (const auto memory : {-3, -2, -1, 1, 2, 3}) {
    AccountingRecord record;
    record.record.memory_kib_seconds = memory;
    record.record.io_bytes = memory * std::int64_t{1'000};
    const auto line = accounting_line(record);
    EXPECT_EQ(accounting_line(*parse_accounting_line(line)), line);
  }
}

// objects.md O7.32; so a file of Grid Engine is read as it was written, too.
TEST(GivenARecordWithAnotherCpu, WhenItsLineIsPrintedThenThatStandsThereAndIsReadBack) {
  AccountingRecord record;
  record.record.user_microseconds = 1'500'000, record.record.system_microseconds = 500'000;
  EXPECT_EQ(split(accounting_line(record), ':')[36], "2.000000");
  EXPECT_EQ(parse_accounting_line(accounting_line(record))->cpu_microseconds, 0);
  record.cpu_microseconds = 80'000'000;
  const auto line = accounting_line(record);
  EXPECT_EQ(split(line, ':')[36], "80.000000");
  EXPECT_EQ(split(line, ':')[14], "1.500000");
  EXPECT_EQ(cpu_of(*parse_accounting_line(line)), 80'000'000);
}

TEST(GivenAFailedCode, WhenNoReasonIsKnownThenItHasTheTextOfGridEngine) {
  EXPECT_STREQ(failed_text(failed::run_time_limit),
               "qmaster enforced h_rt, h_cpu, or h_vmem limit");
  EXPECT_STREQ(failed_text(failed::killed), "assumedly after job");
  EXPECT_STREQ(failed_text(77), "");
}

TEST(GivenTimesThatNoProcessTakes, WhenTheyAreAddedUpThenTheSumDoesNotOverflow) {
  constexpr auto highest = std::numeric_limits<std::int64_t>::max();
  AccountingRecord record;
  record.record.user_microseconds = record.record.system_microseconds = highest;
  const auto fields = split(accounting_line(record), ':');
  ASSERT_EQ(fields.size(), 45u);
  EXPECT_EQ(fields[36].find('-'), std::string::npos) << fields[36];
}

TEST(GivenAnAccountingRecord, WhenPrintedThenTheLineHas45FieldsAndReadsBack) {
  AccountingRecord record;
  record.queue = "all.q", record.host = "h1", record.owner = "alice", record.group = "users";
  record.job_name = "a:b", record.account = "sge", record.pe = "NONE", record.category = "-l x=1";
  record.job_number = {7}, record.reservation = {3}, record.reservation_submitted = {99};
  record.record.user_microseconds = 1'500'000;
  const auto line = accounting_line(record);
  EXPECT_EQ(split(line, ':').size(), 45u);
  const auto read = parse_accounting_line(line);
  ASSERT_TRUE(read.ok());
  EXPECT_EQ(read->reservation.value, 3);
  EXPECT_EQ(read->record.user_microseconds, 1'500'000);
  EXPECT_FALSE(parse_accounting_line("too:short").ok());
}

TEST(GivenAParallelArrayTask, WhenItsEnvironmentIsMadeThenTheSystemsNamesWin) {
  Job job;
  job.number = {12};
  job.owner.user = "alice", job.owner.host = "login1";
  job.request.edit().origin = {{"SGE_O_LOGNAME", "root"}, {"SGE_O_HOST", "elsewhere"}};
  job.request.edit().name = "name", job.request.edit().tasks = {1, 9, 2};
  job.request.edit().environment = {{"JOB_ID", "forged"}, {"MINE", "1"}, {"PATH", "/opt/bin"}};
  Task task;
  task.number = 3, task.pe = "mpi";
  task.grants = {{{"all.q", "h1"}, 2}, {{"all.q", "h2"}, 1}};
  const TaskSite place{
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
  EXPECT_EQ(values["NQUEUES"], "2") << "C9.4: instances, of one cluster queue";
  EXPECT_EQ(values["PATH"], "/tmp/12.3:/opt/bin:/bin");
  EXPECT_EQ(values["MINE"], "1");
  EXPECT_EQ(values["SGE_O_LOGNAME"], "alice") << "as the system knows them";
  EXPECT_EQ(values["SGE_O_HOST"], "login1");
  EXPECT_EQ(values["RESTARTED"], "0") << "C9.12";
  task.restarted = true;
  const auto again = job_environment(job, task, place);
  EXPECT_NE(std::find(again.begin(), again.end(), Attribute{"RESTARTED", "1"}), again.end());
  EXPECT_EQ(pe_hostfile(task), "h1 2 all.q@h1 UNDEFINED\nh2 1 all.q@h2 UNDEFINED\n");
  EXPECT_EQ(pe_hostfile(task, {"", "0-3"}), "h1 2 all.q@h1 UNDEFINED\nh2 1 all.q@h2 0-3\n");
  EXPECT_EQ(expand_path("$HOME/$JOB_NAME.$JOB_ID.$TASK_ID", job, task, place),
            "/home/alice/name.12.3");
  EXPECT_EQ(expand_path("out", job, task, place), "/home/alice/out");
  std::string many = "/tmp/";
  for (int i = 0; i < 14'000; ++i) many += "$JOB_NAME";
  job.request.edit().name = std::string(500, 'a');
  EXPECT_EQ(expand_path(many, job, task, place).size(), 4096u) << "no path can be longer";
}

namespace {

Job looked_for() {
  Job job;
  job.number = {12}, job.owner.user = "ann";
  auto& request = job.request.edit();
  request.name = "step", request.origin = {{"SGE_O_HOME", "/home/ann"}};
  return job;
}

} // namespace

// C6.80
TEST(GivenAJobWithoutPaths, WhenItsUserLooksForItsOutputThenItIsWhereItWasSubmittedFrom) {
  auto job = looked_for();
  EXPECT_EQ(output_places(job).output, "/home/ann/step.o12");
  EXPECT_EQ(output_places(job).error, "/home/ann/step.e12");
  job.request.edit().directory = "/work", job.request.edit().join = true;
  EXPECT_EQ(output_places(job).output, "/work/step.o12");
  EXPECT_EQ(output_places(job).error, "") << "it goes where the output goes";
  job.request.edit().tasks = {1, 3, 1};
  EXPECT_EQ(output_places(job).output, "/work/step.o12.$TASK_ID");
  job.request.edit().origin.clear(), job.request.edit().directory.clear();
  EXPECT_EQ(output_places(job).output, "$HOME/step.o12.$TASK_ID") << "others are not told";
  job.request.edit().interaction = Interaction::streams;
  EXPECT_EQ(output_places(job).output, "");
}

// C6.80, C7.25
TEST(GivenAJobWithPaths, WhenATaskHasItsPlaceThenNothingIsLeftToBeReplaced) {
  auto job = looked_for();
  auto& request = job.request.edit();
  request.output = "n2:/far/$JOB_NAME,out/$JOB_ID.$TASK_ID", request.tasks = {1, 3, 1};
  request.error = "$HOME/$HOSTNAME";
  EXPECT_EQ(output_places(job).output, "/home/ann/out/12.$TASK_ID");
  EXPECT_EQ(output_places(job).error, "/home/ann/$HOSTNAME");
  Task task;
  task.number = 2, task.grants = {{{"all.q", "n1"}, 1}};
  EXPECT_EQ(output_places(job, task).output, "/home/ann/out/12.2");
  EXPECT_EQ(output_places(job, task).error, "/home/ann/n1");
  task.grants = {{{"all.q", "n2"}, 1}};
  EXPECT_EQ(output_places(job, task).output, "/far/step");
}

namespace {

struct ExecutionExample {
  Job job;
  Task task;
  TaskSite place{
      "h1",         "/home/alice", "/bin/sh", "/spool/x", "/tmp/12.1", "/spool/x/pe_hostfile",
      "/agents/h1", "/bin",        "cell",    "lx-amd64"};

  ExecutionExample() {
    job.number = {12}, job.owner.user = "alice", job.request.edit().name = "a; rm -rf $job_id";
    job.request.edit().environment = {{"LD_PRELOAD", "/tmp/p.so"},
                                      {"BASH_FUNC_x%%", "() { :\n}"},
                                      {"BASH_ENV", "/tmp/x"},
                                      {"PATH", "/tmp/evil"}};
    task.grants = {{{"all.q", "h1"}, 2}};
  }
  std::vector<std::string> names(const std::vector<Attribute>& environment) const {
    std::vector<std::string> result;
    for (const auto& variable : environment) result.push_back(variable.name);
    return result;
  }
};

bool has(const std::vector<std::string>& names, const std::string& name) {
  return std::count(names.begin(), names.end(), name) > 0;
}

} // namespace

TEST(GivenACommandOfTheSite, WhenItsWordsAreFilledInThenWhatAUserWroteStaysOneWord) {
  const ExecutionExample example;
  const auto step =
      parse_step_command("root@/x/prolog $job_name 'two words' $nobody $job_id:$queue");
  ASSERT_TRUE(step.ok()) << step.what();
  EXPECT_EQ(step->user, "root");
  EXPECT_EQ(expand_step_command(step->words, example.job, example.task, example.place),
            (std::vector<std::string>{"/x/prolog", "a; rm -rf $job_id", "two words", "$nobody",
                                      "12:all.q"}));
  EXPECT_TRUE(parse_step_command("NONE")->words.empty());
  for (const auto* wrong :
       {"/x; y", "/x > /y", "/x | y", "/x `y`", "@/x", "x/y", "root@x", "/x 'y"})
    EXPECT_FALSE(parse_step_command(wrong).ok()) << wrong;
}

// What qrsh -inherit exports changes none of them.
TEST(GivenTheEnvironmentOfAJob, WhenTheUserExportsNothingThenAllButPathIsTheSystems) {
  Job job;
  job.request.edit().reservation = {1};
  Task task;
  task.pe = "mpi", task.grants = {{{"all.q", "h1"}, 2}};
  for (const auto& [name, value] : job_environment(job, task, {}))
    EXPECT_EQ(is_said_by_system(name), name != "PATH") << name;
  EXPECT_FALSE(is_said_by_system("MINE"));
}

TEST(GivenWhatAUserExports, WhenSomebodyElsesStepRunsThenNothingOfItIsThere) {
  const ExecutionExample example;
  const auto& [job, task, place] = std::tie(example.job, example.task, example.place);
  const auto own = example.names(job_environment(job, task, place));
  for (const auto* name : {"LD_PRELOAD", "BASH_FUNC_x%%", "BASH_ENV", "TMPDIR"})
    EXPECT_TRUE(has(own, name)) << name;
  for (const auto* name : {"LD_PRELOAD", "BASH_FUNC_x%%", "BASH_ENV", "PATH"})
    EXPECT_FALSE(is_for_own_steps(name)) << name;
  EXPECT_TRUE(is_for_own_steps("TMPDIR"));
  const auto foreign = foreign_step_environment(job, task, place, {"root", "/root", "/bin/bash"});
  const auto names = example.names(foreign);
  for (const auto* name : {"LD_PRELOAD", "BASH_FUNC_x%%", "BASH_ENV", "TMPDIR", "TMP", "JOB_NAME"})
    EXPECT_FALSE(has(names, name)) << name;
  for (const auto& [name, value] : foreign) {
    EXPECT_EQ(value.find("/tmp"), std::string::npos) << name;
    if (name == "PATH") {
      EXPECT_EQ(value, "/usr/local/bin:/bin:/usr/bin");
    }
  }
  EXPECT_TRUE(has(names, "JOB_ID"));
}

TEST(GivenAListOfPathsForHosts, WhenAHostTakesItsOwnThenItIsThatOfItsNameOrTheFirstForAny) {
  const std::string list = "h1:/a/x:y,/b,H2:/c d,:/d,relative";
  EXPECT_EQ(entry_for_host(list, "H1"), "/a/x:y");
  EXPECT_EQ(entry_for_host(list, "h2"), "/c d");
  EXPECT_EQ(entry_for_host(list, "h3"), "/b");
  EXPECT_EQ(entry_for_host(":/d", "h3"), "/d");
  EXPECT_EQ(entry_for_host("h1:/a", "h3"), "");
  EXPECT_EQ(entry_for_host("/a:b", "h3"), "/a:b");
  EXPECT_EQ(entry_for_host("", "h3"), "");
}

TEST(GivenAnExitRecordOfAnOlderShepherd, WhenItDoesNotSayWhenItEndedThenItReadsBackAllTheSame) {
  auto text = print_exit_record({});
  text.erase(text.find("ended "));
  ASSERT_TRUE(parse_exit_record(text).ok());
  EXPECT_EQ(parse_exit_record(text)->ended, 0);
}

TEST(GivenNamesOfVariables, WhenTheyCantBeThoseOfAnEnvironmentThenTheyAreRefused) {
  for (const auto* name : {"A", "_a1", "BASH_FUNC_x%%", "a.b"})
    EXPECT_TRUE(valid_variable(name, "x\ny").ok()) << name;
  for (const auto& name : {std::string(), std::string("a=b"), std::string("a\nb"),
                           std::string("a\0b", 3), std::string("\x7f")})
    EXPECT_FALSE(valid_variable(name, "").ok()) << name;
  EXPECT_FALSE(valid_variable("A", std::string("x\0user", 6)).ok());
  EXPECT_TRUE(is_plain_variable("_a1"));
  for (const auto* name : {"", "1a", "a-b", "a%"}) EXPECT_FALSE(is_plain_variable(name)) << name;
}
