// Where a job runs: soft requests, the master's queue, resources per host and exclusive ones,
// projects, jobs that start at once (spec/scheduling.md sections 7 to 9 and 12).
#include "core/execution/process_limits.hpp"
#include "assignment_fixture.hpp"

#include <rapidcheck/gtest.h>

#include <set>

using namespace almanac;

namespace {

class GivenAssignments : public AssignmentFixture {};

// The fixture, made anew for each case of a property.
class FixtureOfACase : public PlannerFixture {
public:
  void TestBody() override {}
  void drop(std::int64_t number) {
    command(root, DeleteJobs{{std::to_string(number)}, {}, {}, true});
  }
};

} // namespace

TEST_F(GivenAssignments, WhenRequestsAreSoftThenTheFewestUnmetDecide) {
  hosts(3, 2);
  scheduler({{"load_formula", "0"}});
  complex("fast", "fst BOOL == YES NO 0 0");
  complex("disk", "dsk INT <= YES YES 0 0");
  offer("h2", "fast=TRUE");
  offer("h3", "fast=TRUE,disk=10");
  auto request = job("soft");
  request.soft_resources = {{"fast", "TRUE"}, {"disk", "5"}};
  EXPECT_EQ(placed(request), "all.q@h3:1");
  EXPECT_EQ(planner.state().ledger().used(Container::host("h3"), "disk", {now, Instant::never()}),
            0);
  request.soft_resources = {{"disk", "50"}, {"fast", "TRUE"}};
  EXPECT_EQ(placed(request), "all.q@h2:1");
  request.soft_resources = {{"disk", "50"}};
  EXPECT_EQ(placed(request), "all.q@h1:1");
  auto wide = parallel("fill", 3);
  wide.soft_resources = {{"fast", "TRUE"}};
  EXPECT_EQ(placed(wide), "all.q@h2:1 all.q@h3:1 all.q@h1:1");
}

TEST_F(GivenAssignments, WhenTheMastersQueueIsNamedThenTheFirstSlotIsThere) {
  hosts(2, 2);
  queue("big.q", {{"hostlist", "h2"}, {"slots", "1"}, {"pe_list", "fill"}});
  auto request = parallel("fill", 4);
  request.master_queues = {"big.q"};
  EXPECT_EQ(placed(request), "big.q@h2:1 all.q@h2:2 all.q@h1:1");
  const auto second = submit(alice, request);
  pass();
  EXPECT_EQ(place(second), "");
  request.master_queues = {"nosuch.q"};
  EXPECT_NE(command(alice, Submit{request, ""}).exit_code, 0);
}

TEST_F(GivenAssignments, WhenAResourceIsTakenPerHostThenSlotsDoNotMultiplyIt) {
  hosts(3, 2);
  complex("gpu", "gpu INT <= YES HOST 0 0");
  for (const char* host : {"h1", "h2", "h3"}) offer(host, "gpu=3");
  offer("global", "gpu=4");
  auto request = parallel("fill", 4);
  request.resources = {{"gpu", "2"}};
  const auto number = submit(alice, request);
  pass();
  EXPECT_EQ(place(number), "all.q@h1:2 all.q@h2:2");
  const auto& ledger = planner.state().ledger();
  const Window at{now, now + Duration{1}};
  EXPECT_EQ(ledger.used(Container::host("h1"), "gpu", at), 2);
  EXPECT_EQ(ledger.used(Container::global(), "gpu", at), 4);
  EXPECT_EQ(placed(asking({{"gpu", "1"}})), ""); // the cell's four are taken
  end(number);
  pass();
  EXPECT_EQ(ledger.used(Container::host("h1"), "gpu", at), 1);
}

TEST_F(GivenAssignments, WhenAJobWantsToBeAloneThenItShares) {
  hosts(2, 4);
  scheduler({{"load_formula", "0"}});
  complex("exclusive", "excl BOOL EXCL YES YES 0 0");
  offer("h1", "exclusive=TRUE");
  const auto beside = submit(alice, job("beside"));
  pass();
  EXPECT_EQ(place(beside), "all.q@h1:1");
  const auto alone = submit(alice, asking({{"exclusive", "TRUE"}}));
  pass();
  EXPECT_EQ(place(alone), "") << "somebody is there";
  EXPECT_NE(why(alone).find("exclusive"), std::string::npos) << why(alone);
  end(beside);
  pass();
  EXPECT_EQ(place(alone), "all.q@h1:1");
  EXPECT_EQ(placed(job("other")), "all.q@h2:1");
  end(alone);
  EXPECT_EQ(placed(job("third")), "all.q@h1:1");
}

