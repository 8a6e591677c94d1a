// plus_cancel and plus_destroy without -T (spec/plus.md P3.39 to P3.46).
#include "nodes_fixture.hpp"

using namespace almanac;

namespace {

class GivenReservationsToGiveUp : public NodesFixture {
public:
  Answer cancel(const Caller& caller, std::int64_t number) {
    return remove(caller, number, ReservationVerb::cancel);
  }
  Answer destroy(const Caller& caller, std::int64_t number) {
    return remove(caller, number, ReservationVerb::destroy);
  }
  bool is_there(std::int64_t number) const {
    return planner.state().reservation_by_number({number}) != nullptr;
  }
};

} // namespace

// plus.md P3.39, P3.40, P3.41, P3.42 and the example there
TEST_F(GivenReservationsToGiveUp, WhenOneIsCanceledThenWhatRunsEndsByItselfAndTheRestIsFree) {
  hosts(2, 1);
  const auto ar = granted(root, whole(2, 0));
  const auto runs = submit(root, inside(ar)), other = submit(root, inside(ar));
  const auto waits = submit(root, inside(ar));
  pass();
  ASSERT_TRUE(is_active(runs) && is_active(other));
  start(runs), start(other), end(other);
  EXPECT_EQ(text(cancel(root, ar)), "root has canceled advance_reservation 1\n");
  EXPECT_EQ(reservation(ar).canceled_at, now);
  EXPECT_EQ(letter(ar), 'd');
  pass();
  EXPECT_TRUE(is_active(runs));
  EXPECT_FALSE(task(runs).deleting);
  EXPECT_FALSE(is_active(waits)) << "it stays, and never runs";
  EXPECT_EQ(booked("h1", 10) + booked("h2", 10), 1) << "the slot of what runs";
  EXPECT_EQ(command(root, Submit{inside(ar), "hash"}).exit_code, 1);
  end(runs);
  EXPECT_EQ(booked("h1", 10) + booked("h2", 10), 0);
  EXPECT_TRUE(is_there(ar));
}

// plus.md P3.39 to P3.42, the other column
TEST_F(GivenReservationsToGiveUp, WhenOneIsDestroyedThenItsJobsAreEndedAndItGoes) {
  hosts(1, 1);
  const auto ar = granted(root, whole(1, 0));
  const auto runs = submit(root, inside(ar)), waits = submit(root, inside(ar));
  pass();
  start(runs);
  EXPECT_EQ(destroy(root, ar).exit_code, 0);
  EXPECT_FALSE(find(waits));
  EXPECT_TRUE(task(runs).deleting);
  end(runs);
  EXPECT_FALSE(is_there(ar));
  EXPECT_EQ(destroy(root, ar).exit_code, 1);
}

// plus.md P3.41: the waiting jobs of a canceled one go with destroy
TEST_F(GivenReservationsToGiveUp, WhenACanceledOneIsDestroyedThenItsWaitingJobsGo) {
  hosts(1, 1);
  const auto ar = granted(root, whole(1));
  const auto waits = submit(root, inside(ar));
  ASSERT_EQ(cancel(root, ar).exit_code, 0);
  EXPECT_TRUE(find(waits));
  EXPECT_EQ(cancel(root, ar).exit_code, 1) << "it is canceled";
  EXPECT_EQ(destroy(root, ar).exit_code, 0);
  EXPECT_FALSE(find(waits));
  EXPECT_FALSE(is_there(ar));
}

// plus.md P3.43, section 4 rule 4
TEST_F(GivenReservationsToGiveUp, WhenItIsOnlyHeldThenItsRequesterGivesItUpAndManagersDestroyIt) {
  hosts(2, 1);
  allow("alice"), allow("bob");
  const auto held = prepare(alice, whole(1), 60).number;
  EXPECT_EQ(cancel(bob, held).exit_code, 1);
  EXPECT_EQ(text(cancel(root, held)), "denied: operation pending on advance_reservation \"1\"\n")
      << "a manager settles it, or destroys it";
  EXPECT_EQ(cancel(alice, held).exit_code, 0);
  EXPECT_FALSE(is_there(held));
  EXPECT_EQ(settle(alice, held, true).exit_code, 1);
  EXPECT_EQ(settle(alice, held, false).exit_code, 0);
  const auto other = prepare(alice, whole(1), 60).number;
  EXPECT_EQ(destroy(root, other).exit_code, 0);
  EXPECT_FALSE(is_there(other));
}

// plus.md section 4 rules 4 and 7e
TEST_F(GivenReservationsToGiveUp, WhenAChangeIsHeldThenOnlyAManagerDestroysIt) {
  hosts(2, 1);
  allow("alice");
  const auto ar = granted(alice, whole(1));
  ReservationRequest more;
  more.nodes = 2;
  ASSERT_EQ(prepare(alice, more, 60, ar).exit_code, 0);
  const auto pending = "denied: operation pending on advance_reservation \"1\"\n";
  EXPECT_EQ(text(cancel(alice, ar)), pending);
  EXPECT_EQ(text(destroy(alice, ar)), pending);
  EXPECT_EQ(text(cancel(root, ar)), pending);
  EXPECT_EQ(destroy(root, ar).exit_code, 0);
  EXPECT_EQ(settle(alice, ar, true).exit_code, 1) << "it was aborted";
  EXPECT_EQ(settle(alice, ar, false).exit_code, 0);
}

