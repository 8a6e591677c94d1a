// What a reservation gets for what it has lost (spec/beyond.md section 1).
#include "losing_hosts_fixture.hpp"

using namespace almanac;

namespace {

class GivenAReservationThatLosesHosts : public LosingHostsFixture {};

void add_p4(PlannerFixture& cell) {
  ConfigurationObject p4{ObjectKind::parallel_environment, "p4", {{"allocation_rule", "4"}}};
  p4.set("slots", "99");
  auto answer = cell.command(cell.root, Configure{{ChangeVerb::add, p4, {}}});
  ASSERT_EQ(answer.exit_code, 0) << PlannerFixture::text(answer);
  auto queue = *cell.planner.state().configuration().find(ObjectKind::cluster_queue, "all.q");
  queue.set("pe_list", "fill smp mpi p4");
  answer = cell.command(cell.root, Configure{{ChangeVerb::modify, queue, {}}});
  ASSERT_EQ(answer.exit_code, 0) << PlannerFixture::text(answer);
}

} // namespace

// beyond H1, B1.53, B1.91.
TEST_F(GivenAReservationThatLosesHosts, WhenAHostIsLostBeforeTheStartThenAnotherOneIsThereAtOnce) {
  const auto number = eight(600);
  EXPECT_EQ(places(number), "h1=4 h2=4");
  now = now + Duration{10};
  lose("h2");
  EXPECT_EQ(places(number), "h1=4 h3=4");
  EXPECT_EQ(letter(number), 'w');
  later(90);
  come_back("h2");
  EXPECT_EQ(places(number), "h1=4 h2=4");
}

// beyond H4, B1.4, B1.6.
TEST_F(GivenAReservationThatLosesHosts, WhenOnlyAPartIsFreeThenThatIsTaken) {
  const auto number = eight();
  outside("h3", 4);
  const auto three = outside("h4", 3), one = outside("h4", 1);
  lose("h2");
  EXPECT_EQ(letter(number), 'E');
  EXPECT_TRUE(reservation(number).note.starts_with(
      "not repaired: no replacement found for 4 slots of all.q@h2=4: "))
      << reservation(number).note;
  end(three);
  pass();
  EXPECT_EQ(reservation(number).note, "repaired in part: 3 of 4 slots");
  EXPECT_EQ(letter(number), 'E');
  EXPECT_EQ(places(number), "h1=4 h4=3 h2=1");
  end(one);
  pass();
  EXPECT_EQ(letter(number), 'r');
  EXPECT_EQ(places(number), "h1=4 h4=4");
  come_back("h2");
  EXPECT_EQ(places(number), "h1=4 h2=4");
}

// beyond H5, B1.4.
TEST_F(GivenAReservationThatLosesHosts, WhenTheRuleWantsAllOfAHostThenAPartIsNotTaken) {
  add_p4(*this);
  auto request = on_pe(window(now.seconds, 600), "p4", 8);
  request.repair = Repair::yes;
  const auto number = reserve(root, request);
  outside("h3", 1), outside("h4", 4);
  lose("h2");
  EXPECT_EQ(places(number), "h1=4 h2=4");
  EXPECT_TRUE(reservation(number).note.starts_with(
      "not repaired: no replacement found for 4 slots of all.q@h2=4: "))
      << reservation(number).note;
  EXPECT_EQ(booked("h3"), 1) << "nothing is booked";
}

// B1.41.
TEST_F(GivenAReservationThatLosesHosts, WhenTheRuleHasChangedThenThatOfTheGrantCounts) {
  const auto number = eight();
  auto pe = *planner.state().configuration().find(ObjectKind::parallel_environment, "fill");
  pe.set("allocation_rule", "4");
  ASSERT_EQ(command(root, Configure{{ChangeVerb::modify, pe, {}}}).exit_code, 0);
  outside("h3", 1), outside("h4", 4);
  lose("h2");
  EXPECT_EQ(reservation(number).note, "repaired in part: 3 of 4 slots");
}

