#include "core/request/valid.hpp"
#include "core/text/mail_address.hpp"
#include "core/text/names.hpp"
#include "core/text/task_numbers.hpp"

#include <gtest/gtest.h>

#include <limits>

using namespace almanac;

namespace {

constexpr auto greatest = std::numeric_limits<std::int64_t>::max();
constexpr auto least = std::numeric_limits<std::int64_t>::min();

JobRequest plain_job() {
  JobRequest request;
  request.name = "job";
  return request;
}

std::vector<std::int64_t> numbers_of(TaskRange range) {
  std::vector<std::int64_t> numbers;
  for (const auto task : TaskNumbers(range)) numbers.push_back(task);
  return numbers;
}

// Whether the job is valid with one field changed.
template <class Change> bool valid_with(Change change) {
  auto request = plain_job();
  change(request);
  return valid(request).ok();
}

} // namespace

TEST(GivenARangeOfTasks, WhenWalkedThroughThenTheLoopEndsWhateverItHolds) {
  EXPECT_EQ(numbers_of({0, 0, 1}), (std::vector<std::int64_t>{0}));
  EXPECT_EQ(numbers_of({2, 9, 3}), (std::vector<std::int64_t>{2, 5, 8}));
  EXPECT_TRUE(numbers_of({1, 10, 0}).empty());
  EXPECT_TRUE(numbers_of({1, 10, -1}).empty());
  EXPECT_TRUE(numbers_of({10, 1, 1}).empty());
  EXPECT_EQ(numbers_of({1, greatest, 1LL << 62}), (std::vector<std::int64_t>{1, (1LL << 62) + 1}));
  EXPECT_EQ(numbers_of({least, greatest, greatest}).size(), 3u);
}

TEST(GivenAJobRequest, WhenItsTasksAreNoRangeThenItIsNotValid) {
  for (const TaskRange good : {TaskRange{0, 0, 1}, {1, 1, 1}, {1, 9, 2}, {1, 10, 4}, {5, 5, 10}})
    EXPECT_TRUE(valid_with([&](JobRequest& r) { r.tasks = good; }))
        << good.first << "-" << good.last;
  for (const TaskRange bad : {TaskRange{1, 10, 0},
                              {1, 10, -1},
                              {1, greatest, 1LL << 62},
                              {0, 5, 1},
                              {0, 0, 0},
                              {-5, 5, 1},
                              {10, 1, 1},
                              {1, 10'000'000, 1}})
    EXPECT_FALSE(valid_with([&](JobRequest& r) { r.tasks = bad; })) << bad.first << "-" << bad.last;
}

TEST(GivenAJobRequest, WhenANumberIsOutOfItsRangeThenItIsNotValid) {
  for (const auto wrong : {std::int64_t(-1), greatest, least}) {
    EXPECT_FALSE(valid_with([&](JobRequest& r) { r.slots = {{wrong, wrong}}; })) << wrong;
    EXPECT_FALSE(valid_with([&](JobRequest& r) { r.slots = {{1, wrong}}; })) << wrong;
    EXPECT_FALSE(valid_with([&](JobRequest& r) { r.most_running = wrong; })) << wrong;
    EXPECT_FALSE(valid_with([&](JobRequest& r) { r.job_share = wrong; })) << wrong;
    EXPECT_FALSE(valid_with([&](JobRequest& r) { r.override_tickets = wrong; })) << wrong;
    EXPECT_FALSE(valid_with([&](JobRequest& r) { r.reservation = {wrong}; })) << wrong;
    EXPECT_FALSE(valid_with([&](JobRequest& r) { r.execution_time = {wrong}; })) << wrong;
    EXPECT_FALSE(valid_with([&](JobRequest& r) { r.deadline = {wrong}; })) << wrong;
  }
  EXPECT_FALSE(valid_with([](JobRequest& r) { r.priority = -1024; }));
  EXPECT_FALSE(valid_with([](JobRequest& r) { r.slots = {{0, 0}}; }));
  EXPECT_FALSE(valid_with([](JobRequest& r) { r.slots = {{10, 1}}; }));
  EXPECT_TRUE(valid_with([](JobRequest& r) { r.slots = {{1, most_slots}}; }));
}

