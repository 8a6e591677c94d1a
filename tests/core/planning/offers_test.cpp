// What is offered for a while in the place of a refusal (docs/spec/beyond.md section 3).
#include "core/reservation/offer_token.hpp"
#include "planner_fixture.hpp"

#include <rapidcheck/gtest.h>

using namespace almanac;

namespace {

class GivenReservationsOnOffer : public PlannerFixture {
public:
  GivenReservationsOnOffer() { planner.set_checking(true); }

  Answer offer(const Caller& caller, ReservationRequest request, std::int64_t seconds = 60,
               std::vector<std::string> kinds = {}) {
    Reserve command{std::move(request)};
    command.offer_for = {seconds}, command.offer_kinds = std::move(kinds);
    return this->command(caller, std::move(command));
  }
  /// "7.2f81c09ae4b7d310"
  static std::string token(const Answer& answer) {
    const auto* token = answer.statements.front().find("token");
    EXPECT_NE(token, nullptr) << text(answer);
    return token ? token->text : "";
  }
  Answer accept(const Caller& caller, const std::string& token) {
    const auto read = OfferToken::parse(token);
    EXPECT_TRUE(read.has_value()) << token;
    return command(caller, SettleReservation{read->transaction, read->number, true});
  }
  Answer withdraw(const Caller& caller, std::int64_t number) {
    return command(caller, DeleteReservations{{std::to_string(number)}, {}, false});
  }
  void let_reserve(const std::string& users) {
    change({ObjectKind::userset, "arusers", {{"entries", users}}});
  }
  ReservationRequest slots(std::int64_t count, std::int64_t after, std::int64_t length) const {
    return on_pe(window(now.seconds + after, length), "fill", count);
  }
  void wait(std::int64_t seconds) { now = now + Duration{seconds}; }
};

class Cell : public GivenReservationsOnOffer {
  void TestBody() override {}
};

// O2: 12 of 16 slots are taken over T+1000..T+2000.
class GivenACellThatIsTaken : public GivenReservationsOnOffer {
public:
  GivenACellThatIsTaken() {
    hosts(4, 4);
    reserve(root, slots(12, 1000, 1000));
  }
};

} // namespace

// B3.4, B1.9: it is in state W for no longer than it takes to repair it.
TEST_F(GivenReservationsOnOffer, WhenTheHostOfAnOfferIsLostThenItIsSaidThatItIsRepaired) {
  hosts(2, 4);
  auto request = slots(4, 600, 600);
  request.repair = Repair::yes;
  const auto answer = offer(root, request);
  tell(HostSilent{"h1", true});
  EXPECT_EQ(text(accept(root, token(answer))),
            "Your advance reservation 1 has been granted\nwarning: reserved queue all.q@h1 is "
            "unknown; the reservation is repaired if there is other capacity\n");
  pass();
  EXPECT_EQ(letter(1), 'w');
  EXPECT_EQ(reservation(1).shape.grants.front().instance.host, "h2");
}

// O3, B3.3, B3.31, B3.33
TEST_F(GivenACellThatIsTaken, WhenARequestDoesNotFitThenTheNextStartIsOfferedAndBooked) {
  const auto answer = offer(root, slots(8, 600, 600));
  ASSERT_EQ(answer.exit_code, 0) << text(answer);
  EXPECT_EQ(answer.number, 2);
  EXPECT_EQ(text(answer),
            "Offer " + token(answer) +
                " until 1970-01-12 13:47:40 UTC: 8 slots, 1970-01-12 14:20:00 UTC to 1970-01-12 "
                "14:30:00 UTC (later by 1400 s)\n"
                "warning: a job can run in it for 00:09:00 at most: 00:10:00 reserved less 60 s "
                "(DURATION_OFFSET)\n");
  EXPECT_EQ(letter(2), 'h');
  EXPECT_EQ(command(root, Reserve{slots(9, 2000, 600)}).exit_code, 1) << "it is booked";
  EXPECT_EQ(command(root, Reserve{slots(8, 2000, 600)}).exit_code, 0);
  wait(60);
  due(2);
  EXPECT_EQ(letter(2), '-');
  EXPECT_EQ(text(accept(root, token(answer))),
            "denied: offer 2 ended at 1970-01-12 13:47:40 UTC\n"); // B3.42
  EXPECT_EQ(command(root, Reserve{slots(8, 1940, 600)}).exit_code, 0) << "it is free";
}

// B3.3: the request itself, if it fits.
TEST_F(GivenACellThatIsTaken, WhenTheRequestFitsThenItIsOfferedAsItIs) {
  const auto answer = offer(root, slots(8, 0, 600));
  EXPECT_EQ(answer.statements.front().find("difference"), nullptr);
  EXPECT_EQ(accept(root, token(answer)).exit_code, 0);
  EXPECT_EQ(letter(2), 'r');
  EXPECT_EQ(reservation(2).shape.window, (Window{now, now + Duration{600}}));
}

