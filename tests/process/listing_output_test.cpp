// How jobs, queue instances and hosts are printed (docs/spec/cli.md sections 6 and 7).
#include "tests/process/command_call.hpp"
#include "tests/process/listed_cell.hpp"
#include "tools/commands/commands.hpp"
#include "tools/commands/process_door.hpp"
#include "tools/output/colour.hpp"
#include "tools/output/instance_list.hpp"
#include "tools/output/job_table.hpp"

#include <gtest/gtest.h>

using namespace almanac;
using namespace almanac::listed;

namespace {

std::string table(JobGrouping grouping, const JobColumns& columns = {}) {
  const std::vector frames{frame()};
  return printed([&](auto& out) { print_jobs(out, job_rows(frames, grouping), columns); });
}

std::string selected(const std::string& states) {
  const std::vector frames{frame()};
  const auto letters = JobStates::parse(states);
  if (!letters) return letters.what();
  std::string text;
  for (const auto& row : job_rows(frames, {}))
    if (letters->wants(row)) text += to_string(row.job->number) + row.line->state + " ";
  return text;
}

std::string call(CommandFunction command, std::vector<std::string> arguments) {
  ProcessDoor door({}, "/nowhere");
  CommandCall call(door, "q", std::move(arguments));
  const int code = command(call.context);
  return std::to_string(code) + " " + call.out.str() + call.err.str();
}

} // namespace

// C6.28, C6.32, C6.33
TEST(GivenJobs, WhenListedThenRunningOnesComeFirstAndTheOthersByPriority) {
  const auto text = table({});
  EXPECT_TRUE(text.starts_with("job-ID  prior   name       user         state submit/start at     "
                               "queue                          slots ja-task-ID \n-----"))
      << text;
  const auto runs = text.find("all.q@h1"), plain = text.find(" plain "), waits = text.find("5-9:2");
  EXPECT_LT(runs, plain);
  EXPECT_LT(plain, waits);
  EXPECT_EQ(printed([](auto& out) { print_jobs(out, {}, {}); }), "") << "C6: no heading";
}

// C6.11, C6.26
TEST(GivenJobs, WhenTheyAreCutFinelyThenEachTaskOrSlotHasALine) {
  const auto tasks = table({.each_task = true, .each_slot = false});
  for (const char* task : {" 5\n", " 7\n", " 9\n"}) EXPECT_NE(tasks.find(task), std::string::npos);
  JobColumns columns;
  columns.roles = true;
  const auto slots = table({.each_task = false, .each_slot = true}, columns);
  EXPECT_NE(slots.find(" master ja-task-ID \n"), std::string::npos) << slots;
  EXPECT_NE(slots.find("all.q@h1                       MASTER 1\n"), std::string::npos) << slots;
  EXPECT_NE(slots.find("all.q@h1                       SLAVE  1\n"), std::string::npos) << slots;
  EXPECT_NE(slots.find("all.q@h2                       SLAVE  1\n"), std::string::npos) << slots;
  columns.tasks = true;
  const auto parts = table({.each_task = false, .each_slot = true}, columns);
  EXPECT_NE(parts.find(" MASTER 1                       r     0:00:00:00 0.00000 0.00000\n"),
            std::string::npos)
      << "used by the whole task: " << parts;
  EXPECT_NE(parts.find(" SLAVE  1          petask       r     NA         NA      NA\n"),
            std::string::npos)
      << parts;
}

// C6.12, C6.29, C6.30, C6.31
TEST(GivenJobs, WhenMorePartsOfThePriorityAreShownThenEachIsThereOnce) {
  JobColumns columns;
  columns.priority = columns.urgency = columns.extended = true;
  const auto text = table({}, columns);
  for (const char* title : {"nurg ", "npprior ", "ntckts ", " ppri ", "project ", "deadline "}) {
    const auto first = text.find(title);
    ASSERT_NE(first, std::string::npos) << title;
    EXPECT_EQ(text.find(title, first + 1), std::string::npos) << title;
  }
  EXPECT_NE(text.find(" 0:00:00:00 0.00000 0.00000 "), std::string::npos) << text;
}

// C6.6, C6.58
TEST(GivenJobs, WhenRequestsAreShownThenTheyStandBelowEachJob) {
  JobColumns columns;
  columns.requests = true;
  const auto text = table({}, columns);
  for (const std::string& expected : {"       Full jobname:     " + hard_to_write + "\n",
                                      std::string("       Master Queue:     all.q@h1\n"),
                                      std::string("       Requested PE:     mpi 2-8\n"),
                                      std::string("       Granted PE:       mpi 3\n"),
                                      std::string("       Hard Resources:   h_rt=10 (1.500000)\n"),
                                      std::string("       Soft Resources:   arch=<>\n"),
                                      std::string("       Hard requested queues: all.q\n"),
                                      std::string("       Predecessor Jobs (request): first\n"),
                                      std::string("       Predecessor Jobs: 3\n")})
    EXPECT_NE(text.find(expected), std::string::npos) << expected << text;
}