TEST(GivenAJobRequest, WhenATextMeansSomethingElseThenItIsNotValid) {
  EXPECT_TRUE(valid_with([](JobRequest& r) { r.name = "1st-größe"; }));
  for (const char* name : {"", "a b", "../x",
                           "x\x1b"
                           "c",
                           "\x7f",
                           "gr\xf6\xdf"
                           "e"})
    EXPECT_FALSE(valid_with([&](JobRequest& r) { r.name = name; })) << printable(name);
  EXPECT_TRUE(valid_with([](JobRequest& r) { r.environment = {{"BASH_FUNC_f%%", "() {\n:\n}"}}; }));
  for (const char* name : {"", "A=B", "A\nB"})
    EXPECT_FALSE(valid_with([&](JobRequest& r) {
      r.environment = {{name, "1"}};
    })) << printable(name);
  EXPECT_FALSE(valid_with([](JobRequest& r) { r.origin = {{"LD_PRELOAD", "/x"}}; }));
  EXPECT_FALSE(valid_with([](JobRequest& r) { r.queues = {"a\x1b[2J"}; }));
  EXPECT_FALSE(valid_with([](JobRequest& r) { r.arguments = {std::string("a\0b", 3)}; }));
  EXPECT_TRUE(valid_with([](JobRequest& r) { r.arguments = {"\x1b\xff"}; }));
  EXPECT_FALSE(valid_with([](JobRequest& r) { r.resources.assign(2000, {"a", "1"}); }));
  EXPECT_FALSE(valid_with([](JobRequest& r) { r.mail_to = {"--exec=!id"}; }));
}

TEST(GivenAReservationRequest, WhenItsTimesAreOutOfBoundsThenItIsNotValid) {
  ReservationRequest request;
  request.start = {1000}, request.duration = {60}, request.has_duration = true;
  EXPECT_TRUE(valid(request).ok());
  for (const auto wrong : {std::int64_t(-1), last_second + 1, least}) {
    auto changed = request;
    changed.start = {wrong};
    EXPECT_FALSE(valid(changed).ok()) << wrong;
    changed = request, changed.end = {wrong};
    EXPECT_FALSE(valid(changed).ok()) << wrong;
    changed = request, changed.duration = {wrong};
    EXPECT_FALSE(valid(changed).ok()) << wrong;
  }
  auto changed = request;
  changed.start = {last_second - 59};
  EXPECT_FALSE(valid(changed).ok()) << "it ends too late";
  changed = request, changed.name = "1st";
  EXPECT_FALSE(valid(changed).ok());
}

TEST(GivenAMailAddress, WhenTheMailerCouldTakeItForSomethingElseThenItIsNotValid) {
  for (const char* good : {"alice", "bob@site.org", "first.last+tag@host", "_x"})
    EXPECT_TRUE(valid_mail_address(good)) << good;
  for (const char* bad : {"", "-f", "--exec=!id", "-A/etc/shadow", "|/tmp/evil", "/root/.ssh/x",
                          "./x", "+x", "@site", "a@", "a@b@c", "a b", "a;b", "a\nb", "a/b", "a,b"})
    EXPECT_FALSE(valid_mail_address(bad)) << bad;
}

TEST(GivenAStoredJob, WhenItCanNotBeWorkedWithThenItIsNotValid) {
  Job job;
  job.key = {1}, job.number = {1}, job.owner.user = "alice";
  job.request = plain_job();
  job.request.edit().tasks = {1, 9, 2};
  job.fresh = {{3, 3, 2}, {7, 9, 2}};
  EXPECT_TRUE(valid(job).ok()) << valid(job).what();
  auto wrong = job;
  wrong.fresh = {{3, 9, 0}};
  EXPECT_FALSE(valid(wrong).ok());
  wrong = job, wrong.fresh = {{2, 8, 2}};
  EXPECT_FALSE(valid(wrong).ok());
  wrong = job, wrong.request.edit().tasks = {1, 9, -1};
  EXPECT_FALSE(valid(wrong).ok());
  wrong = job, wrong.number = {0};
  EXPECT_FALSE(valid(wrong).ok());
  wrong = job, wrong.holds = {{{{10}, {9}}, "", {}, {}, ""}};
  EXPECT_FALSE(valid(wrong).ok());
}

TEST(GivenAStoredTask, WhenItCanNotBeWorkedWithThenItIsNotValid) {
  Job job;
  job.key = {1}, job.request.edit().tasks = {1, 9, 2}, job.fresh = {{3, 3, 2}};
  Task task;
  task.job = {1}, task.number = 1;
  EXPECT_TRUE(valid(task, job).ok()) << valid(task, job).what();
  auto wrong = task;
  wrong.job = {2};
  EXPECT_FALSE(valid(wrong, job).ok());
  wrong = task, wrong.number = 2;
  EXPECT_FALSE(valid(wrong, job).ok()) << "the array has no such task";
  wrong = task, wrong.number = 3;
  EXPECT_FALSE(valid(wrong, job).ok()) << "it never left the queue";
  wrong = task, wrong.state = TaskState::running;
  EXPECT_FALSE(valid(wrong, job).ok());
  wrong = task, wrong.bookings = {{Container::queue({"all.q", "h1"}), "slots", -1}};
  EXPECT_FALSE(valid(wrong, job).ok());
  wrong.bookings.front().amount = std::numeric_limits<std::int64_t>::max();
  EXPECT_FALSE(valid(wrong, job).ok());
}

