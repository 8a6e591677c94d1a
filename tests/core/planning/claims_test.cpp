// Challenges, and claims that go with commands (spec/metascheduler.md section 6, M11.6). What the
// gate says of key and proof is given here; tests/actors/reservation_key_test.cpp has how it comes
// to that.
#include "core/answer/ggf.hpp"
#include "planner_fixture.hpp"

using namespace almanac;

namespace {

class GivenAReservationWithAKey : public PlannerFixture {
public:
  void SetUp() override {
    hosts(2, 4);
    allow("alice");
    start = now.seconds + 100;
    ar = prepare(alice, true);
    ASSERT_EQ(command(alice, SettleReservation{"t", {ar}, true}).exit_code, 0);
  }
  std::int64_t prepare(const Caller& caller, bool with_key, const std::string& name = "",
                       const std::string& transaction = "t") {
    PrepareReservation wanted{transaction, {}, ReservationVerb::change, window(start, 1'000), {50}};
    wanted.request = on_pe(wanted.request, "fill", 2), wanted.request.name = name;
    if (with_key) wanted.sealed_secret = "sealed"; // the gate's
    const auto answer = command(caller, wanted);
    EXPECT_EQ(answer.exit_code, 0) << text(answer);
    return answer.number;
  }
  /// The nonce that a challenge gives, which here is the name of it.
  Answer challenge(const std::string& nonce, const Caller& caller, std::int64_t number) {
    return command(caller, IssueChallenge{{number}, nonce});
  }
  CheckedClaim claim(const std::string& nonce, ClaimVerdict verdict = ClaimVerdict::proved) const {
    const auto& of = reservation(ar);
    return {verdict, nonce, of.number, of.key, of.shape.window.end};
  }
  Answer with(const CheckedClaim& one, CommandBody body, const Caller& caller) {
    return *handle(Command{caller, std::move(body), {one}}).answer;
  }
  Submit inside(const std::string& name = "inside") const {
    auto request = job(name, "100");
    request.reservation = {ar};
    return {std::move(request), "hash"};
  }
  std::size_t open() const { return planner.state().records().all<ClaimChallenge>().size(); }
  void require_key() { scheduler({{"params", "GMETA_REQUIRE_KEY=1"}}); }

  std::int64_t start = 0, ar = 0;
};

} // namespace

// M6.6, M6.9, M6.14, M6.27, M6.28
TEST_F(GivenAReservationWithAKey, WhenJobsClaimItBeforeItsStartThenTheyAreAcceptedAndWait) {
  ASSERT_EQ(challenge("n1", alice, ar).exit_code, 0);
  ASSERT_EQ(challenge("n2", alice, ar).exit_code, 0);
  EXPECT_EQ(open(), 2u);
  const auto first = with(claim("n1"), inside("a"), alice);
  const auto second = with(claim("n2"), inside("b"), alice);
  EXPECT_EQ(first.exit_code, 0) << text(first);
  EXPECT_EQ(second.exit_code, 0) << text(second);
  EXPECT_EQ(open(), 0u);
  pass();
  EXPECT_FALSE(is_active(first.number));
  now = {start};
  due(ar), pass();
  EXPECT_TRUE(is_active(first.number));
  EXPECT_TRUE(is_active(second.number));
}

// M1.11, M6.10, M6.23, M6.29
TEST_F(GivenAReservationWithAKey, WhenANonceComesTwiceThenTheSecondClaimIsRefused) {
  challenge("n1", alice, ar);
  ASSERT_EQ(with(claim("n1"), inside(), alice).exit_code, 0);
  const auto again = with(claim("n1"), inside(), alice);
  EXPECT_EQ(again.exit_code, 1);
  EXPECT_TRUE(says(again, "the challenge for advance reservation")) << text(again);
  EXPECT_EQ(with(claim("never given"), inside(), alice).exit_code, 1);
}

// M6.24
TEST_F(GivenAReservationWithAKey, WhenANonceIs61SecondsOldThenItDoesNotCount) {
  challenge("n1", alice, ar), challenge("n2", alice, ar);
  now = now + Duration{60};
  EXPECT_EQ(with(claim("n1"), inside(), alice).exit_code, 0);
  now = now + Duration{1};
  EXPECT_TRUE(says(with(claim("n2"), inside(), alice), "is older than 60 s"));
  EXPECT_EQ(open(), 0u);
}

// M6.6: also over a restart
TEST_F(GivenAReservationWithAKey, WhenTheMasterIsRestartedThenNoncesAreKnownAndSpentOnesAreNot) {
  challenge("n1", alice, ar), challenge("n2", alice, ar);
  with(claim("n1"), inside(), alice);
  planner = *Planner::restore(planner.state().records().copy());
  tell(Restarted{});
  EXPECT_EQ(with(claim("n1"), inside(), alice).exit_code, 1);
  EXPECT_EQ(with(claim("n2"), inside(), alice).exit_code, 0);
}

// M6.21, M6.22, M6.25: what the gate found counts, and the nonce is gone
TEST_F(GivenAReservationWithAKey, WhenKeyOrProofIsBadThenTheClaimIsRefusedAndItsNonceSpent) {
  challenge("n1", alice, ar), challenge("n2", alice, ar);
  EXPECT_TRUE(
      says(with(claim("n1", ClaimVerdict::bad_key), inside(), alice), "the key is not one"));
  EXPECT_TRUE(says(with(claim("n2", ClaimVerdict::bad_proof), inside(), alice), "the proof for"));
  EXPECT_EQ(open(), 0u);
  EXPECT_TRUE(says(with(claim("n2"), inside(), alice), "the challenge for"));
}

// M6.13, M6.26
TEST_F(GivenAReservationWithAKey, WhenItIsMadeAnewWithTheSameNumberThenTheOldKeyIsInvalid) {
  const auto old = claim("n1");
  ASSERT_EQ(command(alice, DeleteReservations{{std::to_string(ar)}, {}, false}).exit_code, 0);
  now = now + Duration{3'700};
  start = now.seconds + 100;
  auto records = planner.state().records().copy();
  records.counters.last_reservation_number = ar - 1;
  records.reservations.clear(), records.transactions.clear();
  planner = *Planner::restore(std::move(records));
  ASSERT_EQ(prepare(alice, true), ar);
  ASSERT_EQ(challenge("n1", alice, ar).exit_code, 0);
  EXPECT_TRUE(says(with(old, inside(), alice), "the key is not one"));
}

// M6.8: the time
TEST_F(GivenAReservationWithAKey, WhenTheGrantIsOverThenTheKeyIsInvalid) {
  challenge("n1", alice, ar);
  auto late = claim("n1");
  late.not_after = now;
  EXPECT_TRUE(says(with(late, inside(), alice), "the key is not one"));
}

// M6.8: the ACL
TEST_F(GivenAReservationWithAKey, WhenTheClaimantIsNotInTheAclThenNeitherKeyNorChallengeHelps) {
  EXPECT_EQ(challenge("n1", bob, ar).exit_code, 1);
  challenge("n2", alice, ar);
  EXPECT_TRUE(says(with(claim("n2"), inside(), bob), "the challenge for")) << "it is alice's";
  EXPECT_EQ(open(), 1u);
}

TEST_F(GivenAReservationWithAKey, WhenTheCommandIsAboutAnotherOneThenItIsRefused) {
  const auto other = reserve(alice, on_pe(window(start, 100), "fill", 1));
  challenge("n1", alice, ar);
  auto elsewhere = inside();
  elsewhere.request.reservation = {other};
  EXPECT_TRUE(says(with(claim("n1"), elsewhere, alice), "the request is about another one"));
  challenge("n2", alice, ar);
  EXPECT_EQ(with(claim("n2"), DeleteReservations{{"*"}, {}, false}, alice).exit_code, 1);
  challenge("n3", alice, ar);
  const auto two = DeleteReservations{{std::to_string(ar), std::to_string(other)}, {}, false};
  EXPECT_EQ(with(claim("n3"), two, alice).exit_code, 1);
  EXPECT_EQ(letter(ar), 'w');
  EXPECT_EQ(challenge("n4", alice, other).exit_code, 1) << "it has no key";
  EXPECT_EQ(challenge("n5", alice, 99).exit_code, 1);
}

// M6.16
TEST_F(GivenAReservationWithAKey, WhenTheSiteAsksForNoKeyThenTheOwnerNeedsNone) {
  EXPECT_EQ(command(alice, inside()).exit_code, 0);
}

// M6.17
TEST_F(GivenAReservationWithAKey, WhenTheSiteAsksForTheKeyThenNothingIsDoneWithoutIt) {
  const auto plain = reserve(alice, on_pe(window(start, 1'000), "fill", 1));
  const auto number = std::to_string(ar);
  const auto before = submit(alice, inside().request);
  require_key();
  EXPECT_TRUE(says(command(alice, inside()), "needs its key"));
  EXPECT_TRUE(says(command(root, inside()), "needs its key"));
  EXPECT_TRUE(says(command(alice, DeleteReservations{{number}, {}, false}), "needs its key"));
  EXPECT_TRUE(says(command(alice, DeleteReservations{{}, {"alice"}, false}), "needs its key"));
  EXPECT_TRUE(says(command(alice, AlterReservation{{ar}, {"-m"}, {}}), "needs its key"));
  EXPECT_TRUE(says(command(alice, PrepareReservation{"x", {ar}, ReservationVerb::destroy, {}, {9}}),
                   "needs its key"));
  AlterJobs into{{std::to_string(before)}, {}, {"-ar"}, {}};
  into.request.reservation = {ar};
  EXPECT_TRUE(says(command(alice, into), "needs its key"));
  EXPECT_TRUE(
      says(command(alice, ResubmitJobs{{{std::to_string(before)}, {}, {}, {}}}), "needs its key"));
  auto other = inside();
  other.request.reservation = {plain};
  const auto without_key = command(alice, other);
  EXPECT_EQ(without_key.exit_code, 0) << text(without_key);
  challenge("n1", alice, ar), challenge("n2", alice, ar);
  EXPECT_EQ(with(claim("n1"), inside(), alice).exit_code, 0);
  EXPECT_EQ(with(claim("n2"), DeleteReservations{{number}, {}, false}, alice).exit_code, 0);
}

// M6.17, also of plus_cancel and plus_destroy: by number, or all of an owner.
TEST_F(GivenAReservationWithAKey, WhenTheSiteAsksForTheKeyThenItIsNotGivenUpWithoutIt) {
  require_key();
  const auto number = std::to_string(ar);
  const RemoveReservations cancel{{"R" + number}, {}, ReservationVerb::cancel};
  EXPECT_TRUE(says(command(alice, cancel), "needs its key"));
  EXPECT_TRUE(says(command(alice, RemoveReservations{{}, {"alice"}, ReservationVerb::destroy}),
                   "needs its key"));
  EXPECT_EQ(letter(ar), 'w');
  challenge("n1", alice, ar);
  EXPECT_EQ(with(claim("n1"), cancel, alice).exit_code, 0);
  const RemoveReservations destroy{{number}, {}, ReservationVerb::destroy};
  EXPECT_EQ(command(alice, destroy).exit_code, 0) << "it is over, and only a record";
}

// P5.1: queue R1 is reservation 1, and needs its key as -ar 1 does.
TEST_F(GivenAReservationWithAKey, WhenTheSiteAsksForTheKeyThenItsQueueNeedsItToo) {
  require_key();
  auto request = job("named", "100");
  request.queues = {"R" + std::to_string(ar)};
  const Submit named{request, "hash"};
  EXPECT_TRUE(says(command(alice, named), "needs its key"));
  const auto elsewhere = submit(alice, job("elsewhere", "100"));
  AlterJobs into{{std::to_string(elsewhere)}, {}, {"-q"}, {}};
  into.request.queues = request.queues;
  EXPECT_TRUE(says(command(alice, into), "needs its key"));
  challenge("n1", alice, ar);
  const auto taken = with(claim("n1"), named, alice);
  EXPECT_EQ(taken.exit_code, 0) << text(taken);
}

// P5.2: who waits for it has not shown its key.
TEST_F(GivenAReservationWithAKey, WhenTheSiteAsksForTheKeyThenJobsThatWaitedForItGoOnWaiting) {
  require_key();
  auto request = job("named", "100");
  request.queues = {"R" + std::to_string(ar + 1)};
  const auto waits = submit(alice, request);
  ASSERT_EQ(prepare(alice, true, "", "next"), ar + 1);
  ASSERT_EQ(command(alice, SettleReservation{"next", {ar + 1}, true}).exit_code, 0);
  for (const auto& [key, one] : planner.state().jobs())
    if (one->number.value == waits) {
      EXPECT_EQ(one->request->reservation, ReservationNumber{});
    }
  EXPECT_TRUE(
      says(command(alice, ResubmitJobs{{{std::to_string(waits)}, {}, {}, {}}}), "needs its key"));
}

TEST_F(GivenAReservationWithAKey, WhenTheSiteAsksForTheKeyThenOperatorsStillChangeIt) {
  require_key();
  const auto number = std::to_string(ar);
  EXPECT_EQ(command(root, DeleteReservations{{number}, {}, false}).exit_code, 0);
}

// M2.8: who acts for a user claims with a nonce of that user.
TEST_F(GivenAReservationWithAKey, WhenAManagerActsForItsOwnerThenTheNonceIsTheOwners) {
  const auto for_alice = [this](const Caller& who, CommandBody body,
                                std::vector<CheckedClaim> claims) {
    const OnBehalf whom{alice};
    return *handle(Command{who, std::move(body), std::move(claims), {whom}}).answer;
  };
  const IssueChallenge first{{ar}, "n1"}, second{{ar}, "n2"};
  EXPECT_TRUE(says(for_alice(bob, first, {}), "bob"));
  ASSERT_EQ(for_alice(root, first, {}).exit_code, 0);
  ASSERT_EQ(for_alice(root, second, {}).exit_code, 0);
  EXPECT_EQ(with(claim("n1"), SpendChallenge{{ar}}, root).exit_code, 1) << "it is alice's";
  EXPECT_EQ(for_alice(root, SpendChallenge{{ar}}, {claim("n1")}).exit_code, 0);
  EXPECT_EQ(with(claim("n2"), SpendChallenge{{ar}}, alice).exit_code, 0);
}

// M6.17, section 6: a line over the wire can show no key. So with it a reservation is made and
// settled, and that is all.
TEST_F(GivenAReservationWithAKey, WhenTheSiteAsksForTheKeyThenALineOfThePortChangesNothing) {
  const ConfigurationObject list{ObjectKind::userset, "gmeta_grid", {}};
  ASSERT_EQ(command(root, Configure{{ChangeVerb::add_entries, list, {"alice"}}}).exit_code, 0);
  scheduler({{"params", "GMETA_PORT=gate,GMETA_REQUIRE_KEY=1"}});
  const auto status = [&](CommandBody body) {
    const Caller port{"gate", "gate", 1900, 1900, "master"};
    const OnBehalf whom{alice, "grid"};
    return ggf::status_of(*handle(Command{port, std::move(body), {}, {whom}}).answer).code;
  };
  const auto number = std::to_string(ar);
  PrepareReservation moved{"m", {ar}, ReservationVerb::change, {}, {50}};
  moved.request.start = {start + 100};
  EXPECT_EQ(status(moved), -51) << "MODIFY";
  EXPECT_EQ(status(DeleteReservations{{number}, {}, false}), -51) << "RELEASE";
  EXPECT_EQ(letter(ar), 'w');
  PrepareReservation wanted{"n", {}, ReservationVerb::change, window(start, 1'000), {50}};
  wanted.request = on_pe(wanted.request, "fill", 1), wanted.sealed_secret = "sealed";
  EXPECT_EQ(status(wanted), 0);
  EXPECT_EQ(status(SettleReservation{"n", {ar + 1}, false}), 0) << "ABORT";
  wanted.transaction = "o";
  EXPECT_EQ(status(wanted), 0);
  EXPECT_EQ(status(SettleReservation{"o", {ar + 2}, true}), 0) << "COMMIT";
  EXPECT_EQ(status(DeleteReservations{{std::to_string(ar + 2)}, {}, false}), -51);
}

// M6.20
TEST_F(GivenAReservationWithAKey, WhenItsKeyIsTriedThenNothingIsUsedButTheNonce) {
  challenge("n1", alice, ar), challenge("n2", alice, ar);
  const auto good = with(claim("n1"), SpendChallenge{{ar}}, alice);
  EXPECT_EQ(good.exit_code, 0);
  EXPECT_TRUE(says(good, "is good"));
  EXPECT_EQ(with(claim("n2", ClaimVerdict::bad_proof), SpendChallenge{{ar}}, alice).exit_code, 1);
  EXPECT_EQ(command(alice, SpendChallenge{{ar}}).exit_code, 1) << "there is no claim";
  EXPECT_EQ(open(), 0u);
}

// M8.19 M8.20 M8.21 M8.22
TEST_F(GivenAReservationWithAKey, WhenAClaimDoesNotCountThenTheStatusSaysWhy) {
  const auto status = [&](const CheckedClaim& one) {
    return ggf::status_of(with(one, SpendChallenge{{ar}}, alice)).code;
  };
  for (const auto* nonce : {"n1", "n2", "n3", "n4"}) challenge(nonce, alice, ar);
  EXPECT_EQ(status(claim("n1")), 0);
  EXPECT_EQ(status(claim("n1")), -53) << "used";
  EXPECT_EQ(status(claim("n2", ClaimVerdict::bad_proof)), -52);
  EXPECT_EQ(status(claim("n3", ClaimVerdict::bad_key)), -51);
  EXPECT_EQ(status(claim("never")), -53);
  now = now + Duration{61};
  EXPECT_EQ(status(claim("n4")), -53) << "too late";
  for (std::size_t i = 0; i < most_challenges_of_user; ++i)
    challenge("a" + std::to_string(i), alice, ar);
  EXPECT_EQ(ggf::status_of(challenge("more", alice, ar)).code, -60);
}

TEST_F(GivenAReservationWithAKey, WhenSomebodyAsksForManyChallengesThenOthersStillGetSome) {
  for (std::size_t i = 0; i < most_challenges_of_user; ++i)
    ASSERT_EQ(challenge("a" + std::to_string(i), alice, ar).exit_code, 0);
  EXPECT_TRUE(says(challenge("more", alice, ar), "try again in 60 s"));
  EXPECT_EQ(challenge("r", root, ar).exit_code, 0);
  now = now + Duration{61};
  EXPECT_EQ(challenge("later", alice, ar).exit_code, 0);
  EXPECT_EQ(open(), 1u) << "those that are old are forgotten";
}

// The planner draws nothing: a journal that is decided again gives the same.
TEST_F(GivenAReservationWithAKey, WhenAPublicKeyIsNoKeyThenItIsRefused) {
  auto request = window(start, 100);
  request.public_key = "short";
  EXPECT_EQ(command(alice, Reserve{request}).exit_code, 1);
  request.public_key = std::string(43, 'A');
  EXPECT_EQ(command(alice, Reserve{request}).exit_code, 0);
}