// C6.7
TEST(GivenJobs, WhenStatesAreSelectedThenEachLetterMeansItsOwn) {
  EXPECT_EQ(selected("r"), "12r ");
  EXPECT_EQ(selected("p"), "13qw 12hqw ");
  EXPECT_EQ(selected("a"), "12r 13qw 12hqw ");
  EXPECT_EQ(selected("hu"), "12hqw ");
  EXPECT_EQ(selected("hj"), "12hqw ");
  EXPECT_EQ(selected("ha"), "13qw ");
  EXPECT_EQ(selected("h"), "13qw 12hqw ");
  for (const char* none : {"ho", "hs", "hd", "s", "z"}) EXPECT_EQ(selected(none), "") << none;
  EXPECT_TRUE(selected("x").starts_with("option -s x: expected letters of ")) << selected("x");
  EXPECT_TRUE(selected("").starts_with("option -s ")) << selected("");
}

// C6.25, D2
TEST(GivenJobs, WhenNamesOrNumbersAreLongThenTheirColumnsAreWider) {
  const std::vector frames{frame()};
  auto rows = job_rows(frames, {});
  const std::string automatic = "-1", narrow = "3", wide = "40", senseless = "x";
  EXPECT_EQ(queue_width(nullptr, rows), 30U);
  EXPECT_EQ(queue_width(&automatic, rows), 10U);
  EXPECT_EQ(queue_width(&narrow, rows), 10U);
  EXPECT_EQ(queue_width(&wide, rows), 40U);
  EXPECT_EQ(queue_width(&senseless, rows), 30U);
  EXPECT_EQ(number_width(rows), 7U);
  auto high = frame();
  high.jobs.front().number = {12'345'678};
  EXPECT_EQ(number_width(job_rows({high}, {})), 8U);
}

// C6.5, C6.54, C6.55, C3.74
TEST(GivenAJob, WhenItIsShownInDetailThenAllThatIsKnownHasALine) {
  const auto text = printed([](auto& out) { print_job(out, detailed(), {"first", "second"}); });
  for (const char* expected :
       {"exec_file:                  job_scripts/12\n", "department:                 d\n",
        "jid_predecessor_list:       3\n", "jid_successor_list:         14,15\n",
        "verify_suitable_queues:     2\noutput_path:                ",
        "usage 1:                    cpu=00:01:40, mem=1.50000 GB s, io=1.50000 GB, vmem=3.0M, "
        "maxvmem=4.0M\n",
        "binding:                    set linear:1\n", "binding    1:               SCTTctt\n",
        "scheduling info:            first\n                            second\n"})
    EXPECT_NE(text.find(expected), std::string::npos) << expected << text;
}

// C6.10, C6.14, C6.35, C6.36, C6.37, C6.38, C6.40, C6.41, C6.42, C6.43
TEST(GivenQueueInstances, WhenListedThenWithTheirJobsResourcesAndReasons) {
  const std::vector frames{frame()};
  const auto rows = job_rows(frames, {});
  InstanceDetail detail;
  detail.resources = true, detail.named = {"mf", "license"}, detail.reasons = "aAcE";
  const auto text = printed([&](auto& out) { print_instances(out, cluster(), rows, detail, {}); });
  for (const char* expected :
       {"all.q@h1                       BIP   1/2/4          2.00     lx-amd64\n",
        "\tgc:license=2\n\thl:mem_free=4.000G\n",
        "\talarm hl:np_load_avg=2.0 load-threshold=1.75\n",
        "\talarm hl:mem_free=1M suspend-threshold=2M\n\thost groups of h2 ",
        "b.q@h3                         BIP   1/0/4          -NA-     -NA-          u\n",
        " - PENDING JOBS - PENDING JOBS "})
    EXPECT_NE(text.find(expected), std::string::npos) << expected << text;
  detail.hide_empty = true;
  const auto few = printed([&](auto& out) { print_instances(out, cluster(), rows, detail, {}); });
  EXPECT_EQ(few.find("b.q@"), std::string::npos) << few;
  detail.load = "mf";
  EXPECT_EQ(load_of(cluster(), cluster().instances.front(), "mf"), "4.000G") << "D4";
  auto scaled = cluster().instances.front();
  EXPECT_EQ(load_of(cluster(), scaled, "load_avg"), "2.00");
  scaled.resources.push_back({"hl", "load_avg", "4.000000", "la"});
  EXPECT_EQ(load_of(cluster(), scaled, "load_avg"), "4.00") << "O2.2: as load_scaling reads it";
}