TEST_F(GivenAssignments, WhenAHoldWantsToBeAloneThenItWaitsForTheLastOfTheOthers) {
  hosts(1, 4);
  complex("exclusive", "excl BOOL EXCL YES YES 0 0");
  offer("h1", "exclusive=TRUE");
  scheduler({{"max_reservation", "5"}, {"params", "DURATION_OFFSET=0,MONITOR=1"}});
  EXPECT_EQ(placed(job("beside", "100")), "all.q@h1:1");
  auto request = asking({{"exclusive", "TRUE"}, {"h_rt", "100"}});
  request.reserve = true;
  const auto alone = submit(alice, request);
  pass();
  ASSERT_FALSE(find(alone)->holds.empty());
  EXPECT_EQ(find(alone)->holds.front().window, (Window{now + Duration{100}, now + Duration{200}}));
  EXPECT_EQ(placed(job("too-long", "101")), "");
  EXPECT_EQ(placed(job("short", "100")), "all.q@h1:1");
  planner.handle(HostSilent{"h2", false}, now); // holds are looked at again
  const auto schedule = handle(Pass{}).schedule;
  EXPECT_GT(schedule.size(), 1U);
  for (const auto& line : schedule)
    EXPECT_EQ(line.find("/shared"), std::string::npos) << "our own books are not in it: " << line;
  EXPECT_EQ(find(alone)->holds.front().window.start, now + Duration{100});
}

TEST_F(GivenAssignments, WhenMemoryIsAskedForThenWhatIsReportedNowDecides) {
  hosts(2, 4);
  const auto with = [](const char* host, std::int64_t free) {
    auto news = loaded(host, 0);
    news.load.memory_free = free << 30;
    return news;
  };
  auto large = job("large");
  large.resources.push_back({"mem_free", "3G"});
  const auto waits = submit(alice, large);
  pass();
  EXPECT_EQ(place(waits), "");
  EXPECT_NE(why(waits).find("cannot run at host \"h1\" because it offers no mem_free"),
            std::string::npos)
      << why(waits);
  tell(with("h1", 2));
  EXPECT_NE(why(waits).find("because it offers only hl:mem_free=2.000G"), std::string::npos)
      << why(waits);
  EXPECT_EQ(place(waits), "");
  tell(with("h2", 4));
  pass();
  EXPECT_EQ(place(waits), "all.q@h2:1");
  // What is free now says nothing about later: a reservation does not ask for it.
  auto used = job("used");
  used.resources.push_back({"mem_used", "5G"});
  EXPECT_EQ(placed(used), "all.q@h2:1") << "8 G less 4 G are used there, 6 G on h1";
  auto soft = job("soft");
  soft.soft_resources.push_back({"mem_free", "3G"});
  EXPECT_EQ(placed(soft), "all.q@h2:1");
}

// objects.md O2.17, O3.48
TEST_F(GivenAssignments, WhenCoresAreAskedForThenAHostThatHasThemIsTaken) {
  hosts(2, 4);
  auto wide = job("wide");
  wide.resources.push_back({"m_core", "3"});
  const auto waits = submit(alice, wide);
  pass();
  EXPECT_EQ(place(waits), "") << "no host tells of its cores";
  const auto tells = [](const char* host, const char* topology) {
    return HostRegistered{host,
                          {"lx-amd64", 4, 8LL << 30, "boot", "spool", "127.0.0.1:1", topology}};
  };
  tell(tells("h1", "SCTTCTT")), tell(tells("h2", "SCCSCC"));
  pass();
  EXPECT_EQ(place(waits), "all.q@h2:1");
  auto two = job("two");
  two.resources = {{"h_rt", "100"}, {"m_topology", "SCTT*"}, {"m_thread", "4"}};
  EXPECT_EQ(placed(two), "all.q@h1:1");
  offer("h2", "m_core=2");
  EXPECT_EQ(placed(wide), "") << "the stricter of what is written and what is there";
}