// beyond H7, B1.05.
TEST_F(GivenAReservationThatLosesHosts, WhenItCannotBeRepairedInTimeThenItEnds) {
  for (const auto lost_after : {700, 10}) {
    const auto begin = now;
    const auto number = eight(600, Repair::fail);
    const auto a = outside("h3", 4), b = outside("h4", 4);
    later(lost_after);
    lose("h2");
    const auto ends = std::max<std::int64_t>(600, lost_after) + 60;
    later(begin.seconds + ends - 1 - now.seconds);
    EXPECT_EQ(letter(number), 'E');
    EXPECT_EQ(reservation(number).gives_up_at, begin + Duration{ends});
    later(1);
    EXPECT_EQ(letter(number), '-');
    end(a), end(b);
    come_back("h2");
  }
}

TEST_F(GivenAReservationThatLosesHosts, WhenItIsWellAgainInTimeThenItDoesNotEnd) {
  global({{"qmaster_params", "repair_patience=0:0:30"}});
  const auto number = eight(0, Repair::fail);
  outside("h3", 4), outside("h4", 4);
  lose("h2");
  EXPECT_EQ(reservation(number).gives_up_at, now + Duration{30});
  later(29);
  come_back("h2");
  EXPECT_EQ(reservation(number).gives_up_at, Instant{});
  later(31);
  EXPECT_EQ(letter(number), 'r');
}

// Whoever is served before the timer finds it there: what it commits then says how it ends.
TEST_F(GivenAReservationThatLosesHosts, WhenAChangeIsCommittedAsItIsGivenUpThenNothingElseBreaks) {
  global({{"qmaster_params", "repair_patience=0:0:30"}});
  const auto number = eight(0, Repair::fail);
  outside("h3", 4), outside("h4", 4);
  lose("h2");
  ASSERT_EQ(reservation(number).gives_up_at, now + Duration{30});
  now = now + Duration{30};
  ReservationRequest shorter;
  shorter.end = now + Duration{500};
  command(root, PrepareReservation{"t", {number}, ReservationVerb::change, shorter, {}});
  later(0);
  EXPECT_EQ(letter(number), '-');
}

// beyond H8, B1.5.
TEST_F(GivenAReservationThatLosesHosts, WhenTwoLoseAHostThenTheOneThatRunsIsFirst) {
  auto request = on_pe(window(now.seconds + 100, 600), "fill", 2);
  request.repair = Repair::yes, request.queues = {"all.q@h2", "all.q@h4"};
  const auto second = reserve(root, request);
  request.start = now;
  const auto first = reserve(root, request);
  outside("h4", 2);
  EXPECT_EQ(places(first), "h2=2");
  EXPECT_EQ(places(second), "h2=2");
  lose("h2");
  EXPECT_EQ(places(first), "h4=2");
  EXPECT_EQ(letter(first), 'r');
  EXPECT_EQ(places(second), "h2=2");
  EXPECT_EQ(letter(second), 'W');
}

// B1.71.
TEST_F(GivenAReservationThatLosesHosts, WhenAHostFlapsThenItStaysAfterThreeRepairs) {
  const auto number = eight(600);
  for (int i = 0; i < 2; ++i) {
    lose("h2");
    EXPECT_EQ(places(number), "h1=4 h3=4");
    come_back("h2");
    EXPECT_EQ(places(number), "h1=4 h2=4");
  }
  lose("h2");
  come_back("h2");
  EXPECT_EQ(places(number), "h1=4 h3=4") << "the third repair within an hour";
  EXPECT_EQ(letter(number), 'w');
  later(600);
  EXPECT_EQ(letter(number), 'r');
  EXPECT_EQ(places(number), "h1=4 h2=4") << "from the start on it may go back";
}