// C6.44, C6.45, C6.46, C6.47, C6.48, C6.49, C6.50, C6.51, C6.52, C6.53
TEST(GivenQueueInstances, WhenSummedThenEachSlotCountsInOneState) {
  const auto sums = summaries_of(cluster());
  const auto text = printed([&](auto& out) { print_summaries(out, sums, SummaryStates::hidden); });
  EXPECT_EQ(text,
            "CLUSTER QUEUE                   CQLOAD   USED    RES  AVAIL  TOTAL aoACDS  cdsuE\n" +
                std::string(80, '-') +
                "\n"
                "all.q                             0.50      3      2      2      8      0"
                "      4\n"
                "b.q                               0.50      0      2      0      8      4"
                "      4\n");
  const auto all = printed([&](auto& out) { print_summaries(out, sums, SummaryStates::shown); });
  EXPECT_NE(all.find("  cdsuE     s     A     S     C     u     a     d     D     c     o     E\n"),
            std::string::npos)
      << all;
}

// C7.1, C7.2, C7.3, C7.4, C7.5
TEST(GivenHosts, WhenListedThenWithWhatIsAskedFor) {
  const std::vector frames{frame()};
  const auto rows = job_rows(frames, {.each_task = false, .each_slot = true});
  HostDetail detail;
  detail.queues = detail.jobs = detail.resources = true, detail.named = {"license", "mem_free"};
  const auto list = cluster();
  const auto text = printed([&](auto& out) {
    HostTable table(out, list, rows, detail);
    table.print_heading();
    for (const auto& [name, host] : list.hosts) table.print(host);
  });
  for (const char* expected :
       {"global                  -                -      -       -       -       -       -\n"
        "    Host Resource(s):      gc:license=2\n",
        "h1                      lx-amd64         4   2.00    8.0G    4.0G    1.0G     0.0\n"
        "    Host Resource(s):      gc:license=2\n   hl:mem_free=4.000G\n",
        "   all.q                BIP   3/2/4\n   job-ID ", " MASTER 1\n", " SLAVE  1\n"})
    EXPECT_NE(text.find(expected), std::string::npos) << expected << text;
  detail = {};
  detail.topology = true;
  const auto wide = printed([&](auto& out) { HostTable(out, list, rows, detail).print_heading(); });
  EXPECT_NE(wide.find(" NCPU NSOC NCOR NTHR   LOAD "), std::string::npos) << wide;
  auto known = listed::host("h1");
  known.state.facts.topology = "SCTTCTT";
  const auto row = printed([&](auto& out) { HostTable(out, list, {}, detail).print(known); });
  EXPECT_TRUE(row.starts_with("h1                      lx-amd64         4    1    2    4   2.00 "))
      << row;
}

TEST(GivenListings, WhenTheirWordsMakeNoSenseThenNobodyIsAsked) {
  EXPECT_EQ(call(qstat, {"-g", "x"}), "1 q: option -g x: expected letters of c, d and t\n");
  EXPECT_EQ(call(qstat, {"-explain", "q"}),
            "1 q: option -explain q: expected letters of a, A, c, d and E\n");
  EXPECT_EQ(call(qstat, {"-q", ","}), "1 q: option -q ,: nothing is named\n");
  EXPECT_EQ(call(qselect, {"-qs", "x"}),
            "1 q: option -qs x: expected letters of a, A, C, D, d, u, E, S, s, c and o\n");
  EXPECT_EQ(call(qhost, {"-u", " "}), "1 q: option -u: no user is named\n");
  EXPECT_TRUE(call(qselect, {"-help"}).starts_with("0 usage: qselect "));
}

// C6.72
TEST(GivenStates, WhenColourIsAskedForThenTheyHaveTheirsAndElseNone) {
  EXPECT_EQ(in_colour_of("Eqw", "Eqw  ", Colour::shown), "\033[31mEqw  \033[0m");
  EXPECT_EQ(in_colour_of("r", "r", Colour::shown), "\033[32mr\033[0m");
  EXPECT_EQ(in_colour_of("S", "S", Colour::shown), "\033[33mS\033[0m");
  EXPECT_EQ(in_colour_of("qw", "qw", Colour::shown), "qw");
  EXPECT_EQ(in_colour_of("Eqw", "Eqw", Colour::none), "Eqw");
}
