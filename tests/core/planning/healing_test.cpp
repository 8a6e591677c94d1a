// What is lost of a reservation and what becomes of it (spec/beyond.md section 1): hosts h1 to h4 of
// four slots each are n1 to n4 of its examples.
#include "four_hosts_fixture.hpp"

using namespace almanac;

namespace {

class GivenAReservationThatLosesHosts : public FourHostsFixture {
public:
  void SetUp() override {
    FourHostsFixture::SetUp();
    no_offset();
  }

  void no_offset() {
    auto scheduler = *planner.state().configuration().find(ObjectKind::scheduler_configuration, "");
    scheduler.set("params", "DURATION_OFFSET=0");
    const auto answer = command(root, Configure{{ChangeVerb::modify, scheduler, {}}});
    ASSERT_EQ(answer.exit_code, 0) << text(answer);
  }
  void master_params(const std::string& value) {
    auto global = *planner.state().configuration().find(ObjectKind::global_configuration, "");
    global.set("qmaster_params", value);
    const auto answer = command(root, Configure{{ChangeVerb::modify, global, {}}});
    ASSERT_EQ(answer.exit_code, 0) << text(answer);
  }

  std::string left_behind(std::int64_t number) const {
    std::string text;
    for (const auto& left : ar(number).left_behind) {
      text += (text.empty() ? "" : " ") + left.instance.host + "=" + std::to_string(left.slots);
      for (const auto& job : left.jobs) text += " " + job;
    }
    return text;
  }
  /// Eight slots: four of h1 and of h2.
  std::int64_t eight(std::int64_t in = 0, Repair repair = Repair::yes, std::int64_t spare = 0) {
    auto request = on_pe(window(now.seconds + in, 600), "fill", 8);
    request.repair = repair, request.spare = spare;
    return reserve(root, std::move(request));
  }
  std::int64_t inside(std::int64_t number, std::int64_t slots, const std::string& limit = "") {
    auto request = job("inside", limit);
    request.reservation = {number};
    request.pe = "fill", request.slots = {{slots, slots}};
    const auto id = submit(root, request);
    pass();
    EXPECT_TRUE(is_active(id));
    start(id);
    return id;
  }
  std::int64_t outside(const std::string& host, std::int64_t slots, const std::string& limit = "") {
    auto request = job("outside", limit);
    request.pe = "smp", request.slots = {{slots, slots}};
    request.queues = {"*@" + host};
    const auto id = submit(root, request);
    pass();
    EXPECT_TRUE(is_active(id)) << host;
    return id;
  }
  std::string host_of(std::int64_t job) const {
    return find(job)->find(0)->grants.front().instance.host;
  }
  void lose(const std::string& host) { tell(HostSilent{host, true}), pass(); }
  void come_back(const std::string& host) {
    tell(HostRegistered{host, {"lx-amd64", 4, 8LL << 30, "boot", "spool", "127.0.0.1:1"}});
    pass();
  }
  void later(std::int64_t seconds) {
    now = now + Duration{seconds};
    for (const auto& [key, one] : Table<Reservation>(planner.state().records().all<Reservation>()))
      tell(ReservationDue{key});
    pass();
  }
  Decisions handle(const Input& input) override {
    auto decisions = PlannerFixture::handle(input);
    for (const auto& effect : decisions.effects)
      if (const auto* letter = std::get_if<Letter>(&effect)) letters_.push_back(*letter);
      else if (const auto* call = std::get_if<HookCall>(&effect)) calls_.push_back(*call);
    return decisions;
  }
  /// The notes of the letters on that occasion.
  std::vector<std::string> told(Occasion occasion) const {
    std::vector<std::string> notes;
    for (const auto& letter : letters_)
      if (letter.occasion == occasion) notes.push_back(letter.note);
    return notes;
  }
  std::int64_t mailed(ReservationRequest request) {
    request.repair = Repair::yes, request.mail_at = "ae";
    return reserve(root, std::move(request));
  }
  std::int64_t booked(const std::string& host) const {
    return planner.state().ledger().used(Container::queue({"all.q", host}), "slots",
                                         {now, now + Duration{1}});
  }