TEST(GivenAJobRequest, WhenNoProcessCouldBeBegunWithAVariableThenItIsNotValid) {
  auto request = plain_job();
  request.environment = {{"A", std::string((120 << 10) - 1, 'y')}};
  EXPECT_TRUE(valid(request).ok());
  request.environment.front().value += 'y';
  EXPECT_FALSE(valid(request).ok());
}

TEST(GivenAChangeOfJobs, WhenAnOptionIsNamedAgainAndAgainThenItIsNotValid) {
  AlterJobs change;
  change.targets = {"1"}, change.options = {"-p", "-A"};
  EXPECT_TRUE(valid(CommandBody(change)).ok());
  change.options.assign(10'000, "-A");
  EXPECT_FALSE(valid(CommandBody(change)).ok());
}

TEST(GivenAnyText, WhenPrintedThenNoTerminalObeysIt) {
  EXPECT_EQ(printable("plain größe\t€"), "plain größe\t€");
  EXPECT_EQ(printable("a\x1b[2J\nb\x7f"), "a\\x1b[2J\\nb\\x7f");
  EXPECT_EQ(printable("\xc2\x9b"
                      "31m"),
            "\\xc2\\x9b31m");
  EXPECT_EQ(printable("\xff\xc3"), "\\xff\\xc3");
  EXPECT_EQ(printable("a\nb", "\n"), "a\nb");
  EXPECT_EQ(printable("a\xef\xbf\xbe\xef\xbf\xbf"), "a\\xef\\xbf\\xbe\\xef\\xbf\\xbf")
      << "not in XML";
  EXPECT_EQ(printable("\xef\xbf\xbd\xf0\x9f\xbf\xbf"), "\xef\xbf\xbd\xf0\x9f\xbf\xbf")
      << "all of these are";
  EXPECT_LT(excerpt(std::string(1 << 20, 'x')).size(), 100u);
}

namespace {

ConfigurationChange change_of_queue() {
  return {ChangeVerb::modify, {ObjectKind::cluster_queue, "all.q", {{"slots", "2"}}}, {}};
}
// Whether a change of a configuration is valid with one field changed.
template <class Change> bool configure_is_valid_with(Change change) {
  auto configure = change_of_queue();
  change(configure);
  return valid(CommandBody(Configure{configure})).ok();
}

} // namespace

TEST(GivenAChangeOfTheConfiguration, WhenAValueNamesAllHostsOfALargeCellThenItIsValid) {
  std::string hosts;
  for (int host = 0; host < 20'000; ++host)
    hosts += "node" + std::to_string(host) + ".example.com ";
  EXPECT_GT(hosts.size(), 400'000u);
  EXPECT_TRUE(configure_is_valid_with([&](ConfigurationChange& c) {
    c.object = {ObjectKind::host_group, "@allhosts", {{"hostlist", hosts}}};
  }));
}

TEST(GivenAChangeOfTheConfiguration, WhenATextIsTooLongOrNoTextThenItIsNotValid) {
  for (const auto& wrong : {std::string("a\0b", 3), std::string("\x1b[2J"), std::string("\xff"),
                            std::string((1 << 20) + 1, 'a')}) {
    EXPECT_FALSE(configure_is_valid_with([&](auto& c) { c.object.name = wrong; }));
    EXPECT_FALSE(configure_is_valid_with([&](auto& c) { c.object.attributes[0].name = wrong; }));
    EXPECT_FALSE(configure_is_valid_with([&](auto& c) { c.object.attributes[0].value = wrong; }));
    EXPECT_FALSE(configure_is_valid_with([&](auto& c) { c.entries = {"a", wrong}; }));
  }
  EXPECT_FALSE(configure_is_valid_with([](auto& c) { c.object.name = std::string(513, 'a'); }));
  EXPECT_FALSE(configure_is_valid_with([](auto& c) { c.entries = {std::string(513, 'a')}; }));
}

TEST(GivenAChangeOfTheConfiguration, WhenItHasTooManyOfSomethingThenItIsNotValid) {
  EXPECT_FALSE(configure_is_valid_with([](auto& c) {
    c.object.attributes.assign(1'001, {"slots", "2"});
  }));
  EXPECT_FALSE(configure_is_valid_with([](auto& c) { c.entries.assign(10'001, "alice"); }));
}
