// qralter: what becomes of the jobs in a reservation that is changed (spec/beyond.md section 12).
#include "granted_reservation_fixture.hpp"

using namespace almanac;

namespace {

// Its time has come.
class GivenARunningReservation : public GrantedReservationFixture {
public:
  void SetUp() override {
    GrantedReservationFixture::SetUp();
    grant(alice, 600, 600, 8);
    at(600), due(1);
    ASSERT_EQ(letter(1), 'r');
    ASSERT_EQ(grants(), "h1=4 h2=4");
  }
};

} // namespace

// B12.07, B12.3, B12.31, beyond Q3
TEST_F(GivenARunningReservation, WhenATaskPassesTheNewEndThenForceCutsIt) {
  const auto job = run(alice, inside("550"));
  refused(ends(1100), "job 1 may run for 50 s longer than the changed reservation lets it\n");
  done(ends(1160));
  EXPECT_EQ(task(job).ended_at, Instant{});
  const auto told =
      letters(Command{alice, change(
                                 1, {"-e"}, [&](auto& r) { r.end = {T + 1100}; }, true)});
  ASSERT_EQ(told.size(), 1u) << "whatever -m says";
  EXPECT_EQ(told.front().occasion, Occasion::job_changed);
  EXPECT_EQ(told.front().to, "alice");
  EXPECT_EQ(task(job).ended_at, Instant{T + 1100});
  tell(TaskOverdue{attempt(job)});
  EXPECT_FALSE(task(job).deleting) << "never at once";
  done(ends(1160));
  EXPECT_EQ(task(job).ended_at, Instant{}) << "its own limit is earlier again";
  done(ends(1100, true));
  at(1100);
  tell(TaskOverdue{attempt(job)});
  EXPECT_TRUE(task(job).deleting);
  end(job);
  EXPECT_EQ(find(job), nullptr);
  books_agree();
}

// B12.31
TEST_F(GivenARunningReservation, WhenJobsNeedTimeToEndThenTheyAreCutThatMuchEarlier) {
  scheduler({{"params", "DURATION_OFFSET=60"}});
  const auto job = run(alice, inside("500"));
  const auto answer = ends(1000, true);
  done(answer);
  EXPECT_EQ(task(job).ended_at, Instant{T + 940});
  EXPECT_NE(text(answer).find("job 1 ends in 00:05:40 (h:m:s), 00:02:40 before its limit\n"),
            std::string::npos)
      << text(answer);
  at(900);
  done(ends(930, true));
  EXPECT_EQ(task(job).ended_at, Instant{T + 930}) << "with the reservation, not at once";
}

// B12.07
TEST_F(GivenARunningReservation, WhenTheNewEndIsNotToComeThenItIsRefused) {
  at(700);
  refused(ends(700), "end");
  refused(ends(650), "end");
  done(ends(701));
}

// B11.2
TEST_F(GivenARunningReservation, WhenAHostCannotBeReachedThenItsTasksAreNotCut) {
  const auto job = run(alice, inside("550", 1, "h1"));
  tell(HostSilent{"h1", false});
  const auto digest = planner.digest();
  refused(ends(1100), "host \"h1\" cannot be reached");
  EXPECT_EQ(planner.digest(), digest);
  EXPECT_EQ(task(job).ended_at, Instant{});
  tell(HostSilent{"h1", true});
  done(ends(1300)); // what is granted there stays, and it may get longer
  EXPECT_EQ(grants(), "h1=4 h2=4");
  EXPECT_EQ(letter(1), 'E');
}