// B0.004: the kinds that may be offered, in the order in which a refusal names them (B3.27).
TEST_F(GivenACellThatIsTaken, WhenKindsAreNamedThenOnlyThoseAreOffered) {
  const auto difference = [&](std::vector<std::string> kinds) {
    const auto answer = offer(root, slots(8, 600, 600), 60, std::move(kinds));
    if (answer.exit_code != 0) return text(answer);
    const auto* found = answer.statements.front().find("difference");
    withdraw(root, answer.number);
    return found ? gridengine::text_of(found->inner.front()) : std::string("none");
  };
  EXPECT_EQ(difference({"earlier", "later"}), "later by 1400 s");
  EXPECT_EQ(difference({"earlier"}), "earlier by 200 s");
  EXPECT_EQ(difference({"fewer", "shorter"}), "for 400 s instead of 600 s");
  EXPECT_EQ(difference({"fewer"}), "fewer than requested");
  EXPECT_NE(difference({"elsewhere"}).find("no suitable queues"), std::string::npos); // B3.32
}

// B3.3, B4.16
TEST_F(GivenACellThatIsTaken, WhenThereIsNoStartInTimeThenAnAlternativeIsOffered) {
  auto request = slots(17, 0, 60);
  request.start = {}, request.asap = true;
  EXPECT_EQ(offer(root, request).exit_code, 1);
  const auto answer = offer(root, request, 60, {"fewer"});
  ASSERT_EQ(answer.exit_code, 0) << text(answer);
  EXPECT_EQ(accept(root, token(answer)).exit_code, 0);
  EXPECT_EQ(reservation(answer.number).shape.slots(), 16);
  EXPECT_EQ(reservation(answer.number).shape.window, (Window{now, now + Duration{60}}));
}

TEST_F(GivenACellThatIsTaken, WhenOnlyOtherQueuesFitThenTheRequestLosesItsQueue) {
  auto request = slots(4, 1000, 600);
  request.queues = {"all.q@h1"};
  const auto answer = offer(root, request, 60, {"elsewhere"});
  ASSERT_EQ(answer.exit_code, 0) << text(answer);
  EXPECT_EQ(accept(root, token(answer)).exit_code, 0);
  EXPECT_TRUE(reservation(2).request.queues.empty());
  EXPECT_EQ(reservation(2).shape.slots(), 4);
}

// O6, B3.41: the same for an hour.
TEST_F(GivenACellThatIsTaken, WhenItIsAcceptedAgainThenTheAnswerIsTheSameForAnHour) {
  const auto held = offer(root, slots(8, 600, 600));
  const std::string granted = "Your advance reservation 2 has been granted\n";
  EXPECT_EQ(text(accept(root, token(held))), granted);
  EXPECT_EQ(letter(2), 'w');
  const auto digest = planner.digest();
  EXPECT_EQ(text(accept(root, token(held))), granted);
  wait(3599);
  EXPECT_EQ(text(accept(root, token(held))), granted);
  EXPECT_EQ(planner.digest(), digest);
  wait(1);
  EXPECT_EQ(accept(root, token(held)).exit_code, 1);
}

// B13.6, B13.7
TEST_F(GivenACellThatIsTaken, WhenATokenIsWrongOrSomebodyElsesThenNothingIsGranted) {
  let_reserve("alice bob");
  const auto held = offer(alice, slots(8, 600, 600));
  const auto digest = planner.digest();
  EXPECT_EQ(text(accept(bob, token(held))),
            "bob - you do not have the necessary privileges to change the advance_reservation "
            "\"2\"\n");
  EXPECT_EQ(accept(alice, "2.0000000000000000").exit_code, 1);
  EXPECT_EQ(accept(alice, "3" + token(held).substr(1)).exit_code, 1);
  EXPECT_EQ(planner.digest(), digest);
  EXPECT_EQ(accept(root, token(held)).exit_code, 0) << "managers may";
  for (const auto* wrong : {"7", "7.zz", "7.", "x.2f81c09ae4b7d310", "7.2F81C09AE4B7D310",
                            "0.2f81c09ae4b7d310", "7.2f81c09ae4b7d3100"})
    EXPECT_FALSE(OfferToken::parse(wrong).has_value()) << wrong;
}

// B3.43 (ruling): it begins when it is accepted, and ends when it would have.
TEST_F(GivenACellThatIsTaken, WhenItsStartPassesThenItBeginsWithTheAccept) {
  const auto held = offer(root, slots(8, 10, 600), 200);
  const auto end = now + Duration{610};
  wait(180);
  due(2);
  EXPECT_EQ(letter(2), 'h');
  EXPECT_EQ(accept(root, token(held)).exit_code, 0);
  EXPECT_EQ(letter(2), 'r');
  EXPECT_EQ(reservation(2).shape.window, (Window{now, end}));
  EXPECT_EQ(command(root, Reserve{slots(9, 0, 100)}).exit_code, 1);
}