// B1.32.
TEST_F(GivenAReservationThatLosesHosts, WhenOnlyThatHostWasRequestedThenItSaysSo) {
  auto request = window(now.seconds, 600);
  request.resources = {{"hostname", "h2"}}, request.repair = Repair::yes;
  const auto by_host = reserve(root, request);
  request.resources = {}, request.queues = {"all.q@h2"};
  const auto by_queue = reserve(root, request);
  lose("h2");
  for (const auto number : {by_host, by_queue})
    EXPECT_EQ(reservation(number).note, "not repaired: only h2 was requested");
}

// B1.3, B1.31: holds of waiting jobs move, and say why.
TEST_F(GivenAReservationThatLosesHosts, WhenOnlyHeldCapacityIsThereThenTheHoldMoves) {
  scheduler({{"max_reservation", "5"}});
  const auto number = eight();
  const auto ends = outside("h3", 4, "100");
  outside("h4", 4, "1000");
  auto request = job("holds", "200");
  request.pe = "smp", request.slots = {{4, 4}}, request.reserve = true;
  const auto holder = submit(root, request);
  pass();
  ASSERT_EQ(find(holder)->holds.size(), 1u);
  ASSERT_EQ(find(holder)->holds.front().window.start, now + Duration{100});
  later(10);
  lose("h2");
  EXPECT_EQ(places(number), "h1=4 h2=4") << "what runs is not taken";
  end(ends);
  pass();
  EXPECT_EQ(places(number), "h1=4 h3=4");
  ASSERT_EQ(find(holder)->holds.size(), 1u);
  EXPECT_EQ(find(holder)->holds.front().window.start, now + Duration{590});
  EXPECT_EQ(find(holder)->holds.front().cause,
            "capacity was lost on h2 and replaced for advance reservation " +
                std::to_string(number));
}

// B1.8: the present shape is repaired, and the commit of the other asks for nothing.
TEST_F(GivenAReservationThatLosesHosts, WhenAChangeIsPreparedThenThePresentShapeIsRepaired) {
  const auto number = eight();
  inside(number, 4);
  const auto second = inside(number, 4);
  PrepareReservation prepare;
  prepare.number = {number}, prepare.transaction = "t", prepare.hold_for = {500};
  prepare.request = on_pe(window(now.seconds, 900), "fill", 8);
  const auto answer = command(root, prepare);
  ASSERT_EQ(answer.exit_code, 0) << text(answer);
  lose("h2");
  EXPECT_EQ(places(number), "h1=4 h3=4");
  EXPECT_EQ(booked("h2"), 4) << "once, for what is prepared and for what is left behind";
  SettleReservation settle;
  settle.number = {number}, settle.transaction = "t", settle.commit = true;
  ASSERT_EQ(command(root, settle).exit_code, 0);
  EXPECT_EQ(places(number), "h1=4 h2=4");
  EXPECT_EQ(left_behind(number), "");
  pass();
  EXPECT_EQ(places(number), "h1=4 h3=4") << "what is lost in it is repaired next";
  EXPECT_EQ(left_behind(number), "h2=4 " + std::to_string(second));
}

// B1.10, B1.101, B1.102, B1.3, B1.106; with others on the spare host: spare_jobs_test.
TEST_F(GivenAReservationThatLosesHosts, WhenItHasASpareHostThenThatIsTakenFirst) {
  const auto number = eight(600, Repair::yes, 1);
  EXPECT_EQ(places(number), "h1=4 h2=4");
  EXPECT_EQ(spares(number), "h3=4");
  later(600);
  EXPECT_EQ(booked("h3"), 4);
  outside("h4", 1);
  lose("h2");
  EXPECT_EQ(places(number), "h1=4 h3=4");
  EXPECT_EQ(letter(number), 'r');
  EXPECT_EQ(spares(number), "") << "h4 has not enough slots free";
  EXPECT_TRUE(reservation(number).bad.empty());
  come_back("h2");
  EXPECT_EQ(places(number), "h1=4 h2=4");
  EXPECT_EQ(spares(number), "h3=4") << "replenished";
}