// S15.14
TEST_F(GivenAssignments, WhenAForcedResourceIsNotRequestedThenItIsSaidWhereItIs) {
  hosts(2, 4);
  complex("special", "spc BOOL == FORCED NO 0 0");
  offer("h1", "special=TRUE");
  queue("all.q", {{"complex_values", "NONE,[h2=special=TRUE]"}});
  const auto waits = submit(alice, job("waits"));
  pass();
  EXPECT_EQ(place(waits), "");
  const std::string head = "does not request 'forced' resource \"special\" of ";
  EXPECT_NE(why(waits).find(head + "host h1\n"), std::string::npos) << why(waits);
  EXPECT_NE(why(waits).find(head + "queue \"all.q@h2\"\n"), std::string::npos) << why(waits);
}

TEST_F(GivenAssignments, WhenAQueueLimitsProcessesThenNoMoreCanBeAskedFor) {
  hosts(2, 4);
  queue("all.q", {{"h_vmem", "INFINITY,[h1=2G]"}});
  auto large = job("large");
  large.resources.push_back({"h_vmem", "3G"});
  EXPECT_EQ(placed(large), "all.q@h2:1");
  const auto& settings = planner.state().configuration().instance("all.q@h1")->settings;
  auto small = job("small");
  small.resources = {{"h_vmem", "1G"}, {"s_cpu", "0:10:0"}};
  const auto limits = process_limits(planner.state().configuration().complexes(), small.resources,
                                     settings.process_limits, 2);
  ASSERT_EQ(limits.size(), 2u);
  EXPECT_EQ(limits[0].kind, "cpu");
  EXPECT_EQ(limits[0].soft, 1200) << "for each slot";
  EXPECT_EQ(limits[0].hard, -1);
  EXPECT_EQ(limits[1].hard, 2LL << 30) << "the job's own, for each slot";
  EXPECT_EQ(
      process_limits(planner.state().configuration().complexes(), {}, settings.process_limits, 1)
          .front()
          .hard,
      2LL << 30)
      << "the queue's";
}

// s_rt only signals: for a reservation such a job never ends.
TEST_F(GivenAssignments, WhenAReservationIsRefusedForAJobWithASoftLimitThenThatJobIsNamed) {
  hosts(1, 2);
  auto soft = parallel("smp", 2);
  soft.resources = {{"s_rt", "20"}};
  const auto first = submit(alice, soft);
  pass();
  const auto answer = command(root, Reserve{window(now.seconds + 120, 60)});
  EXPECT_EQ(answer.exit_code, 1);
  EXPECT_NE(text(answer).find("(taken by job " + std::to_string(first) + ": 2)"), std::string::npos)
      << text(answer);
}

TEST_F(GivenAssignments, WhenAJobWaitsThenItsReasonsNameWhoHoldsWhatIsMissing) {
  hosts(2, 2);
  const auto first = submit(alice, parallel("smp", 2));
  const auto second = submit(bob, job("b"));
  const auto reserved = reserve(root, window(now.seconds, 3600));
  pass();
  const auto waits = submit(alice, parallel("smp", 2));
  pass();
  const auto reasons = why(waits);
  EXPECT_NE(reasons.find("(taken by job " + std::to_string(first) + ": 2)"), std::string::npos)
      << reasons;
  EXPECT_NE(reasons.find("advance reservation " + std::to_string(reserved) + ": 1"),
            std::string::npos)
      << reasons;
  EXPECT_NE(reasons.find("job " + std::to_string(second) + ": 1"), std::string::npos) << reasons;
}

TEST_F(GivenAssignments, WhenAJobIsToStartAtOnceThenItDoesOrIsNoJob) {
  hosts(1, 2);
  auto request = job("now");
  request.immediate = true;
  const auto first = submit(alice, request);
  EXPECT_EQ(place(first), "all.q@h1:1") << "without a pass";
  auto array = request;
  array.tasks = {1, 2, 1};
  const auto refused = command(alice, Submit{array, ""});
  EXPECT_EQ(refused.exit_code, 1);
  EXPECT_NE(text(refused).find("could not be scheduled; try again later."), std::string::npos);
  EXPECT_EQ(submit(alice, request), first + 1) << "a refused one has no number";
  EXPECT_EQ(planner.state().ledger().used(Container::queue({"all.q", "h1"}), "slots",
                                          {now, now + Duration{1}}),
            2);
  queue("all.q", {{"qtype", "BATCH"}});
  end(first);
  EXPECT_EQ(command(alice, Submit{request, ""}).exit_code, 1);
}

