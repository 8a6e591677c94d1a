// Reservations that take in jobs which did not name them (docs/spec/beyond.md section 7).
#include "planner_fixture.hpp"

using namespace almanac;

namespace {

class GivenAReservationThatAttracts : public PlannerFixture {
public:
  GivenAReservationThatAttracts() {
    planner.set_checking(true);
    scheduler({{"params", "DURATION_OFFSET=0"}});
    change({ObjectKind::userset, "arusers", {{"entries", "alice bob"}}});
  }
  ReservationRequest wanted(std::int64_t slots, std::int64_t length) const {
    auto request = window(now.seconds, length);
    request.pe = "fill", request.slots = {{slots, slots}};
    request.attract = true;
    return request;
  }
  void add_second_host() {
    EXPECT_EQ(command(root, AddHost{"h2", 4}).exit_code, 0);
    register_host("h2");
  }
  /// All of h1, which is the only host.
  std::int64_t whole_host(const Caller& owner, std::int64_t length = 7200) {
    hosts(1, 4);
    return reserve(owner, wanted(4, length));
  }
  /// The number of the reservation that the job's task runs in without -ar; 0: it does not.
  std::int64_t inside(std::int64_t number, std::int64_t task = 0) const {
    const auto* job = find(number);
    const auto* found = job ? job->find(task) : nullptr;
    const auto* reservation = found ? planner.state().reservation(found->attracted_by) : nullptr;
    return reservation ? reservation->number.value : 0;
  }
  std::int64_t submit_and_pass(const Caller& owner, JobRequest request) {
    const auto number = submit(owner, std::move(request));
    pass();
    return number;
  }
  JobRequest bound(std::int64_t reservation, const std::string& limit = "60") const {
    auto request = job("bound", limit);
    request.reservation = {reservation};
    return request;
  }
  std::vector<AccountingRecord> accounted(const Input& input) {
    std::vector<AccountingRecord> records;
    for (auto& effect : handle(input).effects)
      if (auto* record = std::get_if<AccountingRecord>(&effect))
        records.push_back(std::move(*record));
    return records;
  }
  void wait(std::int64_t seconds) { now = now + Duration{seconds}; }
};

} // namespace

// I1, B7.11, B7.13
TEST_F(GivenAReservationThatAttracts, WhenAJobEndsInTimeAndItsUserIsAdmittedThenItRunsInside) {
  const auto ar = whole_host(alice);
  EXPECT_EQ(inside(submit_and_pass(alice, job("fits", "7200"))), ar);
  EXPECT_FALSE(is_active(submit_and_pass(alice, job("long", "7201"))));
  EXPECT_FALSE(is_active(submit_and_pass(alice, job("endless"))));
  EXPECT_FALSE(is_active(submit_and_pass(bob, job("others", "60"))));
  wait(1);
  EXPECT_FALSE(is_active(submit_and_pass(alice, job("late", "7200"))));
  EXPECT_EQ(inside(submit_and_pass(alice, job("in-time", "7199"))), ar);
}

// I1: outside there is room, and those that do not fit are there.
TEST_F(GivenAReservationThatAttracts, WhenAJobDoesNotFitInsideThenItRunsOutside) {
  const auto ar = whole_host(alice);
  add_second_host();
  const auto fits = submit_and_pass(alice, job("fits", "60"));
  const auto endless = submit_and_pass(alice, job("endless"));
  EXPECT_EQ(inside(fits), ar);
  EXPECT_TRUE(is_active(endless));
  EXPECT_EQ(inside(endless), 0);
}

// I2, B7.2
TEST_F(GivenAReservationThatAttracts, WhenBothWaitThenThoseThatNamedItComeFirst) {
  const auto ar = whole_host(alice);
  std::vector<std::int64_t> attracted, named;
  for (int i = 0; i < 4; ++i) attracted.push_back(submit(alice, job("attracted", "60")));
  for (int i = 0; i < 4; ++i) {
    auto request = bound(ar);
    request.priority = -100 * i;
    named.push_back(submit(alice, request));
  }
  pass();
  for (const auto number : named) EXPECT_TRUE(is_active(number));
  for (const auto number : attracted) EXPECT_FALSE(is_active(number));
  start(named.front()), end(named.front());
  pass();
  EXPECT_EQ(inside(attracted.front()), ar);
}

// I7, B7.22
TEST_F(GivenAReservationThatAttracts, WhenItIsInAHardErrorThenNobodyComesIn) {
  hosts(2, 4);
  auto request = wanted(8, 7200);
  request.hard = true;
  const auto ar = reserve(alice, request);
  tell(HostSilent{"h2", true});
  const auto number = submit_and_pass(alice, job("waits", "60"));
  EXPECT_EQ(letter(ar), 'E');
  EXPECT_FALSE(is_active(number));
  register_host("h2");
  pass();
  EXPECT_EQ(inside(number), ar);
}