// B11.21
TEST_F(GivenARunningReservation, WhenItIsShortenedByForceThenWhatCannotBeToldStaysBooked) {
  const auto job = run(alice, inside("550", 1, "h1"));
  tell(HostSilent{"h1", false});
  const auto answer = ends(1100, true);
  done(answer);
  EXPECT_NE(text(answer).find("job 1 keeps its limit"), std::string::npos) << text(answer);
  EXPECT_EQ(grants(), "h2=4 h3=4");
  EXPECT_EQ(task(job).ended_at, Instant{});
  ASSERT_EQ(reservation().left_behind.size(), 1u);
  EXPECT_EQ(reservation().left_behind.front().slots, 1);
  EXPECT_EQ(reservation().left_behind.front().until, Instant{T + 1150});
  EXPECT_EQ(booked("h1", 1100, 1150), 1);
  EXPECT_EQ(booked("h1", 1150, 1200), 0);
  books_agree();
}

// B11.21
TEST_F(GivenARunningReservation, WhenThatTaskIsOnOtherHostsTooThenAllOfItStaysBooked) {
  const auto job = run(alice, inside("550", 6));
  tell(HostSilent{"h1", false});
  done(ends(1100, true));
  EXPECT_EQ(grants(), "h3=4 h4=4");
  EXPECT_EQ(task(job).ended_at, Instant{});
  EXPECT_EQ(booked("h1", 1100, 1150), 4);
  EXPECT_EQ(booked("h2", 1100, 1150), 2);
  books_agree();
}

// B11.21
TEST_F(GivenARunningReservation, WhenNothingIsFreeForThatShareThenItIsShortenedWithoutIt) {
  take("h3", 600, 600), take("h4", 600, 600);
  const auto job = run(alice, inside("550", 1, "h1"));
  tell(HostSilent{"h1", false});
  done(ends(1100, true));
  EXPECT_EQ(grants(), "h2=4");
  EXPECT_EQ(task(job).ended_at, Instant{});
  EXPECT_EQ(reservation().left_behind.size(), 1u);
  books_agree();
}

// B12.06, beyond Q4
TEST_F(GivenARunningReservation, WhenItHasBegunThenItsStartStays) {
  at(650);
  refused(begins(700), "start");
  done(alter(alice, {"-a", "-N"}, [&](auto& r) { r.start = {T + 600}, r.name = "x"; }));
  EXPECT_EQ(in_force(), (Window{{600}, {1200}}));
  EXPECT_EQ(letter(1), 'r');
}

// B12.21, beyond Q5
TEST_F(GivenARunningReservation, WhenItGetsSmallerThenWhatTasksHoldComesFirst) {
  run(alice, inside("500", 3, "h2"));
  done(has(6));
  EXPECT_EQ(grants(), "h1=3 h2=3");
  refused(has(2), "job 1 holds slots of ");
  done(has(12));
  EXPECT_EQ(reservation().shape.slots_on({"all.q", "h1"}), 4);
  EXPECT_EQ(reservation().shape.slots_on({"all.q", "h2"}), 4);
  refused(alter(alice, {"-q"}, [](auto& r) { r.queues = {"all.q@h3"}; }), "");
  books_agree();
}

