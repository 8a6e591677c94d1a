#include "core/matching/instance_condition.hpp"
#include "planner_fixture.hpp"

using namespace almanac;

using GivenOneHostWithFourSlots = PlannerFixture;

TEST_F(GivenOneHostWithFourSlots,
       WhenAllAreReservedThenASecondReservationIsRefusedAndOneThatMeetsItIsNot) {
  hosts(1, 4);
  EXPECT_EQ(reserve(root, on_pe(window(1'000'100, 100), "fill", 4)), 1);
  const auto refused = command(root, Reserve{on_pe(window(1'000'150, 100), "fill", 1)});
  EXPECT_EQ(refused.exit_code, 1);
  EXPECT_NE(text(refused).find("advance_reservation: no suitable queues"), std::string::npos);
  EXPECT_EQ(reserve(root, on_pe(window(1'000'200, 100), "fill", 4)), 2)
      << "refused requests consume no id";
}

TEST_F(GivenOneHostWithFourSlots, WhenAJobWithoutLimitRunsThenItsSlotCantBeReserved) {
  hosts(1, 4);
  submit(root, job("endless"));
  pass();
  EXPECT_EQ(command(root, Reserve{on_pe(window(2'000'000, 100), "fill", 4)}).exit_code, 1);
  EXPECT_EQ(command(root, Reserve{on_pe(window(2'000'000, 100), "fill", 3)}).exit_code, 0);
}

TEST_F(GivenOneHostWithFourSlots, WhenAReservationIsAheadThenOnlyJobsThatEndBeforeItStart) {
  hosts(1, 4);
  reserve(root, on_pe(window(now.seconds + 600, 600), "fill", 4));
  const auto exact = submit(root, job("exact", "540"));
  const auto longer = submit(root, job("longer", "541"));
  const auto endless = submit(root, job("endless"));
  pass();
  EXPECT_TRUE(is_active(exact)) << "540 s and the offset of 60 s end when the reservation starts";
  EXPECT_FALSE(is_active(longer));
  EXPECT_FALSE(is_active(endless));
}

TEST_F(GivenOneHostWithFourSlots, WhenAJobAsksForAReservationThenItRunsInsideItAndNeverExceedsIt) {
  hosts(1, 4);
  const auto ar = reserve(root, on_pe(window(now.seconds, 1000), "fill", 2));
  EXPECT_EQ(letter(ar), 'r') << "it starts at once";
  std::vector<std::int64_t> inside;
  for (int i = 0; i < 3; ++i) {
    auto request = job("inside");
    request.reservation = {ar};
    inside.push_back(submit(root, request));
  }
  const auto outside = submit(root, job("outside"));
  pass();
  EXPECT_TRUE(is_active(inside[0]) && is_active(inside[1]));
  EXPECT_FALSE(is_active(inside[2]));
  EXPECT_TRUE(is_active(outside));
  EXPECT_EQ(find(inside[0])->tasks.front().limit, Duration{940}) << "until the end less the offset";
  EXPECT_EQ(planner.state().ledger().used(Container::queue({"all.q", "h1"}), "slots",
                                          {now, now + Duration{1}}),
            3);
}

TEST_F(GivenOneHostWithFourSlots, WhenAReservationEndsThenItsJobsAreRemoved) {
  hosts(1, 4);
  const auto ar = reserve(root, on_pe(window(now.seconds, 1000), "fill", 1));
  auto request = job("inside");
  request.reservation = {ar};
  const auto running = submit(root, request), waiting = submit(root, request);
  pass();
  start(running);
  now = now + Duration{1000};
  due(ar);
  EXPECT_EQ(letter(ar), 'x');
  EXPECT_EQ(find(waiting), nullptr);
  EXPECT_TRUE(find(running)->tasks.front().deleting);
  end(running);
  EXPECT_EQ(letter(ar), '-');
  EXPECT_TRUE(
      planner.state().ledger().find(Container::queue({"all.q", "h1"}), "slots")->is_empty());
}

TEST_F(GivenOneHostWithFourSlots,
       WhenTheReservationIsTooShortForAJobThenTheSubmissionIsRefusedWithNumbers) {
  hosts(1, 4);
  const auto ar = reserve(root, on_pe(window(now.seconds + 10, 100), "fill", 1));
  auto request = job("long", "41");
  request.reservation = {ar};
  const auto answer = command(root, Submit{request, "hash"});
  EXPECT_EQ(answer.exit_code, 1);
  EXPECT_NE(
      text(answer).find("the job duration is longer than duration of the advance reservation id 1"),
      std::string::npos);
  EXPECT_NE(text(answer).find("00:00:41"), std::string::npos);
  request.resources = {{"h_rt", "40"}};
  EXPECT_EQ(command(root, Submit{request, "hash"}).exit_code, 0);
}