// I8, B7.21
TEST_F(GivenAReservationThatAttracts, WhenSeveralDoThenTheOneThatEndsFirstIsTriedFirst) {
  hosts(1, 4);
  const auto longer = reserve(alice, wanted(1, 7200));
  const auto shorter = reserve(alice, wanted(1, 3600));
  EXPECT_EQ(inside(submit_and_pass(alice, job("a", "3600"))), shorter);
  EXPECT_EQ(inside(submit_and_pass(alice, job("b", "3600"))), longer) << "the first is full";
  EXPECT_EQ(inside(submit_and_pass(alice, job("c", "3600"))), 0);
}
TEST_F(GivenAReservationThatAttracts, WhenTheOneThatEndsFirstIsTooShortThenTheNextIsTaken) {
  hosts(1, 4);
  const auto longer = reserve(alice, wanted(1, 7200));
  reserve(alice, wanted(1, 3600));
  EXPECT_EQ(inside(submit_and_pass(alice, job("a", "3601"))), longer);
}

// I9, B7.12, B7.14
TEST_F(GivenAReservationThatAttracts, WhenAJobOptsOutOrAsksForMoreThenItStaysOutside) {
  auto complexes = template_of(ObjectKind::complex, "");
  complexes.attributes.push_back({"license", "lic INT <= YES YES 0 0"});
  EXPECT_EQ(command(root, Configure{{ChangeVerb::modify, complexes, {}}}).exit_code, 0);
  const auto ar = whole_host(alice);
  EXPECT_EQ(
      command(root, Configure{{ChangeVerb::modify,
                               {ObjectKind::exec_host, "global", {{"complex_values", "license=1"}}},
                               {}}})
          .exit_code,
      0);
  auto out = job("out", "60");
  out.stays_outside = true;
  EXPECT_FALSE(is_active(submit_and_pass(alice, out)));
  auto licensed = job("licensed", "60");
  licensed.resources.push_back({"lic", "1"});
  EXPECT_FALSE(is_active(submit_and_pass(alice, licensed)));
  auto other = job("other", "60");
  other.pe = "spread", other.slots = {{2, 2}};
  command(root, Configure{{ChangeVerb::add,
                           {ObjectKind::parallel_environment, "spread", {{"slots", "99"}}},
                           {}}});
  EXPECT_EQ(inside(submit_and_pass(alice, job("plain", "60"))), ar);
  const auto answer = command(alice, Submit{other, "hash"});
  pass();
  EXPECT_TRUE(answer.exit_code != 0 || !is_active(answer.number));
  auto same = job("same", "60");
  same.pe = "fill", same.slots = {{2, 2}};
  EXPECT_EQ(inside(submit_and_pass(alice, same)), ar);
}

// I10, B7.24
TEST_F(GivenAReservationThatAttracts, WhenItsJobIsRescheduledThenItIsAnOrdinaryJobAgain) {
  const auto ar = whole_host(alice, 100);
  const auto number = submit_and_pass(alice, job("again", "60"));
  ASSERT_EQ(inside(number), ar);
  start(number);
  wait(50);
  ExitRecord again;
  again.exit_status = 99;
  auto records = accounted(TaskEnded{attempt(number), again});
  ASSERT_EQ(records.size(), 1u);
  EXPECT_EQ(records[0].reservation.value, ar);
  wait(50);
  due(ar);
  pass();
  EXPECT_TRUE(is_active(number));
  EXPECT_EQ(inside(number), 0);
  start(number);
  records = accounted(TaskEnded{attempt(number), {}});
  ASSERT_EQ(records.size(), 1u);
  EXPECT_EQ(records[0].reservation.value, 0);
}

// B7.24: it ends with the reservation, and what it holds stays booked until it has.
TEST_F(GivenAReservationThatAttracts, WhenTheReservationIsDeletedThenItsJobIsEnded) {
  const auto ar = whole_host(alice);
  const auto number = submit_and_pass(alice, job("inside", "600"));
  start(number);
  command(alice, DeleteReservations{{std::to_string(ar)}, {}, false});
  EXPECT_EQ(letter(ar), 'd');
  EXPECT_TRUE(find(number)->find(0)->deleting);
  const auto next = submit_and_pass(alice, job("next", "60"));
  EXPECT_EQ(inside(next), 0) << "none is attracted any more";
  end(number);
  EXPECT_EQ(letter(ar), '-');
  EXPECT_FALSE(find(number));
}

