// What a reservation leaves behind on hosts that it has lost, while tasks may still run there
// (spec/beyond.md B1.2, B1.7).
#include "losing_hosts_fixture.hpp"

using namespace almanac;

namespace {

class GivenTasksOnLostHosts : public LosingHostsFixture {};

} // namespace

// beyond H3, B1.2, B1.21, B1.23, B1.9.
TEST_F(GivenTasksOnLostHosts, WhenTasksMayStillRunThereThenTheyAreLeftBehind) {
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
TEST_F(GivenTasksOnLostHosts, WhenTheHostIsBackAndNothingUsesTheOtherThenItIsUndone) {
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
TEST_F(GivenTasksOnLostHosts, WhenItIsShortenedMeanwhileThenItIsUndoneAllTheSame) {
  const auto number = eight();
  inside(number, 4, "100");
  const auto second = inside(number, 4, "500");
  lose("h2");
  ASSERT_EQ(left_behind(number), "h2=4 " + std::to_string(second));
  const auto end = reservation(number).shape.window.start + Duration{300};
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
TEST_F(GivenTasksOnLostHosts, WhenATaskOfThoseLeftBehindEndsThenItsShareIsFree) {
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

// What is left behind stays booked beside a change, and is no part of it.
TEST_F(GivenTasksOnLostHosts, WhenItIsChangedThenWhatIsLeftBehindStays) {
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
TEST_F(GivenTasksOnLostHosts, WhenItIsShortenedByForceThenWhatIsLeftBehindStaysBooked) {
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

// Once it is over, its tasks hold what they hold, wherever that is.
TEST_F(GivenTasksOnLostHosts, WhenItEndsThenWhatWasLeftBehindIsKnownNoMore) {
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

namespace {

// A reservation has four slots on each of h1 and h2, and a job on each host uses all of them. Then the
// master no longer hears from h2.
class GivenAReservationWithASilentHost : public LosingHostsFixture {
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
  EXPECT_EQ(reservation(number).note, replaced);
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
  scheduler({{"params", "DURATION_OFFSET=0 EXPIRED_AR=0"}});
  end_reservation();
  ASSERT_NE(planner.state().reservation_by_number({number}), nullptr);
  EXPECT_EQ(booked("h2"), 4);
  come_back("h2");
  end_job(second);
  EXPECT_EQ(planner.state().reservation_by_number({number}), nullptr);
  EXPECT_EQ(booked("h2"), 0);
}