// B12.35
TEST_F(GivenARunningReservation, WhenItGetsTooSmallThenForceEndsTheYoungest) {
  auto oldest = inside("500", 2, "h2"), younger = inside("500", 3, "h1");
  younger.rerun = Rerun::yes;
  const auto stays = run(alice, oldest);
  at(610);
  const auto returns = run(alice, younger);
  at(620);
  const auto goes = run(alice, inside("500", 2, "h2"));
  refused(has(2), "job 3 holds slots of ");
  const auto digest = planner.digest();
  const auto asked = ask(VerifyAlterReservation{alice, change(
                                                           1, {"-pe"},
                                                           [](auto& r) {
                                                             r.pe = "fill", r.slots = {{2, 2}};
                                                           },
                                                           true)});
  EXPECT_EQ(asked.exit_code, 0) << text(asked);
  EXPECT_EQ(planner.digest(), digest);
  const auto answer = has(2, true);
  done(answer);
  EXPECT_EQ(grants(), "h2=2") << "where the oldest is";
  for (const auto& told : {asked, answer}) {
    EXPECT_EQ(text(told).find("job 1 "), std::string::npos) << text(told);
    EXPECT_NE(text(told).find("job 2 is ended and waits again: "), std::string::npos) << text(told);
    EXPECT_NE(text(told).find("job 3 is ended: "), std::string::npos) << text(told);
    EXPECT_NE(text(told).find("job 2 gets a user hold: "), std::string::npos) << text(told);
  }
  EXPECT_FALSE(task(stays).deleting);
  EXPECT_TRUE(task(returns).deleting && task(goes).deleting);
  EXPECT_EQ(task(returns).after_end, AfterEnd::again);
  EXPECT_EQ(task(goes).after_end, AfterEnd::gone);
  EXPECT_EQ(booked("h1", 620, 1100), 3) << "until it has ended";
  EXPECT_EQ(booked("h2", 620, 1100), 4);
  books_agree();
  ExitRecord killed;
  killed.failed = failed::killed;
  tell(TaskEnded{attempt(returns), killed}), tell(TaskEnded{attempt(goes), killed}), pass();
  EXPECT_EQ(find(goes), nullptr);
  EXPECT_FALSE(is_active(returns));
  EXPECT_EQ(booked("h1", 620, 1100), 0);
  EXPECT_EQ(booked("h2", 620, 1100), 2);
  books_agree();
}

// B12.35, B12.34
TEST_F(GivenARunningReservation, WhenItGetsSmallerAndLongerThenWhatEndsIsNotBookedForLonger) {
  take("h1", 1200, 600);
  run(alice, inside("500", 4, "h1"));
  run(alice, inside("500", 2, "h2"));
  done(alter(
      alice, {"-pe", "-d"},
      [](auto& r) {
        r.pe = "fill", r.slots = {{2, 2}};
        r.duration = {1000}, r.has_duration = true;
      },
      true));
  EXPECT_EQ(booked("h1", 1200, 1600), 4) << "for the other one alone";
  books_agree();
}

// B12.08
TEST_F(GivenARunningReservation, WhenThePeChangesThenJobsOfTheOtherOneAreListed) {
  run(alice, inside("500", 2));
  submit(alice, inside("500", 8));
  const auto answer = alter(
      alice, {"-pe"},
      [](auto& r) {
        r.pe = "smp", r.slots = {{4, 4}};
      },
      true);
  refused(answer, "job 1 runs in PE \"fill\", and the changed reservation is for smp\n");
  EXPECT_NE(text(answer).find("job 2 no longer fits: "), std::string::npos) << text(answer);
  const auto asked = ask(VerifyAlterReservation{alice, change(
                                                           1, {"-pe"},
                                                           [](auto& r) {
                                                             r.pe = "smp", r.slots = {{4, 4}};
                                                           },
                                                           true)});
  EXPECT_EQ(text(asked), text(answer)) << "-f would not do it either";
}

// B12.09, B12.32, B12.33, beyond Q6
TEST_F(GivenARunningReservation, WhenAUserIsShutOutThenWaitingJobsAreHeldAndOthersRunOn) {
  done(alter(alice, {"-u"}, [](auto& r) { r.users = {"alice", "bob"}; }));
  const auto running = run(bob, inside("100"));
  const auto waiting = submit(bob, inside("100", 8));
  refused(lets_in("alice"), "job 1: its user \"bob\" may not use the reservation any more\n");
  const auto answer = lets_in("alice", true);
  done(answer);
  EXPECT_NE(text(answer).find("job 2 gets a user hold: "), std::string::npos) << text(answer);
  EXPECT_TRUE(is_active(running) && !task(running).deleting);
  EXPECT_TRUE(find(waiting)->held_by_user);
}

