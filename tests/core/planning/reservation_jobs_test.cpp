// Jobs of a reservation: what is checked when they come and when they are altered, and what they
// get (spec/reservations.md section 11).
#include "planner_fixture.hpp"

using namespace almanac;

namespace {

class GivenJobsOfAReservation : public PlannerFixture {
public:
  static JobRequest inside(std::int64_t ar, const std::string& limit = "") {
    auto request = job("inside", limit);
    request.reservation = {ar};
    return request;
  }
  Answer try_submit(JobRequest request) {
    return command(root, Submit{std::move(request), "hash"});
  }
  Answer alter(std::int64_t number, std::vector<std::string> options, JobRequest request) {
    return command(root,
                   AlterJobs{{std::to_string(number)}, {}, std::move(options), std::move(request)});
  }
  void offset(std::int64_t seconds) {
    scheduler({{"params", "DURATION_OFFSET=" + std::to_string(seconds)}});
  }
};

} // namespace

// A course queues its work: what runs in the reservation is no reason to refuse more.
TEST_F(GivenJobsOfAReservation, WhenAllItsSlotsAreTakenThenFurtherJobsWaitInIt) {
  hosts(2, 2);
  const auto ar = reserve(root, on_pe(window(now.seconds, 600), "fill", 4));
  auto array = inside(ar);
  array.tasks = {1, 4, 1};
  submit(root, array);
  pass();
  const auto next = submit(root, inside(ar));
  pass();
  EXPECT_FALSE(is_active(next));
  auto parallel = inside(ar);
  parallel.pe = "fill", parallel.slots = {{4, 4}};
  submit(root, parallel);
  auto check = inside(ar);
  check.validation = Validation::verify;
  const auto verified = ask(VerifySubmit{root, {check, ""}});
  EXPECT_EQ(text(verified), "verification: found suitable queue(s)\n");
}

TEST_F(GivenJobsOfAReservation, WhenItCantServeAJobThenTheJobIsRefusedWhateverDashWSays) {
  hosts(2, 2);
  change({ObjectKind::parallel_environment,
          "rr",
          {{"slots", "99"}, {"allocation_rule", "$round_robin"}}},
         ChangeVerb::add);
  change({ObjectKind::cluster_queue, "all.q", {{"pe_list", "make smp mpi fill rr"}}});
  const auto ar = reserve(root, on_pe(window(now.seconds, 600), "fill", 3));
  auto seven = inside(ar), other = inside(ar), elsewhere = inside(ar);
  seven.pe = "fill", seven.slots = {{7, 7}};
  other.pe = "rr", other.slots = {{2, 2}};
  elsewhere.queues = {"*@h3"};
  for (const auto w : {Validation::unset, Validation::none, Validation::warning, Validation::error})
    for (auto* request : {&seven, &other}) {
      request->validation = w;
      EXPECT_EQ(try_submit(*request).exit_code, 1);
    }
  EXPECT_TRUE(says(try_submit(seven), "PE \"fill\" because it only offers 3 slots"));
  EXPECT_TRUE(says(try_submit(other), "cannot run in PE \"rr\" because advance reservation 1 was "
                                      "granted with PE \"fill\""));
  EXPECT_EQ(planner.state().counters().last_job_number, 0) << "refused requests consume no id";
}

TEST_F(GivenJobsOfAReservation, WhenAJobCanNeitherBeginNorEndInItThenItIsRefusedWithTheNumbers) {
  hosts(1, 2);
  const auto ar = reserve(root, window(now.seconds + 100, 600));
  auto late = inside(ar), early = inside(ar);
  late.execution_time = now + Duration{640};
  EXPECT_EQ(
      text(try_submit(late)),
      "Unable to run job: the job duration exceeds the end time of the advance reservation id "
      "1 (it begins 00:09:00 after the reservation does, 00:10:00 reserved less 60 s).\n"
      "Exiting.\n");
  late.execution_time = now + Duration{639};
  EXPECT_EQ(try_submit(late).exit_code, 0);
  early.deadline = now + Duration{40};
  EXPECT_TRUE(says(try_submit(early), "the deadline lies 00:01:00 before the start of the advance "
                                      "reservation id 1"));
  const auto brief = reserve(root, window(now.seconds, 60));
  EXPECT_TRUE(says(try_submit(inside(brief)), "00:01:00 reserved less 60 s"));
}