TEST_F(GivenACellThatIsTaken, WhenItsEndPassesThenItIsOver) {
  const auto held = offer(root, slots(8, 0, 30), 200);
  wait(30);
  due(2);
  EXPECT_EQ(letter(2), '-');
  EXPECT_EQ(accept(root, token(held)).exit_code, 1);
}

// B3.44, and B3.61: nobody was told of it, so nobody is told that it is gone.
TEST_F(GivenACellThatIsTaken, WhenItIsWithdrawnThenItIsGoneWithoutAReport) {
  global({{"reporting_params", "reporting=true"}});
  const auto held = offer(root, slots(8, 600, 600));
  const auto done =
      handle(Command{root, DeleteReservations{{std::to_string(held.number)}, {}, false}});
  EXPECT_EQ(text(*done.answer), "root has deleted advance_reservation 2\n");
  for (const auto& effect : done.effects)
    EXPECT_FALSE(std::holds_alternative<ReportingRecord>(effect));
  EXPECT_EQ(letter(2), '-');
  EXPECT_EQ(accept(root, token(held)).exit_code, 1);
}

// B3.45
TEST_F(GivenACellThatIsTaken, WhenItsUserMayNoLongerReserveThenWhatWasPromisedIsStillGranted) {
  let_reserve("alice");
  const auto held = offer(alice, slots(8, 600, 600));
  let_reserve("bob");
  EXPECT_EQ(accept(alice, token(held)).exit_code, 0);
}

// O4, B3.51: before anything else is served.
TEST_F(GivenACellThatIsTaken, WhenTheMasterIsBackAfterItsTimeThenItIsGoneAndSaysWhenItEnded) {
  const auto held = offer(root, slots(8, 600, 600));
  const auto ended = now + Duration{60};
  wait(50);
  tell(Restarted{});
  EXPECT_EQ(letter(2), 'h');
  wait(40);
  tell(Restarted{});
  EXPECT_EQ(letter(2), '-');
  const auto refused = accept(root, token(held));
  EXPECT_EQ(refused.statements.front().find("at")->number, ended.seconds);
}

// O5, B3.53, B3.54, O7.35
TEST_F(GivenACellThatIsTaken, WhenAUserLeavesOffersThenThereAreNoMoreForAnHour) {
  let_reserve("alice bob");
  const auto refused = [&] {
    const auto digest = planner.digest();
    const auto answer = offer(alice, slots(1, 0, 100));
    EXPECT_EQ(answer.exit_code, 25);
    EXPECT_EQ(planner.digest(), digest);
    return text(answer);
  };
  for (int i = 0; i < 2; ++i) EXPECT_EQ(offer(alice, slots(1, 0, 100)).exit_code, 0);
  EXPECT_EQ(refused(), "rejected: only 2 open offers are allowed per user\n");
  EXPECT_EQ(offer(bob, slots(1, 0, 100)).exit_code, 0);
  for (int i = 2; i <= 3; ++i) EXPECT_EQ(withdraw(alice, i).exit_code, 0);
  const auto accepted = offer(alice, slots(1, 0, 100));
  EXPECT_EQ(accept(alice, token(accepted)).exit_code, 0) << "it does not count";
  for (int i = 0; i < 8; ++i)
    EXPECT_EQ(withdraw(alice, offer(alice, slots(1, 0, 100)).number).exit_code, 0);
  EXPECT_EQ(refused(),
            "rejected: only 10 offers that are not accepted are allowed per user within an hour\n");
  EXPECT_EQ(offer(bob, slots(1, 0, 100)).exit_code, 0);
  wait(3600);
  EXPECT_EQ(offer(alice, slots(1, 0, 100)).exit_code, 0);
}

// B13.5, B3.52, O7.34
TEST_F(GivenACellThatIsTaken, WhenItIsToLastForTooLongThenTheRangeIsNamed) {
  const auto digest = planner.digest();
  EXPECT_EQ(text(offer(root, slots(1, 0, 100), 301)),
            "denied: an offer is kept for 1 to 300 s (max_offer_time), and 301 s are requested\n");
  EXPECT_EQ(planner.digest(), digest);
  global({{"max_offer_time", "0:10:0"}});
  EXPECT_EQ(offer(root, slots(1, 0, 100), 301).exit_code, 0);
}