TEST_F(GivenOneHostWithFourSlots, WhenAUserIsNotListedThenTheSubmissionIsRefusedAtOnce) {
  hosts(1, 4);
  auto request = on_pe(window(now.seconds, 1000), "fill", 2);
  request.users = {"alice", "!bob"};
  const auto ar = reserve(root, request);
  auto asked = job("inside");
  asked.reservation = {ar};
  EXPECT_EQ(command(alice, Submit{asked, "hash"}).exit_code, 0);
  EXPECT_EQ(command(bob, Submit{asked, "hash"}).exit_code, 1);
  EXPECT_EQ(command(root, Submit{asked, "hash"}).exit_code, 1)
      << "only the list counts, not the owner";
}

TEST_F(GivenOneHostWithFourSlots, WhenSomebodyIsNotInArusersThenNothingIsReserved) {
  hosts(1, 4);
  const auto answer = command(alice, Reserve{window(now.seconds, 100)});
  EXPECT_EQ(text(answer), "denied: \"alice\" must be manager or in userset \"arusers\"\n");
  ConfigurationChange change{
      ChangeVerb::add_entries, {ObjectKind::userset, "arusers", {}}, {"alice"}};
  EXPECT_EQ(command(root, Configure{change}).exit_code, 0);
  EXPECT_EQ(command(alice, Reserve{window(now.seconds, 100)}).exit_code, 0);
}

TEST_F(GivenOneHostWithFourSlots, WhenTheLimitOfReservationsIsReachedThenTheExitCodeIs25) {
  hosts(1, 4);
  ConfigurationChange change{
      ChangeVerb::modify,
      {ObjectKind::global_configuration, "", {{"max_advance_reservations", "1"}}},
      {}};
  EXPECT_EQ(command(root, Configure{change}).exit_code, 0);
  reserve(root, window(now.seconds, 100));
  const auto answer = command(root, Reserve{window(now.seconds, 100)});
  EXPECT_EQ(answer.exit_code, 25);
  EXPECT_EQ(text(answer), "rejected: only 1 advance reservations are allowed per cluster\n");
}

TEST_F(GivenOneHostWithFourSlots,
       WhenASettingWouldVoidAReservationThenItIsDeniedAndNothingChanges) {
  hosts(1, 4);
  reserve(root, on_pe(window(now.seconds + 100, 100), "fill", 3));
  const auto change = [&](ObjectKind kind, const std::string& name, const std::string& attribute,
                          const std::string& value) {
    return command(root, Configure{{ChangeVerb::modify, {kind, name, {{attribute, value}}}, {}}});
  };
  const auto digest = planner.digest();
  EXPECT_EQ(text(change(ObjectKind::cluster_queue, "all.q", "slots", "2")),
            "denied: 3 slots are already reserved in all.q@h1 by an advance reservation\n");
  EXPECT_EQ(text(change(ObjectKind::parallel_environment, "fill", "slots", "2")),
            "denied: lowering slots amount below 3 would break advance reservations\n");
  EXPECT_EQ(planner.digest(), digest);
  EXPECT_EQ(change(ObjectKind::cluster_queue, "all.q", "slots", "3").exit_code, 0);
  EXPECT_EQ(change(ObjectKind::parallel_environment, "fill", "slots", "3").exit_code, 0);
}

TEST_F(GivenOneHostWithFourSlots, WhenAConsumableIsReservedThenLoweringItIsDenied) {
  hosts(1, 4);
  auto complexes = template_of(ObjectKind::complex, "");
  complexes.attributes.push_back({"license", "lic INT <= YES YES 0 0"});
  EXPECT_EQ(command(root, Configure{{ChangeVerb::modify, complexes, {}}}).exit_code, 0);
  const auto licenses = [&](const char* value) {
    return command(root, Configure{{ChangeVerb::modify,
                                    {ObjectKind::exec_host, "global", {{"complex_values", value}}},
                                    {}}});
  };
  EXPECT_EQ(licenses("license=5").exit_code, 0);
  auto request = on_pe(window(now.seconds + 100, 100), "fill", 2);
  request.resources = {{"lic", "2"}};
  reserve(root, request);
  auto more = on_pe(window(now.seconds + 100, 100), "fill", 1);
  more.resources = {{"license", "2"}};
  EXPECT_EQ(command(root, Reserve{more}).exit_code, 1);
  EXPECT_EQ(text(licenses("license=3")),
            "denied: changing \"license\" in complex_values would break advance reservation\n");
  EXPECT_EQ(text(licenses("NONE")),
            "denied: changing \"license\" in complex_values would break advance reservation\n");
  EXPECT_EQ(licenses("license=4").exit_code, 0);
}