TEST_F(GivenJobsOfAReservation, WhenAJobOfItIsAlteredThenTheChecksAreMadeAgain) {
  hosts(2, 2);
  auto on_first = on_pe(window(now.seconds + 10, 600), "fill", 2);
  on_first.queues = {"*@h1"};
  const auto ar = reserve(root, on_first);
  const auto number = submit(root, inside(ar));
  auto change = job("");
  change.resources = {{"h_rt", "7200"}};
  EXPECT_TRUE(says(alter(number, {"-l"}, change), "is longer than duration"));
  change = job("");
  change.pe = "mpi", change.slots = {{2, 2}};
  EXPECT_TRUE(says(alter(number, {"-pe"}, change), "was granted with PE \"fill\""));
  change = job("");
  change.queues = {"*@h2"};
  EXPECT_TRUE(says(alter(number, {"-q"}, change),
                   "cannot run in queue \"all.q@h2\" because it was not reserved"));
  EXPECT_TRUE(find(number)->request->queues.empty());
  change.queues = {"*@h1"};
  EXPECT_EQ(alter(number, {"-q"}, change).exit_code, 0);
  change = job("");
  change.execution_time = now + Duration{700};
  EXPECT_TRUE(says(alter(number, {"-a"}, change), "exceeds the end time"));
  EXPECT_TRUE(find(number)->request->resources.empty());
  change = job("");
  change.priority = -5;
  EXPECT_EQ(alter(number, {"-p"}, change).exit_code, 0);
}

TEST_F(GivenJobsOfAReservation, WhenItsPEChangesThenItsJobsStillGetWhatWasGranted) {
  hosts(2, 2);
  const auto ar = reserve(root, on_pe(window(now.seconds, 600), "fill", 4));
  change({ObjectKind::parallel_environment, "fill", {{"allocation_rule", "$pe_slots"}}});
  change({ObjectKind::userset, "staff", {{"entries", "alice"}}}, ChangeVerb::add);
  change({ObjectKind::parallel_environment, "fill", {{"user_lists", "staff"}}});
  auto request = inside(ar);
  request.pe = "fill", request.slots = {{4, 4}};
  const auto number = submit(root, request);
  pass();
  EXPECT_TRUE(is_active(number));
}

TEST_F(GivenJobsOfAReservation, WhenItsQueueIsNamedRThenThatIsIt) {
  hosts(1, 2);
  const auto ar = reserve(root, window(now.seconds, 600));
  auto request = job("inside");
  request.queues = {"R" + std::to_string(ar)};
  EXPECT_EQ(find(submit(root, request))->request->reservation.value, ar);
  request.queues = {"R7"};
  const auto waits = submit(root, request); // plus.md P5.2
  pass();
  EXPECT_FALSE(is_active(waits));
  EXPECT_EQ(text(command(root, DeleteReservations{{"R1"}, {}, false})),
            "root has registered the advance_reservation 1 for deletion\n");
}

TEST_F(GivenJobsOfAReservation, WhenUsersAreMeantByAPatternThenItIsMatchedWhenTheyCome) {
  hosts(1, 2);
  auto request = window(now.seconds, 600);
  request.users = {"al*", "!bob"};
  const auto ar = reserve(root, request);
  EXPECT_EQ(command(alice, Submit{inside(ar), ""}).exit_code, 0);
  EXPECT_EQ(command(bob, Submit{inside(ar), ""}).exit_code, 1);
  EXPECT_EQ(command(root, Submit{inside(ar), ""}).exit_code, 1) << "the owner is not meant";
}

// The host of its job does not come back, and nobody uses qrdel -f.
TEST_F(GivenJobsOfAReservation, WhenItIsDeletedAndItsHostIsLostThenItGoesAtItsEnd) {
  hosts(1, 2);
  const auto ar = reserve(root, window(now.seconds, 600));
  const auto number = submit(root, inside(ar));
  pass();
  start(number);
  command(root, DeleteReservations{{"1"}, {}, false});
  tell(HostSilent{"h1", true});
  EXPECT_EQ(letter(ar), 'd');
  now = now + Duration{600};
  due(ar);
  EXPECT_EQ(letter(ar), '-');
  EXPECT_EQ(find(number), nullptr);
}