TEST_F(GivenAssignments, WhenAJobStartsAtOnceInAReservationThenItGoesWithThat) {
  hosts(1, 2);
  const auto reservation = reserve(root, window(now.seconds, 600));
  due(reservation);
  auto request = job("now", "60");
  request.immediate = true, request.reservation = {reservation};
  const auto number = submit(root, request);
  ASSERT_TRUE(is_active(number));
  command(root, DeleteReservations{{std::to_string(reservation)}, {}, false});
  EXPECT_TRUE(find(number)->tasks.front().deleting);
  end(number);
  EXPECT_EQ(letter(reservation), '-') << "nothing of it is left";
}

TEST_F(GivenAssignments, WhenQueuesHaveProjectsThenOthersStayOut) {
  hosts(2, 1);
  queue("all.q", {{"load_thresholds", "NONE"}});
  change({ObjectKind::userset, "staff", {{"entries", "alice"}}}, ChangeVerb::add);
  change({ObjectKind::project, "sky", {{"acl", "staff"}}}, ChangeVerb::add);
  queue("all.q", {{"projects", "NONE,[h1=sky]"}});
  EXPECT_EQ(placed(job("none")), "all.q@h2:1");
  const auto waits = submit(alice, job("waits"));
  pass();
  EXPECT_NE(why(waits).find("no project has no permission for cluster queue \"all.q@h1\""),
            std::string::npos)
      << why(waits);
  auto request = job("sky");
  request.project = "sky";
  EXPECT_EQ(placed(request), "all.q@h1:1");
  EXPECT_NE(text(command(bob, Submit{request, ""})).find("no access to project \"sky\""),
            std::string::npos);
  request.project = "sea";
  EXPECT_NE(text(command(alice, Submit{request, ""})).find("project \"sea\" does not exist"),
            std::string::npos);
  change({ObjectKind::user, "alice", {{"default_project", "sky"}}}, ChangeVerb::add);
  EXPECT_EQ(find(submit(alice, job("default")))->request->project, "sky");
}

TEST_F(GivenAssignments, WhenTicketsDifferThenTheyOrderEqualJobs) {
  hosts(1, 1);
  scheduler({{"weight_tickets_functional", "1000"}, {"weight_user", "1"}, {"weight_job", "0"}});
  change({ObjectKind::user, "bob", {{"fshare", "30"}}}, ChangeVerb::add);
  change({ObjectKind::user, "alice", {{"fshare", "10"}}}, ChangeVerb::add);
  const auto first = submit(alice, job("alice"));
  const auto second = submit(bob, job("bob"));
  pass();
  EXPECT_EQ(place(first), "");
  EXPECT_EQ(place(second), "all.q@h1:1");
  auto urgent = job("urgent");
  urgent.override_tickets = 5000;
  EXPECT_NE(command(alice, Submit{urgent, ""}).exit_code, 0);
  const auto third = submit(root, urgent);
  end(second);
  pass();
  EXPECT_EQ(place(third), "all.q@h1:1");
}