using GivenTwoHosts = PlannerFixture;

TEST_F(GivenTwoHosts, WhenOneIsLostThenSoftGoesOnAndHardDoesNot) {
  hosts(2, 2);
  const auto soft = reserve(root, on_pe(window(now.seconds, 1000), "mpi", 2));
  auto strict = on_pe(window(now.seconds, 1000), "mpi", 2);
  strict.hard = true;
  const auto hard = reserve(root, strict);
  const auto later = reserve(root, on_pe(window(now.seconds + 2000, 100), "mpi", 2));
  tell(HostSilent{"h2", false});
  EXPECT_EQ(letter(soft), 'r') << "suspect is not shown";
  tell(HostSilent{"h2", true});
  EXPECT_EQ(letter(soft), 'E');
  EXPECT_EQ(letter(later), 'W');
  EXPECT_EQ(planner.state().reservation_by_number({soft})->bad,
            std::vector<std::string>{"reserved queue all.q@h2 is unknown"});
  auto in_soft = job("soft"), in_hard = job("hard");
  in_soft.reservation = {soft}, in_hard.reservation = {hard};
  const auto a = submit(root, in_soft), b = submit(root, in_hard);
  pass();
  EXPECT_TRUE(is_active(a));
  EXPECT_FALSE(is_active(b));
  const auto why = gridengine::lines_of(planner.ask(ExplainJob{b}, now));
  ASSERT_EQ(why.size(), 2u);
  EXPECT_EQ(why[0].text, "cannot run because requested advance reservation 2 is in error state");
  EXPECT_EQ(why[1].text, "reserved queue all.q@h2 is unknown");
  tell(HostRegistered{"h2", planner.state().host("h2").facts});
  EXPECT_EQ(letter(hard), 'r');
  pass();
  EXPECT_TRUE(is_active(b));
}

TEST_F(GivenTwoHosts, WhenAReservedHostLeavesItsQueueThenItLivesOnAsAnOrphanForItsReservation) {
  hosts(2, 2);
  auto request = window(now.seconds, 3600);
  request.queues = {"all.q@h1"};
  const auto ar = reserve(root, request);
  const auto hostlist = [&](const std::string& hosts) {
    return command(root, Configure{{ChangeVerb::modify,
                                    {ObjectKind::host_group, "@allhosts", {{"hostlist", hosts}}},
                                    {}}});
  };
  ASSERT_EQ(hostlist("h2").exit_code, 0);
  const auto* orphan = planner.state().configuration().instance("all.q@h1");
  ASSERT_TRUE(orphan && orphan->orphaned);
  EXPECT_EQ(instance_letters(planner.state().configuration(), *orphan, planner.state().host("h1"),
                             planner.state().instance({"all.q", "h1"})),
            "o");

  auto inside = job("inside", "60");
  inside.reservation = {ar};
  const auto in_reservation = submit(root, inside);
  auto outside = job("outside", "60");
  outside.queues = {"all.q@h1"};
  const auto ordinary = submit(root, outside);
  pass();
  EXPECT_TRUE(is_active(in_reservation));
  EXPECT_FALSE(is_active(ordinary));

  EXPECT_NE(command(root, Configure{{ChangeVerb::erase, {ObjectKind::exec_host, "h1", {}}, {}}})
                .exit_code,
            0);
  EXPECT_NE(command(root, Configure{{ChangeVerb::add, {ObjectKind::orphan, "all.q@h9", {}}, {}}})
                .exit_code,
            0);
  start(in_reservation);
  end(in_reservation);
  command(root, DeleteReservations{{std::to_string(ar)}, {}, false});
  EXPECT_EQ(planner.state().configuration().instance("all.q@h1"), nullptr);
  EXPECT_EQ(command(root, Configure{{ChangeVerb::erase, {ObjectKind::exec_host, "h1", {}}, {}}})
                .exit_code,
            0);
}