TEST_F(GivenJobsOfAReservation, WhenTheMasterWasAwayForAllOfItThenOnlyItsEndIsTold) {
  hosts(1, 2);
  auto request = window(now.seconds + 10, 100);
  request.mail_at = "be";
  const auto ar = reserve(root, request);
  now = now + Duration{1000};
  const auto key = planner.state().reservation_by_number({ar})->key;
  std::vector<Occasion> told;
  for (const auto& effect : handle(ReservationDue{key}).effects)
    if (const auto* letter = std::get_if<Letter>(&effect)) told.push_back(letter->occasion);
  EXPECT_EQ(told, std::vector{Occasion::reservation_finished});
  EXPECT_EQ(letter(ar), '-');
}

TEST_F(GivenJobsOfAReservation, WhenAChangeIsCommittedThenItIsWhatARepairLooksFor) {
  hosts(3, 2);
  auto request = on_pe(window(now.seconds, 600), "fill", 2);
  request.queues = {"*@h1"}, request.repair = Repair::yes;
  const auto ar = reserve(root, request);
  auto change = on_pe(ReservationRequest(), "fill", 2);
  change.duration = {700}, change.has_duration = true, change.queues = {"*@h2", "*@h3"};
  const auto start = now;
  now = now + Duration{50};
  ASSERT_EQ(
      command(root, PrepareReservation{"t", ar, ReservationVerb::change, change, {60}}).exit_code,
      0);
  ASSERT_EQ(command(root, SettleReservation{"t", ar, true}).exit_code, 0);
  const auto shape = [&] { return planner.state().reservation_by_number({ar})->shape; };
  EXPECT_EQ(shape().window, (Window{start, start + Duration{700}})) << "it keeps its start";
  EXPECT_EQ(shape().grants.front().instance.text(), "all.q@h2");
  tell(HostSilent{"h2", true});
  pass();
  EXPECT_EQ(shape().grants.front().instance.text(), "all.q@h3");
}

TEST_F(GivenJobsOfAReservation, WhenAChangeNamesTheStartOfARunningOneAgainThenItIsNotInThePast) {
  hosts(1, 2);
  const auto ar = reserve(root, on_pe(window(now.seconds, 600), "fill", 2));
  const auto start = now;
  now = now + Duration{50};
  const auto prepare = [&](Instant from) {
    const auto change = on_pe(window(from.seconds, 700), "fill", 2);
    return command(root, PrepareReservation{"t", ar, ReservationVerb::change, change, {60}});
  };
  EXPECT_EQ(text(prepare(start + Duration{1})), "start time is in the past\n");
  const auto again = prepare(start);
  ASSERT_EQ(again.exit_code, 0) << text(again);
  ASSERT_EQ(command(root, SettleReservation{"t", ar, true}).exit_code, 0);
  EXPECT_EQ(planner.state().reservation_by_number({ar})->shape.window,
            (Window{start, start + Duration{700}}));
  EXPECT_EQ(letter(ar), 'r');
}

TEST_F(GivenJobsOfAReservation, WhenAPreparedRemovalIsCommittedThenItIsToldWhatIsLeft) {
  hosts(1, 2);
  const auto ar = reserve(root, window(now.seconds, 600));
  const auto number = submit(root, inside(ar));
  pass();
  start(number);
  command(root, PrepareReservation{"t", ar, ReservationVerb::destroy, {}, {60}});
  EXPECT_EQ(text(command(root, SettleReservation{"t", ar, true})),
            "root has registered the advance_reservation 1 for deletion\n");
}

// A task that does not end at once keeps its slot, and nothing else of the reservation.
TEST_F(GivenJobsOfAReservation, WhenItEndsThenOnlyWhatItsTasksHoldStaysBooked) {
  hosts(1, 4);
  const auto ar = reserve(root, on_pe(window(now.seconds, 600), "fill", 4));
  auto request = inside(ar);
  request.tasks = {1, 2, 1};
  const auto number = submit(root, request);
  pass();
  now = now + Duration{600};
  const auto used = [&] {
    return planner.state().ledger().used(Container::queue({"all.q", "h1"}), "slots",
                                         {now, now + Duration{1}});
  };
  due(ar);
  EXPECT_EQ(letter(ar), 'x');
  EXPECT_EQ(used(), 2);
  end(number, 0, 1);
  EXPECT_EQ(used(), 1);
  end(number, 0, 2);
  EXPECT_EQ(letter(ar), '-');
  EXPECT_EQ(used(), 0);
}