RC_GTEST_PROP(GivenAWaitingJob, WhenExactlyTheNamedHoldersGoThenItStarts, ()) {
  FixtureOfACase cell;
  const auto count = *rc::gen::inRange(1, 4), slots = *rc::gen::inRange(1, 4);
  cell.hosts(count, slots);
  cell.command(cell.root,
               Configure{{ChangeVerb::modify,
                          {ObjectKind::cluster_queue, "all.q", {{"load_thresholds", "NONE"}}},
                          {}}});
  const auto jobs = *rc::gen::inRange(1, 12);
  for (int i = 0; i < jobs; ++i) {
    auto request = cell.job("runs", *rc::gen::arbitrary<bool>() ? "100" : "");
    if (*rc::gen::arbitrary<bool>())
      request.pe = "fill", request.slots = {{1, *rc::gen::inRange(1, 4)}};
    const auto number = cell.submit(cell.alice, request);
    cell.pass();
    if (!cell.is_active(number)) cell.drop(number);
  }
  auto request = cell.job("waits");
  const std::int64_t least = *rc::gen::inRange(1, count * slots + 1);
  request.pe = "fill", request.slots = {{least, most_slots}};
  const auto waits = cell.submit(cell.alice, request);
  cell.pass();
  if (cell.is_active(waits)) return;
  const auto reasons = cell.text(cell.planner.ask(ExplainJob{waits}, cell.now));
  std::set<std::int64_t> named;
  for (auto at = reasons.find("job "); at != reasons.npos; at = reasons.find("job ", at + 1)) {
    char* end{};
    const auto number = std::strtoll(reasons.c_str() + at + 4, &end, 10);
    if (*end == ':') named.insert(number);
  }
  RC_ASSERT(!named.empty());
  for (const auto number : named) cell.end(number);
  cell.pass();
  RC_ASSERT(cell.is_active(waits));
}

// A cluster with jobs of all kinds, some of them waiting with holds, and reservations to come.
void crowd(FixtureOfACase& cell) {
  cell.hosts(*rc::gen::inRange(1, 4), *rc::gen::inRange(1, 4));
  const auto modify = [&](ConfigurationObject object) {
    cell.command(cell.root, Configure{{ChangeVerb::modify, std::move(object), {}}});
  };
  modify({ObjectKind::cluster_queue, "all.q", {{"load_thresholds", "NONE"}}});
  modify({ObjectKind::scheduler_configuration,
          "",
          {{"max_reservation", *rc::gen::element<std::string>("0", "2")},
           {"default_duration", *rc::gen::element<std::string>("200", "INFINITY")}}});
  const auto count = *rc::gen::inRange(1, 12);
  for (int i = 0; i < count; ++i) {
    const auto slots = *rc::gen::inRange<std::int64_t>(1, 4);
    if (*rc::gen::inRange(0, 4) == 0) {
      const auto start = cell.now.seconds + *rc::gen::inRange<std::int64_t>(1, 500);
      cell.command(cell.root, Reserve{cell.on_pe(cell.window(start, 100), "fill", slots)});
      continue;
    }
    auto request = cell.job("crowd", *rc::gen::element<std::string>("", "50", "150", "400"));
    request.pe = "fill", request.slots = {{slots, slots}};
    request.reserve = *rc::gen::arbitrary<bool>();
    cell.submit(cell.alice, request);
    cell.pass();
  }
}

RC_GTEST_PROP(GivenAWaitingJob, WhenAnAlternativeIsPrintedThenItComesTrue, ()) {
  FixtureOfACase cell;
  crowd(cell);
  auto request = cell.job("waits", *rc::gen::element<std::string>("", "300"));
  const auto slots = *rc::gen::inRange<std::int64_t>(1, 6);
  request.pe = "fill", request.slots = {{slots, slots}};
  const auto waits = cell.submit(cell.alice, request);
  cell.pass();
  if (cell.is_active(waits)) return;
  const auto lines = gridengine::lines_of(cell.planner.ask(ExplainJob{waits, true}, cell.now));
  std::vector<JobRequest> alternatives;
  for (const auto& line : lines) {
    auto other = request;
    if (!line.text.starts_with("would start now with ")) continue;
    if (const auto at = line.text.find("-l h_rt="); at != std::string::npos)
      other.resources = {{"h_rt", std::to_string(std::atoll(line.text.c_str() + at + 8))}};
    else {
      const auto fewer = std::atoll(line.text.c_str() + line.text.find("-pe fill ") + 9);
      other.slots = {{fewer, fewer}};
    }
    alternatives.push_back(std::move(other));
  }
  if (alternatives.empty()) return;
  const auto chosen = *rc::gen::elementOf(alternatives);
  const auto number = cell.submit(cell.alice, chosen);
  cell.pass();
  if (!cell.is_active(number))
    RC_FAIL("alternative to:\n" + cell.text(cell.planner.ask(ExplainJob{waits, true}, cell.now)) +
            "does not start:\n" + cell.text(cell.planner.ask(ExplainJob{number}, cell.now)));
}