// plus.md P3.44, P3.45, P3.46
TEST_F(GivenReservationsToGiveUp, WhenAnOwnerIsNamedThenAllOfTheirsAreMeant) {
  hosts(3, 1);
  allow("alice"), allow("bob");
  granted(alice, whole(1)), granted(alice, whole(1));
  const auto of_bob = granted(bob, whole(1));
  const auto of_owner = [&](const Caller& caller, ReservationVerb verb) {
    return command(caller, RemoveReservations{{}, {"alice"}, verb});
  };
  EXPECT_EQ(of_owner(bob, ReservationVerb::cancel).exit_code, 1) << "they are not bob's";
  EXPECT_EQ(letter(1), 'w');
  EXPECT_EQ(of_owner(alice, ReservationVerb::cancel).exit_code, 0);
  EXPECT_EQ(letter(1), 'd');
  EXPECT_EQ(letter(2), 'd');
  EXPECT_EQ(letter(of_bob), 'w');
  EXPECT_EQ(of_owner(alice, ReservationVerb::cancel).exit_code, 1) << "there is nothing to cancel";
  EXPECT_EQ(of_owner(root, ReservationVerb::destroy).exit_code, 0);
  EXPECT_FALSE(is_there(1) || is_there(2));
}

// plus.md P1.2, P2.13, P3.44
TEST_F(GivenReservationsToGiveUp, WhenTheyAreNamedThenBothSpellingsOfAnIdAreUnderstood) {
  hosts(3, 1);
  granted(root, whole(1)), granted(root, whole(1));
  const auto all = [&](std::vector<std::string> targets, std::vector<std::string> users = {}) {
    return command(
        root, RemoveReservations{std::move(targets), std::move(users), ReservationVerb::destroy});
  };
  EXPECT_EQ(all({"R1", "1", "2"}).exit_code, 0);
  EXPECT_FALSE(is_there(1) || is_there(2));
  EXPECT_EQ(all({"R9"}).exit_code, 1);
  EXPECT_EQ(all({"x"}).exit_code, 1);
  EXPECT_EQ(all({}).exit_code, 1);
  EXPECT_EQ(all({"R1"}, {"root"}).exit_code, 1) << "exactly one of both";
  EXPECT_EQ(command(root, RemoveReservations{{"1"}, {}, ReservationVerb::change}).exit_code, 1);
}

// plus.md P1.7, P4.17: it ages out like those that have expired
TEST_F(GivenReservationsToGiveUp, WhenCanceledOnesEndThenOnlyTheLastStayOnRecord) {
  hosts(1, 1);
  scheduler({{"params", "EXPIRED_AR=1"}});
  for (int i = 0; i < 2; ++i) {
    const auto ar = granted(root, whole(1, 0, 100));
    cancel(root, ar);
    EXPECT_TRUE(is_there(ar));
    now = now + Duration{100};
    due(ar);
  }
  EXPECT_FALSE(is_there(1));
  EXPECT_TRUE(is_there(2));
  EXPECT_NE(reservation(2).canceled_at, Instant());
}

// plus.md P5.1, P5.2
TEST_F(GivenReservationsToGiveUp, WhenAQueueIsCalledLikeOneThenTheJobRunsInItOrWaitsForIt) {
  hosts(1, 2);
  auto later = job("later");
  later.queues = {"R1"};
  const auto waits = submit(alice, later);
  pass();
  EXPECT_FALSE(is_active(waits));
  EXPECT_FALSE(find(waits)->request->reservation);
  auto checked = later;
  checked.validation = Validation::error;
  EXPECT_EQ(command(alice, Submit{checked, "hash"}).exit_code, 1) << "-w e";
  auto unknown = later;
  unknown.queues = {"R1", "all.q"};
  EXPECT_EQ(command(alice, Submit{unknown, "hash"}).exit_code, 1) << "a queue that is not there";
  auto request = whole(1, 0);
  request.users = {"alice"};
  ASSERT_EQ(granted(root, request), 1);
  EXPECT_EQ(find(waits)->request->reservation.value, 1);
  pass();
  EXPECT_TRUE(is_active(waits));
  const auto another = submit(alice, later);
  EXPECT_EQ(find(another)->request->reservation.value, 1);
  pass();
  EXPECT_TRUE(is_active(another));
}

TEST_F(GivenReservationsToGiveUp, WhenWhoWaitsMayNotUseItThenTheJobWaitsOn) {
  hosts(1, 2);
  auto later = job("later");
  later.queues = {"R1"};
  const auto waits = submit(bob, later);
  const auto held = prepare(root, whole(1, 10), 60);
  ASSERT_EQ(held.exit_code, 0);
  EXPECT_FALSE(find(waits)->request->reservation) << "it is held only";
  ASSERT_EQ(settle(root, held.number, true).exit_code, 0);
  EXPECT_FALSE(find(waits)->request->reservation) << "bob may not use it";
  now = now + Duration{10};
  due(held.number);
  pass();
  EXPECT_FALSE(is_active(waits));
}