TEST_F(GivenTwoHosts, WhenTheQueueOfAReservationIsDeletedThenOnlyRunningJobsPreventIt) {
  hosts(2, 2);
  auto request = window(now.seconds, 3600);
  request.queues = {"all.q@h1"};
  const auto ar = reserve(root, request);
  const auto erase = [&] {
    return command(root,
                   Configure{{ChangeVerb::erase, {ObjectKind::cluster_queue, "all.q", {}}, {}}});
  };
  auto inside = job("inside", "60");
  inside.reservation = {ar};
  const auto number = submit(root, inside);
  pass();
  EXPECT_NE(text(erase()).find("still running jobs"), std::string::npos);
  start(number);
  end(number);
  EXPECT_EQ(erase().exit_code, 0);
  ASSERT_NE(planner.state().configuration().instance("all.q@h1"), nullptr);
  const auto restored = Planner::restore(planner.state().records().copy());
  ASSERT_TRUE(restored.ok());
  EXPECT_EQ(restored->digest(), planner.digest());
  due(ar);
  now = now + Duration{4000};
  due(ar);
  EXPECT_EQ(planner.state().configuration().instance("all.q@h1"), nullptr);
}

TEST_F(GivenTwoHosts, WhenAnUnhealthyHostIsNeededThenItIsReservedForLaterOnlyAndTheAnswerSaysSo) {
  hosts(2, 2);
  tell(HostSilent{"h2", true});
  EXPECT_EQ(command(root, Reserve{on_pe(window(now.seconds, 100), "fill", 3)}).exit_code, 1);
  const auto answer = command(root, Reserve{on_pe(window(now.seconds + 10, 100), "fill", 3)});
  EXPECT_EQ(answer.exit_code, 0);
  EXPECT_NE(text(answer).find("reserved queue all.q@h2 is unknown"), std::string::npos);
  EXPECT_EQ(letter(answer.number), 'W');
}

using GivenAHeldReservation = PlannerFixture;

TEST_F(GivenAHeldReservation, WhenCommittedThenItStandsAndWhenItExpiresItIsGone) {
  hosts(1, 4);
  PrepareReservation prepare{
      "t1", 0, ReservationVerb::change, on_pe(window(now.seconds + 100, 100), "fill", 4), {10}};
  const auto held = command(root, prepare);
  EXPECT_EQ(held.exit_code, 0);
  EXPECT_EQ(command(root, Reserve{on_pe(window(now.seconds + 100, 100), "fill", 1)}).exit_code, 1)
      << "a proposal is booked";
  EXPECT_EQ(command(root, SettleReservation{"other", held.number, true}).exit_code, 1);
  EXPECT_EQ(command(root, SettleReservation{"t1", held.number, true}).exit_code, 0);
  EXPECT_EQ(letter(held.number), 'w');

  const auto second =
      command(root, PrepareReservation{"t2",
                                       0,
                                       ReservationVerb::change,
                                       on_pe(window(now.seconds + 300, 100), "fill", 4),
                                       {10}});
  now = now + Duration{10};
  due(second.number);
  EXPECT_EQ(letter(second.number), '-');
  EXPECT_EQ(command(root, Reserve{on_pe(window(now.seconds + 300, 100), "fill", 4)}).exit_code, 0);
}

TEST_F(GivenAHeldReservation, WhenAChangeIsAbortedThenTheOldShapeStands) {
  hosts(1, 4);
  const auto ar = reserve(root, on_pe(window(now.seconds + 100, 100), "fill", 2));
  const auto before = planner.digest();
  EXPECT_EQ(command(root, PrepareReservation{"t",
                                             ar,
                                             ReservationVerb::change,
                                             on_pe(window(now.seconds + 100, 200), "fill", 4),
                                             {10}})
                .exit_code,
            0);
  EXPECT_NE(planner.digest(), before);
  EXPECT_EQ(command(root, SettleReservation{"t", ar, false}).exit_code, 0);
  auto records = planner.state().records().copy();
  EXPECT_EQ(records.transactions.size(), 1u) << "that it was aborted is all that is new";
  records.transactions.clear(), records.counters.last_settled = 0;
  EXPECT_EQ(Planner::restore(std::move(records))->digest(), before);
  EXPECT_EQ(
      command(root, PrepareReservation{"t", ar, ReservationVerb::destroy, {}, {10}}).exit_code, 0);
  EXPECT_EQ(command(root, SettleReservation{"t", ar, true}).exit_code, 0);
  EXPECT_EQ(letter(ar), '-');
  EXPECT_TRUE(
      planner.state().ledger().find(Container::queue({"all.q", "h1"}), "slots")->is_empty());
}