// B12.4
TEST_F(GivenARunningReservation, WhenItIsOnlyAskedThenItTellsAndStoresNothing) {
  take("h2", 1200, 1000);
  run(alice, inside("550", 1, "h1"));
  const auto digest = planner.digest();
  const auto ask_for = [&](std::int64_t end, bool force) {
    return ask(
        VerifyAlterReservation{alice, change(
                                          1, {"-e"}, [&](auto& r) { r.end = {T + end}; }, force)});
  };
  const auto longer = ask_for(1300, false);
  EXPECT_EQ(longer.exit_code, 0) << text(longer);
  EXPECT_TRUE(text(longer).starts_with("verification: would change advance reservation 1\n"));
  EXPECT_NE(text(longer).find("\nkept: all.q@h1=4\nnew: all.q@h3=4\ngiven up: all.q@h2=4\n"),
            std::string::npos)
      << text(longer);
  EXPECT_NE(text(longer).find(", before 1970-01-12 "), std::string::npos) << text(longer);
  const auto shorter = ask_for(1100, false);
  refused(shorter, "job 1 may run for 50 s longer");
  EXPECT_TRUE(
      text(shorter).starts_with("verification: would change advance reservation 1 with -f\n"))
      << text(shorter);
  const auto forced = ask_for(1100, true);
  EXPECT_EQ(forced.exit_code, 0) << text(forced);
  EXPECT_NE(text(forced).find("job 1 ends in "), std::string::npos) << text(forced);
  EXPECT_EQ(planner.digest(), digest);
}

// B0.6
TEST_F(GivenARunningReservation, WhenItChangesThenItIsAnEvent) {
  int changes = 0;
  for (const auto& effect :
       handle(Command{alice, change(1, {"-N"}, [](auto& r) { r.name = "x"; })}).effects)
    changes += std::holds_alternative<ReservationPtr>(effect);
  EXPECT_EQ(changes, 1) << "records that change are events";
}

// B11.22, B12.07: a job without a limit of its own ends with its reservation, and later with it.
TEST_F(GivenARunningReservation, WhenItIsProlongedThenTasksThatEndWithItRunOn) {
  const auto endless = run(alice, inside());
  const auto limited = run(alice, inside("300"));
  ASSERT_EQ(task(endless).last_moment(), (Instant{T + 1200}));
  at(700);
  done(ends(1500));
  EXPECT_EQ(task(endless).last_moment(), (Instant{T + 1500}));
  EXPECT_EQ(task(limited).last_moment(), (Instant{T + 900})) << "it asked for no more";
  refused(ends(1300), "may run for 200 s longer than the changed reservation lets it");
  books_agree();
}

// The same in two phases: not before it is committed.
TEST_F(GivenARunningReservation, WhenAProlongationIsCommittedThenTasksRunOn) {
  const auto number = run(alice, inside());
  ReservationRequest longer;
  longer.end = {T + 1500};
  ASSERT_EQ(
      command(alice, PrepareReservation{"t", {1}, ReservationVerb::change, longer, {60}}).exit_code,
      0);
  EXPECT_EQ(task(number).last_moment(), (Instant{T + 1200}));
  ASSERT_EQ(command(alice, SettleReservation{"t", {1}, true}).exit_code, 0);
  EXPECT_EQ(task(number).last_moment(), (Instant{T + 1500}));
  books_agree();
}

// B11.22: heard too late.
TEST_F(GivenARunningReservation,
       WhenItsHostDidNotHearOfTheNewLimitThenTheTaskEndsEarlyWithTheCause) {
  const auto number = run(alice, inside());
  done(ends(1500));
  at(1200);
  ExitRecord record;
  record.failed = failed::run_time_limit, record.exit_status = 137, record.wallclock = 600;
  record.reason = "the run-time limit of 600 s is reached";
  const auto effects = handle(TaskEnded{attempt(number), record}).effects;
  const AccountingRecord* ended = nullptr;
  for (const auto& effect : effects)
    if (const auto* one = std::get_if<AccountingRecord>(&effect)) ended = one;
  ASSERT_TRUE(ended);
  EXPECT_EQ(ended->record.failed, failed::killed);
  EXPECT_EQ(ended->record.reason, "its host was unreachable when the reservation was prolonged");
}