// B13.8, and what a door may get beside it.
TEST_F(GivenACellThatIsTaken, WhenItGoesWithWhatItExcludesThenItIsRefused) {
  const auto refused = [&](auto change) {
    Reserve command{slots(1, 0, 100)};
    command.offer_for = {60};
    change(command);
    const auto answer = this->command(root, command);
    EXPECT_EQ(answer.exit_code, 1);
    return text(answer);
  };
  EXPECT_EQ(refused([](Reserve& c) { c.from_job = {1}; }),
            "-offer and -from-job exclude each other\n");
  EXPECT_EQ(refused([](Reserve& c) {
              c.request.maintenance = true, c.request.hosts = {"h1"};
              c.request.pe.clear(), c.request.slots.clear();
            }),
            "-offer and -maintenance exclude each other\n");
  EXPECT_EQ(refused([](Reserve& c) { c.override_holds = true; }), // B3.56
            "-offer and -override-holds exclude each other\n");
  refused([](Reserve& c) { c.offer_kinds = {"soon"}; });
  refused([](Reserve& c) { c.offer_kinds = {"later", "later"}; });
  refused([](Reserve& c) { c.offer_for = {-1}; });
  refused([](Reserve& c) { c.offer_for = {}, c.offer_kinds = {"later"}; });
}

// B3.55
TEST_F(GivenACellThatIsTaken, WhenAUserMayHaveOneReservationThenAnOfferIsOne) {
  let_reserve("alice");
  global({{"max_u_advance_reservations", "1"}});
  EXPECT_EQ(offer(alice, slots(1, 0, 100)).exit_code, 0);
  EXPECT_EQ(command(alice, Reserve{slots(1, 0, 100)}).exit_code, 25);
}

// B3.57
TEST_F(GivenACellThatIsTaken, WhenAJobWaitsForItThenItIsTold) {
  let_reserve("alice");
  offer(alice, slots(16, 0, 100));
  const auto number = submit(root, job("waits", "50"));
  pass();
  EXPECT_FALSE(is_active(number));
  const auto why = planner.ask(ExplainJob{{number}, true}, now);
  EXPECT_NE(text(why).find("an offer to alice until 1970-01-12 13:47:40 UTC"), std::string::npos)
      << text(why);
}

// B3.26: what is offered and accepted is what the refusal would have named.
RC_GTEST_PROP(GivenAnyCell, WhenAnOfferIsAcceptedThenItIsTheFirstAlternativeOfARefusal, ()) {
  Cell cell;
  const auto number = [](int low, int high) { return *rc::gen::inRange(low, high); };
  cell.hosts(number(1, 4), number(1, 4));
  const auto any = [&] {
    auto request = PlannerFixture::window(cell.now.seconds + number(0, 60), number(1, 60));
    if (number(0, 3) > 0) request = PlannerFixture::on_pe(request, "fill", number(1, 8));
    return request;
  };
  for (int i = number(0, 8); i > 0; --i) cell.command(cell.root, Reserve{any()});
  auto wanted = any();
  if (number(0, 3) == 0) wanted.queues = {"all.q@h1"};
  const bool fits = cell.ask(VerifyReserve{cell.root, {wanted}}).exit_code == 0;
  const auto instead = cell.ask(VerifyReserve{cell.root, {wanted}, true});
  const auto digest = cell.planner.digest();
  const auto held =
      cell.offer(cell.root, wanted, 60, {"later", "earlier", "shorter", "fewer", "elsewhere"});
  if (held.exit_code != 0) {
    RC_ASSERT(!fits && instead.statements.front().code == AnswerCode::no_alternative);
    RC_ASSERT(cell.planner.digest() == digest);
    return;
  }
  const auto booked = cell.reservation(held.number).proposed.front().shape;
  cell.wait(number(0, 60));
  const auto accepted = cell.accept(cell.root, GivenReservationsOnOffer::token(held));
  const auto end = std::min(cell.now, booked.window.end);
  if (end == booked.window.end) {
    RC_ASSERT(accepted.exit_code == 1); // it was over
    return;
  }
  RC_ASSERT(accepted.exit_code == 0);
  const auto& granted = cell.reservation(held.number).shape;
  RC_ASSERT(granted.grants == booked.grants && granted.window.end == booked.window.end);
  RC_ASSERT(granted.window.start == std::max(cell.now, booked.window.start));
  if (fits) return;
  const auto& first = instead.statements.front();
  const auto said = [&](const char* name) { return first.find(name)->number; };
  switch (first.code) {
  case AnswerCode::alternative_later:
  case AnswerCode::alternative_earlier:
    RC_ASSERT(said("start") == booked.window.start.seconds);
    RC_ASSERT(said("end") == booked.window.end.seconds);
    break;
  case AnswerCode::alternative_shorter:
    RC_ASSERT(said("seconds") == booked.window.length().seconds);
    break;
  case AnswerCode::alternative_fewer: RC_ASSERT(said("slots") == booked.slots()); break;
  default: RC_ASSERT(first.code == AnswerCode::alternative_elsewhere);
  }
}