TEST_F(GivenOneHostWithFourSlots, WhenAReservationEndsThenJobsThatNeverRanAreAccountedAndToldOf) {
  hosts(1, 4);
  const auto ar = reserve(root, on_pe(window(now.seconds, 1000), "fill", 1));
  auto request = job("inside");
  request.reservation = {ar}, request.mail_at = "a";
  const auto running = submit(root, request), waiting = submit(root, request);
  request.tasks = {1, 1000, 1};
  const auto array = submit(root, request);
  pass();
  start(running);
  now = now + Duration{1000};
  std::map<std::int64_t, std::vector<AccountingRecord>> records;
  std::map<std::int64_t, int> letters;
  for (const auto& effect :
       handle(ReservationDue{planner.state().reservation_by_number({ar})->key}).effects) {
    if (const auto* record = std::get_if<AccountingRecord>(&effect))
      records[record->job_number.value].push_back(*record);
    if (const auto* letter = std::get_if<Letter>(&effect)) ++letters[letter->number];
  }
  EXPECT_EQ(records.count(running), 0) << "it still runs";
  ASSERT_EQ(records[waiting].size(), 1);
  EXPECT_EQ(records[waiting].front().record.reason, "advance reservation 1 ended");
  EXPECT_EQ(records[waiting].front().record.failed, failed::before_job);
  EXPECT_EQ(records[waiting].front().queue, "UNKNOWN");
  EXPECT_EQ(records[waiting].front().reservation.value, ar);
  EXPECT_EQ(records[waiting].front().started, Instant{});
  EXPECT_EQ(records[array].size(), 1) << "one for all its tasks";
  EXPECT_EQ(letters[waiting], 1);
  EXPECT_EQ(letters[array], 1);
}

// Nobody but who asks knows the groups of those who are to use it.
TEST_F(GivenOneHostWithFourSlots, WhenAnAccessListNamesAGroupThenTheGroupsOfAllUsersCount) {
  hosts(1, 4);
  const auto set = [&](const std::string& attribute) {
    return command(root, Configure{{ChangeVerb::modify,
                                    {ObjectKind::cluster_queue, "all.q", {{attribute, "chem"}}},
                                    {}}})
        .exit_code;
  };
  ASSERT_EQ(command(root, Configure{{ChangeVerb::add_entries,
                                     {ObjectKind::userset, "chem", {}},
                                     {"@chemists"}}})
                .exit_code,
            0);
  ASSERT_EQ(set("user_lists"), 0);
  auto request = window(now.seconds, 1000);
  request.users = {"alice"};
  EXPECT_EQ(command(root, Reserve{request}).exit_code, 1) << "nobody has said that she is one";
  request.groups = {{"alice", "users"}};
  EXPECT_EQ(command(root, Reserve{request}).exit_code, 1);
  request.groups = {{"alice", "chemists"}};
  EXPECT_EQ(command(root, Reserve{request}).exit_code, 0);
  auto own = window(now.seconds, 1000);
  own.groups = {{"root", "chemists"}};
  EXPECT_EQ(command(root, Reserve{own}).exit_code, 1) << "the door says what the owner is";
}

TEST_F(GivenOneHostWithFourSlots, WhenAnAccessListKeepsAGroupOutThenItsUsersGetNoReservation) {
  hosts(1, 4);
  ASSERT_EQ(command(root, Configure{{ChangeVerb::add_entries,
                                     {ObjectKind::userset, "chem", {}},
                                     {"@chemists"}}})
                .exit_code,
            0);
  ASSERT_EQ(
      command(root, Configure{{ChangeVerb::modify,
                               {ObjectKind::cluster_queue, "all.q", {{"xuser_lists", "chem"}}},
                               {}}})
          .exit_code,
      0);
  auto request = window(now.seconds, 1000);
  request.users = {"alice"}, request.groups = {{"alice", "chemists"}};
  EXPECT_EQ(text(command(root, Reserve{request})),
            "queue \"all.q@h1\" has no permissions for selected users\n"
            "advance_reservation: no suitable queues\n");
  request.groups = {{"alice", "users"}};
  EXPECT_EQ(command(root, Reserve{request}).exit_code, 0);
}