// B1.102, B1.106.
TEST_F(GivenAReservationThatLosesHosts, WhenASpareHostIsLostThenAnotherOneIsTakenSilently) {
  const auto number = eight(0, Repair::yes, 1);
  const auto records = planner.state().counters().last_letter;
  lose("h3");
  EXPECT_EQ(spares(number), "h4=4");
  EXPECT_EQ(letter(number), 'r');
  EXPECT_EQ(reservation(number).note, "");
  EXPECT_EQ(planner.state().counters().last_letter, records);
  lose("h4");
  EXPECT_EQ(spares(number), "h4=4") << "it may come back before anything is lost";
  const auto first = inside(number, 4), second = inside(number, 4);
  EXPECT_EQ(host_of(first), "h1");
  EXPECT_EQ(host_of(second), "h2");
  come_back("h3");
  EXPECT_EQ(spares(number), "h3=4");
  auto request = job("more");
  request.reservation = {number};
  const auto more = submit(root, request);
  pass();
  EXPECT_FALSE(is_active(more)) << "jobs of the reservation do not use spare hosts";
}

// B1.7, B1.10: each share by itself, and before the host is taken for a spare one.
TEST_F(GivenAReservationThatLosesHosts, WhenOneOfTwoHostsIsBackThenItsShareIsTakenBack) {
  const auto number = eight(0, Repair::yes, 1);
  lose("h2");
  lose("h1");
  ASSERT_EQ(places(number), "h4=4 h3=4");
  const auto one = inside(number, 1);
  const auto used = host_of(one), unused = used == "h4" ? std::string("h3") : std::string("h4");
  come_back("h1");
  EXPECT_EQ(host_of(one), used);
  EXPECT_NE(places(number).find(used + "=4"), std::string::npos) << places(number);
  EXPECT_NE(places(number).find("h1=4"), std::string::npos) << places(number);
  EXPECT_EQ(reservation(number).shape.slots(), 8);
  EXPECT_EQ(spares(number), unused + "=4");
  EXPECT_EQ(letter(number), 'r');
  end(one);
  come_back("h2");
  EXPECT_EQ(places(number), "h1=4 h2=4");
}

// B1.107, B1.108.
TEST_F(GivenAReservationThatLosesHosts, WhenThereAreTooFewSpareHostsThenItIsRefused) {
  auto request = on_pe(window(now.seconds, 600), "fill", 12);
  request.spare = 2;
  const auto refused = command(root, Reserve{request});
  EXPECT_EQ(refused.exit_code, 1);
  EXPECT_NE(text(refused).find("only 1 of 2 spare hosts can be booked"), std::string::npos)
      << text(refused);
  request.spare = 1;
  const auto number = reserve(root, request);
  EXPECT_EQ(spares(number), "h4=4");
  EXPECT_EQ(reservation(number).shape.slots_with_spares(), 16);
}

// B0.002 of qralter.
TEST_F(GivenAReservationThatLosesHosts, WhenSpareHostsAreChangedThenTheGrantStays) {
  const auto number = eight();
  const auto alter = [&](std::int64_t hosts) {
    AlterReservation change;
    change.number = {number}, change.options = {"-spare"}, change.request.spare = hosts;
    return command(root, change);
  };
  EXPECT_EQ(alter(2).exit_code, 0);
  EXPECT_EQ(places(number), "h1=4 h2=4");
  EXPECT_EQ(spares(number), "h3=4 h4=4");
  const auto refused = alter(3);
  EXPECT_EQ(refused.exit_code, 1);
  EXPECT_NE(text(refused).find("only 2 of 3 spare hosts can be booked"), std::string::npos);
  EXPECT_EQ(spares(number), "h3=4 h4=4");
  EXPECT_EQ(alter(0).exit_code, 0);
  EXPECT_EQ(spares(number), "");
  EXPECT_EQ(booked("h3"), 0);
}
