// What lies on the wire is a view: older tools, masters and agents read and write the same.
// tests/golden/frames holds what commit a038a4cf wrote, where records lay on the wire.
#include "schema/codec.hpp"
#include "schema/earlier_records.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

using namespace almanac;

namespace {

std::string golden(const std::string& name) {
  std::ifstream file(ALMANAC_GOLDEN_FRAMES + name + ".frame", std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

template <class Frame> Frame frame(const std::string& name) {
  const auto reply = decode<door::Reply>(golden(name));
  EXPECT_TRUE(reply.ok()) << name << ": " << reply.what();
  return std::get<Frame>(reply->body);
}

Job job() {
  Job job;
  job.key = {77}, job.number = {12};
  job.owner = {"alice", "users", 1001, 100, "h", "unix door"};
  job.submitted = {1'763'000'000};
  auto& request = job.request.edit();
  request.name = "name", request.command = "/bin/work", request.arguments = {"a", "b"};
  request.environment = {{"A", "1"}, {"EMPTY", ""}};
  request.origin = {{"SGE_O_HOME", "/home/alice"}};
  request.directory = "/tmp", request.output = "$HOME/o", request.pe = "mpi";
  request.slots = {{2, 8}}, request.tasks = {1, 9, 2}, request.resources = {{"h_rt", "60"}};
  request.priority = -5, request.reservation = {3}, request.notify = true;
  job.script_hash = "cafe", job.reservation_key = {5}, job.script_bytes = 17;
  return job;
}

Task task() {
  Task task;
  task.job = {77}, task.number = 3, task.state = TaskState::sent, task.attempt = 2;
  task.restarted = true, task.reason = "host h9 was lost", task.pe = "mpi";
  task.grants = {{{"all.q", "h1"}, 2}, {{"all.q", "h2"}, 1}};
  task.bookings = {{Container::queue({"all.q", "h1"}), "slots", 2},
                   {Container::host("h2"), "ram", 1'500'000}};
  task.booked = {{1'763'000'100}, {1'763'000'160}};
  task.limit = {60}, task.soft_limit = {50}, task.started = {1'763'000'100}, task.fence = {40};
  return task;
}

} // namespace

// Fields that have come since then stand at their defaults.
TEST(GivenALaunch, WhenAnEarlierVersionHasWrittenItThenItIsTheSame) {
  session::Launch m;
  m.attempt = {77, 3, 2};
  m.job = session::launch_job(job(), task());
  m.script.content = "#!/bin/sh\nwork\n";
  m.parts = {{"h1", {"all.q", "h1"}, 2, "h1:7000", "/tmp", {{"h_vmem", 1, 2}}, "ab"},
             {"h2", {"all.q", "h2"}, 1, "h2:7000", "/tmp", {}, "cd"}};
  m.shell = "/bin/sh", m.shell_start_mode = "unix_behavior", m.cell = "default";
  m.control_slaves = true;
  m.credential.content = "c", m.signature.content = "s";
  m.prolog = "p", m.epilog = "e", m.pe_start = "a", m.pe_stop = "o";
  m.notice = {{5}, "USR2", "USR1"};
  m.job_is_first_task = true;
  m.warrant.content = "w", m.warrant_signature.content = "x";
  ASSERT_FALSE(golden("launch").empty());
  const auto before = decode<session::Envelope>(golden("launch"));
  ASSERT_TRUE(before) << before.what();
  EXPECT_EQ(encode(*before), encode(session::Envelope{m}));
}

TEST(GivenALaunch, WhenTheJobIsTakenOutOfItThenItIsTheOneThatWasPutIn) {
  EXPECT_EQ(encode(session::job_in(session::launch_job(job(), task()))), encode(job()));
  EXPECT_EQ(encode(session::task_in(session::launch_job(job(), task()).tasks.front())),
            encode(task()));
}

TEST(GivenAnOrderForATask, WhenOthersOfTheArrayWaitThenTheAgentHearsNothingOfThem) {
  auto waiting = job();
  waiting.fresh = {{5, 9, 2}}, waiting.held_by_user = true;
  waiting.holds.emplace_back();
  session::Launch all, one;
  all.job = session::launch_job(waiting, task()), one.job = session::launch_job(job(), task());
  EXPECT_EQ(encode(all), encode(one));
}

TEST(GivenAnEarlierMaster, WhenItShowsJobsThenTheyAreRead) {
  const auto jobs = frame<door::Jobs>("jobs");
  ASSERT_EQ(jobs.jobs.size(), 1u);
  const auto& view = jobs.jobs.front();
  const auto& shown = view.job;
  EXPECT_EQ(shown.key, JobKey{77});
  EXPECT_EQ(shown.number, JobNumber{12});
  EXPECT_EQ(shown.owner.user, "alice");
  EXPECT_EQ(shown.request->name, "name");
  EXPECT_EQ(shown.reservation_key, ReservationKey{5});
  EXPECT_TRUE(shown.is_held());
  EXPECT_EQ(shown.waiting_tasks(), 3);
  ASSERT_EQ(shown.tasks.size(), 1u);
  EXPECT_EQ(shown.tasks.front().letters(false), "Rr");
  EXPECT_EQ(shown.tasks.front().grants, task().grants);
  EXPECT_EQ(shown.tasks.front().booked, task().booked);
  ASSERT_EQ(shown.holds.size(), 1u);
  EXPECT_EQ(shown.holds.front().cause, "later");
  EXPECT_EQ(view.priority.value, 7);
  EXPECT_EQ(view.department, "staff");
  EXPECT_TRUE(view.attracted_by.empty());
  EXPECT_EQ(jobs.unknown, std::vector<std::string>{"nosuch"});
}

TEST(GivenAnEarlierMaster, WhenItShowsReservationsThenTheyAreReadWithAmountsAsTheyAreBooked) {
  const auto list = frame<door::Reservations>("reservations");
  ASSERT_EQ(list.reservations.size(), 1u);
  const auto& r = list.reservations.front();
  EXPECT_EQ(r.number, ReservationNumber{4});
  EXPECT_EQ(r.letter(), 'E');
  EXPECT_EQ(r.request.mail_to, std::vector<std::string>{"bob@x"});
  EXPECT_EQ(r.shape.window, (Window{{1'763'000'300}, {1'763'003'900}}));
  EXPECT_EQ(r.shape.users, (std::vector<std::string>{"bob", "!eve"}));
  ASSERT_EQ(r.shape.bookings.size(), 2u);
  EXPECT_EQ(r.shape.bookings.back().printed_amount(), "1500000");
  EXPECT_EQ(r.note, "replaced");
}

TEST(GivenAnEarlierMaster, WhenItShowsTheClusterThenItIsRead) {
  const auto cluster = frame<door::Cluster>("cluster");
  ASSERT_EQ(cluster.hosts.size(), 1u);
  const auto& host = cluster.hosts.front();
  EXPECT_EQ(host.state.name, "h1");
  EXPECT_EQ(host.state.phase, HostPhase::up);
  EXPECT_EQ(host.state.facts.address, "h1:7000");
  EXPECT_EQ(host.load.load_medium, 20);
  EXPECT_EQ(host.key.state, KeyState::good);
  EXPECT_EQ(host.key.alarm, "alarm");
  EXPECT_EQ(host.key.alarm_at, Instant{7});
  ASSERT_EQ(cluster.instances.size(), 1u);
  EXPECT_EQ(cluster.instances.front().resources.front().value, "1");
}

// Those tools decode the record.
TEST(GivenAToolOfAnEarlierVersion, WhenItReadsAReservationThenAllThatItShowsIsThere) {
  door::ReservationView view;
  view.key = {9}, view.number = {4}, view.owner.user = "bob", view.submitted = {5};
  view.request.name = "ar", view.phase = ReservationPhase::running;
  view.shape = {
      {{10}, {20}},
      {{{"all.q", "h1"}, 2}},
      {{Container::host("h1"), "ram", 1'500'000, "1.5"}, {Container::global(), "lic", 1, "1"}},
      "mpi",
      {"bob"}};
  view.bad = {"bad"}, view.note = "note";
  const auto read = decode<Reservation>(encode(view));
  ASSERT_TRUE(read.ok()) << read.what();
  EXPECT_EQ(read->number, view.number);
  EXPECT_EQ(read->request.name, "ar");
  EXPECT_EQ(state_letter(*read), view.letter());
  EXPECT_EQ(read->shape.window, view.shape.window);
  EXPECT_EQ(read->shape.grants, view.shape.grants);
  ASSERT_EQ(read->shape.bookings.size(), 2u);
  EXPECT_EQ(read->shape.bookings.front(), (Booking{Container::host("h1"), "ram", 1'500'000}));
  EXPECT_EQ(read->shape.bookings.back(), (Booking{Container::global(), "lic", 1}));
  EXPECT_EQ(read->shape.users, view.shape.users);
  EXPECT_EQ(read->bad, view.bad);
  EXPECT_EQ(read->note, "note");
}

TEST(GivenAToolOfAnEarlierVersion, WhenItReadsAJobThenAllThatItShowsIsThere) {
  door::ShownJob view;
  view.key = {7}, view.number = {3}, view.request.edit().name = "x", view.held_by_user = true;
  view.waits_for = {JobKey{2}}, view.fresh = {{3, 9, 2}};
  door::TaskView shown;
  shown.number = 1, shown.state = TaskState::running, shown.suspended = true;
  shown.grants = task().grants, shown.booked = task().booked;
  view.tasks = {shown};
  view.holds = {{{{10}, {20}}, "mpi", task().grants, "cause"}};
  const auto read = decode<store::JobOfFormat1>(encode(view));
  ASSERT_TRUE(read.ok()) << read.what();
  EXPECT_EQ(read->number, view.number);
  EXPECT_EQ(read->request->name, "x");
  EXPECT_TRUE(read->held_by_user);
  EXPECT_EQ(read->waits_for, view.waits_for);
  EXPECT_EQ(read->fresh, view.fresh);
  ASSERT_EQ(read->tasks.size(), 1u);
  EXPECT_EQ(state_letters(read->tasks.front(), false), view.tasks.front().letters(false));
  EXPECT_EQ(read->tasks.front().grants, task().grants);
  EXPECT_EQ(read->tasks.front().booked, task().booked);
  ASSERT_EQ(read->holds.size(), 1u);
  EXPECT_EQ(read->holds.front().window, view.holds.front().window);
}

// One that knows no filters sends no fields at all.
TEST(GivenAToolOfAnEarlierVersion, WhenItAsksForReservationsThenAllAreMeant) {
  const auto bytes = encode(door::Request{1, "id", door::GetReservations{}});
  const auto read = decode<door::Request>(bytes);
  ASSERT_TRUE(read.ok());
  const auto& query = std::get<door::GetReservations>(read->body);
  EXPECT_TRUE(query.reservations.empty() && query.users.empty());
}