  void call_on_change() {
    auto global = *planner.state().configuration().find(ObjectKind::global_configuration, "");
    global.set("ar_change", "/hook");
    const auto answer = command(root, Configure{{ChangeVerb::modify, global, {}}});
    ASSERT_EQ(answer.exit_code, 0) << text(answer);
  }
  const std::vector<HookCall>& calls() const { return calls_; }

private:
  std::vector<Letter> letters_;
  std::vector<HookCall> calls_;
};

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

// beyond H3, B1.2, B1.21, B1.23, B1.9.
TEST_F(GivenAReservationThatLosesHosts, WhenTasksMayStillRunThereThenTheyAreLeftBehind) {
  const auto number = eight();
  const auto first = inside(number, 4), second = inside(number, 4);
  ASSERT_EQ(host_of(first), "h1");
  ASSERT_EQ(host_of(second), "h2");
  lose("h2");
  EXPECT_EQ(places(number), "h1=4 h3=4");
  EXPECT_EQ(left_behind(number), "h2=4 " + std::to_string(second));
  EXPECT_EQ(letter(number), 'r');
  EXPECT_TRUE(is_active(first) && is_active(second));
  EXPECT_EQ(booked("h2"), 4) << "until their end is certain";
  EXPECT_EQ(booked("h3"), 4);
  const auto third = inside(number, 4);
  EXPECT_EQ(host_of(third), "h3") << "the seats are there, and its slots of the PE";
  come_back("h2");
  EXPECT_EQ(places(number), "h1=4 h3=4") << "the replacement is in use";
  EXPECT_EQ(left_behind(number), "h2=4 " + std::to_string(second));
  end(second);
  pass();
  EXPECT_EQ(left_behind(number), "");
  EXPECT_EQ(booked("h2"), 0);
  EXPECT_EQ(places(number), "h1=4 h3=4");
}

// beyond H3, B1.7.
TEST_F(GivenAReservationThatLosesHosts, WhenTheHostIsBackAndNothingUsesTheOtherThenItIsUndone) {
  const auto number = eight();
  inside(number, 4);
  const auto second = inside(number, 4);
  lose("h2");
  ASSERT_EQ(left_behind(number), "h2=4 " + std::to_string(second));
  come_back("h2");
  EXPECT_EQ(places(number), "h1=4 h2=4");
  EXPECT_EQ(left_behind(number), "") << "it is inside again";
  EXPECT_EQ(booked("h2"), 4);
  EXPECT_EQ(booked("h3"), 0);
}

// B1.7, B11.2, B12.3: a change that leaves its places alone does not forget what was granted at first.
TEST_F(GivenAReservationThatLosesHosts, WhenItIsShortenedMeanwhileThenItIsUndoneAllTheSame) {
  const auto number = eight();
  inside(number, 4, "100");
  const auto second = inside(number, 4, "500");
  lose("h2");
  ASSERT_EQ(left_behind(number), "h2=4 " + std::to_string(second));
  const auto end = ar(number).shape.window.start + Duration{300};
  AlterReservation change{{number}, {"-e"}, {}, true};
  change.request.end = end;
  const auto answer = command(root, change);
  ASSERT_EQ(answer.exit_code, 0) << text(answer);
  pass();
  ASSERT_EQ(places(number), "h1=4 h3=4");
  ASSERT_EQ(left_behind(number), "h2=4 " + std::to_string(second));
  come_back("h2");
  EXPECT_EQ(places(number), "h1=4 h2=4");
  EXPECT_EQ(left_behind(number), "");
  EXPECT_EQ(find(second)->find(0)->last_moment(), end) << "it is inside again, and ends with it";
  EXPECT_EQ(booked("h3"), 0);
}

// B1.21: closed to new tasks, though the host is back and a part of it is free.
TEST_F(GivenAReservationThatLosesHosts, WhenATaskOfThoseLeftBehindEndsThenItsShareIsFree) {
  const auto number = eight();
  inside(number, 4);
  const auto second = inside(number, 2), third = inside(number, 2);
  lose("h2");
  const auto fourth = inside(number, 4);
  come_back("h2");
  end(second);
  pass();
  EXPECT_EQ(left_behind(number), "h2=2 " + std::to_string(third));
  EXPECT_EQ(booked("h2"), 2);
  auto request = job("waits");
  request.reservation = {number};
  const auto waits = submit(root, request);
  pass();
  EXPECT_FALSE(is_active(waits));
  end(fourth);
  pass();
  EXPECT_TRUE(is_active(waits));
}

// beyond H4, B1.4, B1.6.
TEST_F(GivenAReservationThatLosesHosts, WhenOnlyAPartIsFreeThenThatIsTaken) {
  const auto number = eight();
  outside("h3", 4);
  const auto three = outside("h4", 3), one = outside("h4", 1);
  lose("h2");
  EXPECT_EQ(letter(number), 'E');
  EXPECT_TRUE(
      ar(number).note.starts_with("not repaired: no replacement found for 4 slots of all.q@h2=4: "))
      << ar(number).note;
  end(three);
  pass();
  EXPECT_EQ(ar(number).note, "repaired in part: 3 of 4 slots");
  EXPECT_EQ(letter(number), 'E');
  EXPECT_EQ(places(number), "h1=4 h4=3 h2=1");
  end(one);
  pass();
  EXPECT_EQ(letter(number), 'r');
  EXPECT_EQ(places(number), "h1=4 h4=4");
  come_back("h2");
  EXPECT_EQ(places(number), "h1=4 h2=4");
}

namespace {

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

// beyond H4, B1.9: when it is whole again, with all that was replaced.
TEST_F(GivenAReservationThatLosesHosts, WhenItIsRepairedThenTheMailHasAllHosts) {
  using Notes = std::vector<std::string>;
  const auto number = mailed(on_pe(window(now.seconds, 600), "fill", 8));
  const auto three = outside("h3", 3), one = outside("h3", 1), all = outside("h4", 4);
  lose("h2");
  end(three);
  pass();
  ASSERT_EQ(ar(number).note, "repaired in part: 3 of 4 slots");
  EXPECT_EQ(told(Occasion::reservation_repaired), Notes{}) << "it is in error still";
  end(one);
  pass();
  const std::string first = "repaired: all.q@h2=4 replaced by all.q@h3=4";
  EXPECT_EQ(told(Occasion::reservation_repaired), Notes{first});
  end(all);
  lose("h1");
  const std::string second = "repaired: all.q@h1=4,all.q@h2=4 replaced by all.q@h4=4,all.q@h3=4";
  EXPECT_EQ(told(Occasion::reservation_repaired), (Notes{first, second}));
  EXPECT_EQ(ar(number).note, second);
  come_back("h1");
  EXPECT_EQ(ar(number).note, "repaired: all.q@h2=4 replaced by all.q@h4=4");
  DeleteReservations gone;
  gone.targets = {std::to_string(number)};
  EXPECT_EQ(command(root, gone).exit_code, 0);
  EXPECT_EQ(told(Occasion::reservation_deleted), Notes{""}) << "that is over";
}

// B1.4: what is wholly replaced is no part of what is lost now, and what is back is not lost.
TEST_F(GivenAReservationThatLosesHosts, WhenASecondHostIsLostThenTheMessageIsAboutThatOne) {
  const auto number = eight();
  const auto three = outside("h4", 3), one = outside("h4", 1);
  lose("h1");
  const std::string whole = "repaired: all.q@h1=4 replaced by all.q@h3=4";
  ASSERT_EQ(ar(number).note, whole);
  lose("h2");
  EXPECT_TRUE(
      ar(number).note.starts_with("not repaired: no replacement found for 4 slots of all.q@h2=4"))
      << ar(number).note;
  come_back("h2");
  EXPECT_EQ(letter(number), 'r');
  EXPECT_EQ(ar(number).note, whole);
  lose("h2");
  end(three);
  pass();
  EXPECT_EQ(ar(number).note, "repaired in part: 3 of 4 slots");
  master_params("repair_patience=0:0:30"); // it is tried again
  EXPECT_EQ(ar(number).note, "repaired in part: 3 of 4 slots");
  come_back("h2");
  EXPECT_EQ(ar(number).note, whole);
  lose("h2");
  end(one);
  pass();
  EXPECT_EQ(ar(number).note, "repaired: all.q@h1=4,all.q@h2=4 replaced by all.q@h3=4,all.q@h4=4");
}

// B1.7, B1.91, B8.23: those who followed it to the other host come back.
TEST_F(GivenAReservationThatLosesHosts, WhenARepairIsUndoneThenThatIsToldAsTheRepairWas) {
  using Notes = std::vector<std::string>;
  call_on_change();
  const std::string repaired = "repaired: all.q@h2=4 replaced by all.q@h3=4",
                    undone = "repair undone: all.q@h3=4 replaced by all.q@h2=4";
  Notes told_of;
  for (const auto in : {600, 0})
    for (const auto spare : {0, 1}) {
      auto request = on_pe(window(now.seconds + in, 600), "fill", 8);
      request.spare = spare;
      const auto number = mailed(std::move(request));
      lose("h2");
      told_of.push_back(repaired);
      EXPECT_EQ(told(Occasion::reservation_repaired), told_of);
      come_back("h2");
      told_of.push_back(undone);
      EXPECT_EQ(told(Occasion::reservation_repaired), told_of);
      EXPECT_EQ(ar(number).note, "");
      ASSERT_EQ(calls().size(), told_of.size());
      EXPECT_EQ(calls().back().cause, undone);
      EXPECT_EQ(text_of(calls().back().before.front().grants), "h1=4 h3=4");
      EXPECT_EQ(text_of(calls().back().grants), "h1=4 h2=4");
      DeleteReservations gone;
      gone.targets = {std::to_string(number)};
      EXPECT_EQ(command(root, gone).exit_code, 0);
    }
}

// B1.7, B1.91: of one host of two.
TEST_F(GivenAReservationThatLosesHosts, WhenAPartIsTakenBackThenThatIsTold) {
  mailed(on_pe(window(now.seconds, 600), "fill", 8));
  lose("h1");
  lose("h2");
  come_back("h2");
  const auto notes = told(Occasion::reservation_repaired);
  ASSERT_EQ(notes.size(), 3u);
  EXPECT_EQ(notes.back(), "repair undone: all.q@h4=4 replaced by all.q@h2=4");
}

// B1.91: what was repaired before is not what is wrong now.
TEST_F(GivenAReservationThatLosesHosts, WhenItLosesAHostAgainThenTheErrorMailNamesThatHost) {
  mailed(on_pe(window(now.seconds, 600), "fill", 8));
  outside("h4", 4);
  lose("h2");
  lose("h3");
  EXPECT_EQ(told(Occasion::reservation_in_error),
            (std::vector<std::string>{"", "reserved queue all.q@h3 is unknown"}));
}

// B1.9: what was noted before is over.
TEST_F(GivenAReservationThatLosesHosts, WhenTheLostHostIsBackThenTheMailSaysNothingOfRepairs) {
  auto request = window(now.seconds, 600);
  request.queues = {"all.q@h2"};
  const auto number = mailed(request);
  lose("h2");
  ASSERT_EQ(ar(number).note, "not repaired: only h2 was requested");
  come_back("h2");
  EXPECT_EQ(told(Occasion::reservation_valid_again), std::vector<std::string>{""});
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
  EXPECT_TRUE(
      ar(number).note.starts_with("not repaired: no replacement found for 4 slots of all.q@h2=4: "))
      << ar(number).note;
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
  EXPECT_EQ(ar(number).note, "repaired in part: 3 of 4 slots");
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
    EXPECT_EQ(ar(number).gives_up_at, begin + Duration{ends});
    later(1);
    EXPECT_EQ(letter(number), '-');
    end(a), end(b);
    come_back("h2");
  }
}

TEST_F(GivenAReservationThatLosesHosts, WhenItIsWellAgainInTimeThenItDoesNotEnd) {
  master_params("repair_patience=0:0:30");
  const auto number = eight(0, Repair::fail);
  outside("h3", 4), outside("h4", 4);
  lose("h2");
  EXPECT_EQ(ar(number).gives_up_at, now + Duration{30});
  later(29);
  come_back("h2");
  EXPECT_EQ(ar(number).gives_up_at, Instant{});
  later(31);
  EXPECT_EQ(letter(number), 'r');
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
    EXPECT_EQ(ar(number).note, "not repaired: only h2 was requested");
}

// B1.3, B1.31: holds of waiting jobs move, and say why.
TEST_F(GivenAReservationThatLosesHosts, WhenOnlyHeldCapacityIsThereThenTheHoldMoves) {
  auto scheduler = *planner.state().configuration().find(ObjectKind::scheduler_configuration, "");
  scheduler.set("max_reservation", "5");
  ASSERT_EQ(command(root, Configure{{ChangeVerb::modify, scheduler, {}}}).exit_code, 0);
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
  EXPECT_TRUE(ar(number).bad.empty());
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
  EXPECT_EQ(ar(number).note, "");
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
  EXPECT_EQ(ar(number).shape.slots(), 8);
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
  EXPECT_EQ(ar(number).shape.slots_with_spares(), 16);
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

// What is left behind stays booked beside a change, and is no part of it.
TEST_F(GivenAReservationThatLosesHosts, WhenItIsChangedThenWhatIsLeftBehindStays) {
  const auto number = eight();
  inside(number, 4, "500");
  const auto second = inside(number, 4, "500");
  lose("h2");
  AlterReservation change;
  change.number = {number}, change.options = {"-d"};
  change.request.duration = {900}, change.request.has_duration = true;
  const auto answer = command(root, change);
  EXPECT_EQ(answer.exit_code, 0) << text(answer);
  EXPECT_EQ(places(number), "h1=4 h3=4");
  EXPECT_EQ(left_behind(number), "h2=4 " + std::to_string(second));
}

// B11.2, B11.21: where the host cannot be told.
TEST_F(GivenAReservationThatLosesHosts, WhenItIsShortenedByForceThenWhatIsLeftBehindStaysBooked) {
  const auto number = eight();
  const auto T = now;
  const auto first = inside(number, 4, "500"), second = inside(number, 4, "500");
  lose("h2");
  AlterReservation change;
  change.number = {number}, change.options = {"-e"};
  change.request.end = T + Duration{300};
  const auto refused = command(root, change);
  EXPECT_EQ(refused.exit_code, 1);
  EXPECT_NE(text(refused).find("host \"h2\" cannot be reached"), std::string::npos)
      << text(refused);
  change.force = true;
  const auto asked = ask(VerifyAlterReservation{root, change});
  EXPECT_EQ(asked.exit_code, 0) << text(asked);
  const auto answer = command(root, change);
  EXPECT_EQ(answer.exit_code, 0) << text(answer);
  for (const auto& told : {asked, answer})
    EXPECT_NE(text(told).find("job " + std::to_string(second) +
                              " keeps its limit until host \"h2\" is heard, and ends with the "
                              "reservation then"),
              std::string::npos)
        << text(told);
  EXPECT_EQ(find(first)->find(0)->ended_at, T + Duration{300});
  EXPECT_EQ(find(second)->find(0)->ended_at, Instant{});
  EXPECT_EQ(left_behind(number), "h2=4 " + std::to_string(second));
  EXPECT_EQ(planner.state().ledger().used(Container::queue({"all.q", "h2"}), "slots",
                                          {T + Duration{300}, T + Duration{500}}),
            4);
  later(300);
  EXPECT_EQ(letter(number), 'x') << "the first one is told to end";
  end(first);
  EXPECT_EQ(letter(number), '-') << "B11.32: nobody can tell the second one";
  EXPECT_EQ(booked("h2"), 4);
  now = T + Duration{500};
  tell(TaskOverdue{attempt(second)});
  EXPECT_EQ(find(second), nullptr);
  EXPECT_EQ(booked("h2"), 0);
}

namespace {

// Two jobs fill the reservation of eight slots, and h2 is not heard.
class GivenAReservationWithASilentHost : public GivenAReservationThatLosesHosts {
public:
  void fill(Repair repair, bool unknown) {
    auto request = on_pe(window(now.seconds, 600), "fill", 8);
    request.repair = repair, request.mail_at = "ae";
    number = reserve(root, std::move(request));
    end = now + Duration{300};
    first = inside(number, 4, "100");
    second = inside(number, 4, "500");
    behind = "h2=4 " + std::to_string(second);
    tell(HostSilent{"h2", unknown}), pass();
  }
  std::string shorten() {
    AlterReservation change{{number}, {"-e"}, {}, true};
    change.request.end = end;
    const auto answer = command(root, change);
    EXPECT_EQ(answer.exit_code, 0) << text(answer);
    pass();
    return text(answer);
  }

  void end_job(std::int64_t job) { PlannerFixture::end(job); }
  /// Its end comes; the first job has ended before.
  void end_reservation() { end_job(first), later(300); }

  std::int64_t number = 0, first = 0, second = 0;
  Instant end;
  std::string behind; ///< what is left
  const std::string replaced = "repaired: all.q@h2=4 replaced by all.q@h3=4";
};

} // namespace

// B11.21, B1.7, B1.91: the other host is told of, and the first one is taken back, whatever -repair says.
TEST_F(GivenAReservationWithASilentHost, WhenItIsShortenedByForceThenItsShareComesBackWithTheHost) {
  fill(Repair::no, true);
  EXPECT_EQ(letter(number), 'E');
  EXPECT_NE(shorten().find(replaced + "\n"), std::string::npos);
  EXPECT_EQ(places(number), "h1=4 h3=4");
  EXPECT_EQ(left_behind(number), behind);
  EXPECT_EQ(ar(number).note, replaced);
  EXPECT_EQ(told(Occasion::reservation_repaired), std::vector<std::string>{replaced});
  come_back("h2");
  EXPECT_EQ(places(number), "h1=4 h2=4");
  EXPECT_EQ(left_behind(number), "");
  EXPECT_EQ(booked("h3"), 0);
  EXPECT_EQ(find(second)->find(0)->last_moment(), end) << "it is inside again";
  EXPECT_EQ(told(Occasion::reservation_repaired).back(),
            "repair undone: all.q@h3=4 replaced by all.q@h2=4");
}

// B11.21, B1.7: not before it is heard.
TEST_F(GivenAReservationWithASilentHost, WhenItIsShortenedBeforeTheHostIsLostThenLikewise) {
  fill(Repair::yes, false);
  shorten();
  EXPECT_EQ(places(number), "h1=4 h3=4");
  lose("h2");
  EXPECT_EQ(places(number), "h1=4 h3=4");
  EXPECT_EQ(left_behind(number), behind);
  come_back("h2");
  EXPECT_EQ(places(number), "h1=4 h2=4");
  EXPECT_EQ(left_behind(number), "");
}

// B11.21: it goes on without that share until then.
TEST_F(GivenAReservationWithASilentHost, WhenNothingElseIsFreeThenItIsWholeAgainWithTheHost) {
  outside("h3", 4), outside("h4", 4);
  fill(Repair::no, true);
  const std::string none = "not repaired: no replacement found for 4 slots of all.q@h2=4";
  EXPECT_NE(shorten().find(none + "\n"), std::string::npos);
  EXPECT_EQ(places(number), "h1=4");
  EXPECT_EQ(told(Occasion::reservation_repaired), std::vector<std::string>{});
  come_back("h2");
  EXPECT_EQ(told(Occasion::reservation_repaired),
            std::vector<std::string>{"repair undone: all.q@h2=4 is there again"});
  EXPECT_EQ(places(number), "h1=4 h2=4");
  EXPECT_EQ(left_behind(number), "");
}

// B11.21, B12.31: also of what stays left behind, since the other host is in use.
TEST_F(GivenAReservationWithASilentHost,
       WhenTheHostIsHeardThenItsTaskGetsTheNewLimitAndItsOwnerAMail) {
  fill(Repair::no, true);
  EXPECT_NE(shorten().find("job " + std::to_string(second) + " keeps its limit until host \"h2\""),
            std::string::npos);
  ASSERT_EQ(host_of(inside(number, 4, "200")), "h3");
  const auto before = told(Occasion::job_changed);
  EXPECT_EQ(find(second)->find(0)->ended_at, Instant{});
  come_back("h2");
  EXPECT_EQ(left_behind(number), behind);
  EXPECT_EQ(find(second)->find(0)->ended_at, end);
  pass();
  const auto after = told(Occasion::job_changed);
  ASSERT_EQ(after.size(), before.size() + 1) << "once";
  EXPECT_EQ(after.back(), "job " + std::to_string(second) +
                              " ends in 00:05:00 (h:m:s), 00:03:20 before its limit");
}

// B11.32: it ends beside the silent host, and what it has in its stead is free.
TEST_F(GivenAReservationWithASilentHost, WhenItEndsThenItIsGoneAndItsTaskEndsOnceItIsHeard) {
  fill(Repair::yes, true);
  shorten();
  ASSERT_EQ(places(number), "h1=4 h3=4");
  end_reservation();
  EXPECT_EQ(letter(number), '-');
  EXPECT_EQ(booked("h1"), 0);
  EXPECT_EQ(booked("h3"), 0);
  EXPECT_EQ(booked("h2"), 4) << "it may still run there";
  come_back("h2");
  ASSERT_TRUE(is_active(second));
  EXPECT_TRUE(find(second)->find(0)->deleting) << "it is told now";
  EXPECT_EQ(booked("h2"), 4);
  auto request = job("outside");
  request.queues = {"*@h2"};
  const auto waits = submit(root, request);
  pass();
  EXPECT_FALSE(is_active(waits));
  end_job(second), pass();
  EXPECT_TRUE(is_active(waits));
  EXPECT_EQ(booked("h2"), 1);
}

// B11.32: x until it is unknown.
TEST_F(GivenAReservationWithASilentHost, WhenItEndsBeforeTheHostIsLostThenItGoesWithTheHost) {
  fill(Repair::yes, false);
  shorten();
  end_reservation();
  EXPECT_EQ(letter(number), 'x');
  lose("h2");
  EXPECT_EQ(letter(number), '-');
  EXPECT_EQ(booked("h2"), 4);
  now = now + Duration{200};
  tell(TaskOverdue{attempt(second)});
  EXPECT_EQ(find(second), nullptr) << "its old limit";
  EXPECT_EQ(booked("h2"), 0);
}

// Its record is what the task is in: it is kept until then, however few are.
TEST_F(GivenAReservationWithASilentHost, WhenNoPastOnesAreKeptThenItsRecordGoesWithTheTask) {
  fill(Repair::yes, true);
  shorten();
  auto scheduler = *planner.state().configuration().find(ObjectKind::scheduler_configuration, "");
  scheduler.set("params", "DURATION_OFFSET=0 EXPIRED_AR=0");
  ASSERT_EQ(command(root, Configure{{ChangeVerb::modify, scheduler, {}}}).exit_code, 0);
  end_reservation();
  ASSERT_NE(planner.state().reservation_by_number({number}), nullptr);
  EXPECT_EQ(booked("h2"), 4);
  come_back("h2");
  end_job(second);
  EXPECT_EQ(planner.state().reservation_by_number({number}), nullptr);
  EXPECT_EQ(booked("h2"), 0);
}

// Once it is over, its tasks hold what they hold, wherever that is.
TEST_F(GivenAReservationThatLosesHosts, WhenItEndsThenWhatWasLeftBehindIsKnownNoMore) {
  const auto number = eight();
  inside(number, 4);
  inside(number, 4);
  lose("h2");
  DeleteReservations gone;
  gone.targets = {std::to_string(number)};
  EXPECT_EQ(command(root, gone).exit_code, 0);
  EXPECT_EQ(letter(number), 'd');
  EXPECT_EQ(left_behind(number), "");
  EXPECT_EQ(booked("h2"), 4);
  EXPECT_EQ(booked("h3"), 0);
}