TEST_F(GivenAReservationThatAttracts, WhenItEndsThenOtherTasksOfAnArrayStay) {
  const auto ar = whole_host(alice, 100);
  auto array = job("array", "80");
  array.tasks = {1, 6, 1};
  const auto number = submit_and_pass(alice, array);
  for (const auto task : {1, 2, 3, 4}) EXPECT_EQ(inside(number, task), ar);
  EXPECT_EQ(find(number)->active_tasks(), 4);
  command(alice, DeleteReservations{{std::to_string(ar)}, {}, true});
  EXPECT_EQ(letter(ar), '-');
  EXPECT_EQ(find(number)->waiting_tasks(), 2);
  pass();
  EXPECT_EQ(inside(number, 5), 0);
  EXPECT_TRUE(find(number)->find(5)->is_active());
}

// B7.23
TEST_F(GivenAReservationThatAttracts, WhenAPlaceWasHeldForAJobThenItIsGivenUp) {
  scheduler({{"max_reservation", "9"}});
  hosts(1, 4);
  const auto runs = submit_and_pass(root, job("runs", "1000"));
  start(runs);
  auto request = wanted(2, 7200);
  request.start = now + Duration{100};
  const auto ar = reserve(alice, request);
  auto held = job("held", "600");
  held.reserve = true, held.pe = "fill", held.slots = {{2, 2}};
  const auto number = submit_and_pass(alice, held);
  ASSERT_FALSE(find(number)->holds.empty());
  wait(100);
  due(ar);
  pass();
  EXPECT_EQ(inside(number), ar);
  EXPECT_TRUE(find(number)->holds.empty());
}

// -idle: it is a use.
TEST_F(GivenAReservationThatAttracts, WhenAnAttractedJobRunsThenItIsNotIdle) {
  hosts(1, 4);
  auto request = wanted(4, 7200);
  request.ends_when_idle = true, request.idle_for = {60};
  const auto ar = reserve(alice, request);
  const auto idle_since = [&] { return planner.state().reservation_by_number({ar})->idle_since; };
  const auto number = submit_and_pass(alice, job("inside", "600"));
  EXPECT_TRUE(idle_since().is_never());
  start(number);
  wait(300);
  end(number);
  EXPECT_EQ(idle_since(), now);
}

// Quotas do not count inside (B7.24).
TEST_F(GivenAReservationThatAttracts, WhenItsUserHasReachedAQuotaThenInsideAJobStillRuns) {
  const auto ar = whole_host(alice);
  add_second_host();
  command(root,
          Configure{{ChangeVerb::add,
                     {ObjectKind::quota_set, "one", {{"limit", "limit users {*} to slots=1"}}},
                     {}}});
  std::vector<std::int64_t> jobs;
  for (int i = 0; i < 6; ++i) jobs.push_back(submit(alice, job("j", "60")));
  pass();
  for (int i = 0; i < 4; ++i) EXPECT_EQ(inside(jobs[static_cast<std::size_t>(i)]), ar);
  EXPECT_TRUE(is_active(jobs[4]));
  EXPECT_FALSE(is_active(jobs[5]));
}

TEST_F(GivenAReservationThatAttracts, WhenAJobIsToStartAtOnceThenItMayBeInside) { // B7.14
  const auto ar = whole_host(alice);
  auto request = job("now", "60");
  request.immediate = true;
  const auto answer = command(alice, Submit{request, "hash"});
  ASSERT_EQ(answer.exit_code, 0) << text(answer);
  EXPECT_EQ(inside(answer.number), ar);
}

// B12.010
TEST_F(GivenAReservationThatAttracts, WhenItIsChangedToAttractNobodyThenNobodyComesIn) {
  const auto ar = whole_host(alice);
  EXPECT_EQ(command(alice, AlterReservation{{ar}, {"-attract"}, {}}).exit_code, 0);
  const auto number = submit_and_pass(alice, job("waits", "60"));
  EXPECT_FALSE(is_active(number));
  ReservationRequest again;
  again.attract = true;
  EXPECT_EQ(command(alice, AlterReservation{{ar}, {"-attract"}, again}).exit_code, 0);
  pass();
  EXPECT_EQ(inside(number), ar);
}

// B12.09, B12.33: its job did not name the reservation.
TEST_F(GivenAReservationThatAttracts, WhenAUserIsShutOutWhoseJobItTookInThenTheJobIsNamed) {
  hosts(1, 4);
  auto request = wanted(4, 7200);
  request.users = {"alice", "bob"};
  const auto ar = reserve(alice, request);
  const auto number = submit_and_pass(bob, job("guest", "60"));
  ASSERT_EQ(inside(number), ar);
  AlterReservation change{{ar}, {"-u"}, {}};
  change.request.users = {"alice"};
  const auto refusal = command(alice, change);
  EXPECT_EQ(refusal.exit_code, 1);
  EXPECT_NE(text(refusal).find("job " + std::to_string(number)), std::string::npos)
      << text(refusal);
  change.force = true;
  EXPECT_EQ(command(alice, change).exit_code, 0);
  EXPECT_EQ(inside(number), ar) << "it runs on";
}