// Nobody waits for schedule_interval (P-086).
TEST_F(GivenJobsOfAReservation,
       WhenAJobRunsOnALostHostThenItIsRepairedAtOnceAndWhatItHoldsIsLeftBehind) {
  hosts(2, 2);
  auto request = on_pe(window(now.seconds, 600), "fill", 2);
  request.repair = Repair::yes, request.queues = {};
  const auto ar = reserve(root, request);
  const auto number = submit(root, inside(ar));
  pass();
  start(number);
  tell(HostSilent{"h1", true});
  pass();
  const auto left_behind = [&] {
    return planner.state().reservation_by_number({ar})->left_behind.size();
  };
  EXPECT_EQ(letter(ar), 'r');
  EXPECT_EQ(left_behind(), 1u);
  command(root, DeleteJobs{{std::to_string(number)}, {}, {}, true});
  pass();
  EXPECT_EQ(letter(ar), 'r');
  EXPECT_EQ(left_behind(), 0u);
}

// R10.10: its host is slow to tell of its end.
TEST_F(GivenJobsOfAReservation,
       WhenAJobOverstaysThenTheReservationBeginsAndItsJobsWaitForWhatItHolds) {
  hosts(1, 4);
  auto before = job("before", "100");
  before.pe = "fill", before.slots = {{3, 3}};
  const auto late = submit(root, before);
  pass();
  start(late);
  const auto ar = reserve(root, window(now.seconds + 200, 1000));
  const auto wide = reserve(root, on_pe(window(now.seconds + 200, 1000), "fill", 3));
  auto two = inside(wide);
  two.pe = "fill", two.slots = {{2, 2}};
  const auto waits = submit(root, two), fits = submit(root, inside(ar));
  now = now + Duration{200};
  due(ar);
  const auto opened = handle(ReservationDue{planner.state().reservation_by_number({wide})->key});
  EXPECT_EQ(letter(wide), 'r');
  ASSERT_FALSE(opened.warnings.empty());
  EXPECT_EQ(opened.warnings.front(),
            "advance reservation 2 has begun, but job 1 is past its limit and still holds 3 slots "
            "of queue:all.q@h1: jobs of the reservation wait for it");
  EXPECT_TRUE(
      handle(ReservationDue{planner.state().reservation_by_number({wide})->key}).warnings.empty())
      << "it begins once";
  pass();
  EXPECT_FALSE(is_active(waits));
  EXPECT_FALSE(is_active(fits));
  end(late);
  pass();
  EXPECT_TRUE(is_active(waits));
  EXPECT_TRUE(is_active(fits));
}

// R3.19
TEST_F(GivenJobsOfAReservation, WhenTheOffsetTakesMuchOfItThenTheAnswerTellsWhatIsLeft) {
  hosts(1, 4);
  const auto granted = [&](std::int64_t length) {
    const auto all = text(command(root, Reserve{window(now.seconds, length)}));
    return all.substr(all.find('\n') + 1);
  };
  EXPECT_EQ(granted(601), "");
  EXPECT_EQ(granted(600), "warning: a job can run in it for 00:09:00 at most: 00:10:00 reserved "
                          "less 60 s (DURATION_OFFSET)\n");
  EXPECT_EQ(granted(60),
            "warning: no job can run in it: 00:01:00 reserved less 60 s (DURATION_OFFSET)\n");
  offset(0);
  EXPECT_EQ(granted(1), "");
}

// J6, R11.10: who is taken off its list starts nothing more in it.
TEST_F(GivenJobsOfAReservation, WhenAnOwnerIsNotAdmittedAnyMoreThenTheJobWaitsAndSaysWhy) {
  hosts(1, 2);
  change({ObjectKind::userset, "course", {{"entries", "alice,bob"}}}, ChangeVerb::add);
  auto request = window(now.seconds + 10, 600);
  request.pe = "fill", request.slots = {{2, 2}}, request.users = {"@course"};
  const auto ar = reserve(root, request);
  const auto hers = submit(alice, inside(ar)), his = submit(bob, inside(ar));
  change({ObjectKind::userset, "course", {{"entries", "bob"}}});
  now = now + Duration{10};
  due(ar), pass();
  EXPECT_FALSE(is_active(hers));
  EXPECT_TRUE(is_active(his));
  EXPECT_EQ(text(planner.ask(ExplainJob{{hers}}, now)),
            "user \"alice\" is not admitted by advance reservation 1\n");
  change({ObjectKind::userset, "course", {{"entries", "alice,bob"}}});
  pass();
  EXPECT_TRUE(is_active(hers));
}

// Who waits behind others reads that it is too late, not only who has the slots.
TEST_F(GivenJobsOfAReservation, WhenTooLittleOfItIsLeftThenTheReasonSaysHowMuch) {
  hosts(1, 1);
  const auto ar = reserve(root, window(now.seconds, 200));
  const auto first = submit(root, inside(ar)), late = submit(root, inside(ar, "100"));
  pass();
  ASSERT_TRUE(is_active(first));
  now = now + Duration{50};
  pass();
  EXPECT_EQ(text(planner.ask(ExplainJob{{late}}, now)),
            "advance reservation 1 has 90 s left, the job requests 100 s\n");
}

// S7.14, R11.13: what is taken once for a job lies at the reservation's first slots; the others need none.
TEST_F(GivenJobsOfAReservation, WhenItHasAnAmountForAWholeJobThenAJobOnAllItsHostsRunsInIt) {
  hosts(2, 3);
  auto table = *planner.state().configuration().find(ObjectKind::complex, "");
  table.set("license", "lic INT <= YES JOB 0 0");
  change({ObjectKind::complex, "", table.attributes});
  for (const char* host : {"h1", "h2"})
    change({ObjectKind::exec_host, host, {{"complex_values", "license=3"}}});
  auto request = on_pe(window(now.seconds, 600), "fill", 5);
  request.resources = {{"license", "1"}};
  const auto ar = reserve(root, request);
  auto wide = inside(ar);
  wide.pe = "fill", wide.slots = {{5, 5}}, wide.resources = {{"license", "1"}};
  const auto whole = submit(root, wide);
  pass();
  ASSERT_TRUE(is_active(whole));
  EXPECT_EQ(find(whole)->find(0)->grants,
            planner.state().reservation_by_number({ar})->shape.grants);
  const auto master = find(whole)->find(0)->grants.front().instance.text();
  wide.master_queues = {master == "all.q@h1" ? "all.q@h2" : "all.q@h1"};
  EXPECT_TRUE(says(try_submit(wide), "because it offers no license")) << "it has none there";
  wide.master_queues = {master}, wide.resources = {{"license", "2"}};
  EXPECT_EQ(try_submit(wide).exit_code, 1) << "it has one";
}

// R11.13: who asks for nothing takes the default, which is not there; a request for 0 asks for none.
TEST_F(GivenJobsOfAReservation, WhenItHasAskedForNoneOfADefaultThenOnlyWhoAsksForNoneRunsInIt) {
  hosts(1, 4);
  auto table = *planner.state().configuration().find(ObjectKind::complex, "");
  table.set("disk", "dc INT <= YES YES 1 0");
  table.set("license", "lic INT <= YES JOB 1 0");
  change({ObjectKind::complex, "", table.attributes});
  change({ObjectKind::exec_host, "h1", {{"complex_values", "disk=3,license=3"}}});
  auto request = on_pe(window(now.seconds, 600), "fill", 2);
  request.resources = {{"dc", "0"}, {"license", "0"}};
  auto plain = inside(reserve(root, request)), none = plain, half = plain;
  none.resources = {{"disk", "0"}, {"lic", "0"}}, half.resources = {{"disk", "0"}};
  EXPECT_TRUE(says(try_submit(plain), "because it offers no disk"));
  EXPECT_TRUE(says(try_submit(half), "because it offers no license"));
  const auto runs = submit(root, none);
  pass();
  EXPECT_TRUE(is_active(runs));
}

// R9.8, R11.13
TEST_F(GivenJobsOfAReservation, WhenItDoesNotNameADefaultThenItHasItForItsJobs) {
  hosts(1, 4);
  auto table = *planner.state().configuration().find(ObjectKind::complex, "");
  table.set("disk", "dc INT <= YES YES 1 0");
  change({ObjectKind::complex, "", table.attributes});
  change({ObjectKind::exec_host, "h1", {{"complex_values", "disk=3"}}});
  auto plain = inside(reserve(root, on_pe(window(now.seconds, 600), "fill", 2))), none = plain;
  none.resources = {{"disk", "0"}};
  const auto takes_one = submit(root, plain), takes_none = submit(root, none);
  pass();
  EXPECT_TRUE(is_active(takes_one));
  EXPECT_TRUE(is_active(takes_none));
}
