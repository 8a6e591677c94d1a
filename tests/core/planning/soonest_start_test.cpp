// Reservations that begin as soon as they fit (spec/beyond.md section 4).
#include "planner_fixture.hpp"

using namespace almanac;

namespace {

class GivenAsSoonAsPossible : public PlannerFixture {
public:
  ReservationRequest soon(std::int64_t slots, std::int64_t length, std::int64_t latest = 0) const {
    auto request = on_pe(window(0, length), "fill", slots);
    request.asap = true;
    request.end = {latest};
    return request;
  }
  Window granted(const ReservationRequest& request) {
    const auto number = reserve(root, request);
    return planner.state().reservation_by_number({number})->shape.window;
  }
};

} // namespace

// A1
TEST_F(GivenAsSoonAsPossible, WhenTheCellIsIdleThenItBeginsAtOnce) {
  hosts(4, 4);
  EXPECT_EQ(granted(soon(16, 600)), (Window{now, now + Duration{600}}));
  EXPECT_EQ(letter(1), 'r');
  EXPECT_FALSE(planner.state().reservation_by_number({1})->request.asap);
}

// A2, A3, B4.11
TEST_F(GivenAsSoonAsPossible, WhenThereIsAGapThenItIsTakenIfItIsLongEnough) {
  hosts(4, 4);
  const auto T = now.seconds;
  reserve(root, on_pe(window(T, 500), "fill", 12));
  reserve(root, on_pe(window(T + 900, 300), "fill", 16));
  const auto before = planner.digest();
  const auto refused = command(root, Reserve{soon(8, 401, T + 1500)});
  EXPECT_EQ(refused.exit_code, 1);
  EXPECT_EQ(refused.statements.back().code, AnswerCode::no_start_before);
  EXPECT_EQ(planner.digest(), before);
  EXPECT_EQ(granted(soon(8, 400)).start.seconds, T + 500);
  command(root, DeleteReservations{{"3"}, {}, false});
  EXPECT_EQ(granted(soon(8, 401)).start.seconds, T + 1200);
}

// A3, B4.16: what is in the way at the first start that there could be, and what could be had.
TEST_F(GivenAsSoonAsPossible, WhenThereIsNoStartThenTheReasonsAndAlternativesAreNamed) {
  hosts(4, 4);
  const auto T = now.seconds;
  const auto wide = command(root, Reserve{soon(80, 600)});
  EXPECT_EQ(wide.exit_code, 1);
  EXPECT_NE(text(wide).find("only offers 16 slots"), std::string::npos) << text(wide);
  EXPECT_EQ(text(wide).find("only offers"), text(wide).rfind("only offers"));
  EXPECT_EQ(wide.statements.back().code, AnswerCode::no_start_before);
  const auto instead = ask(VerifyReserve{root, {soon(80, 600)}, true});
  ASSERT_EQ(instead.statements.size(), 1u) << text(instead);
  EXPECT_EQ(text(instead), "alternative: 16 slots\n");

  reserve(root, on_pe(window(T, 500), "fill", 12));
  reserve(root, on_pe(window(T + 900, 300), "fill", 16));
  const auto later = ask(VerifyReserve{root, {soon(8, 401, T + 1500)}, true});
  ASSERT_FALSE(later.statements.empty());
  EXPECT_EQ(later.statements.front().code, AnswerCode::alternative_later);
  EXPECT_EQ(later.statements.front().find("start")->number, T + 1200);
}

// B3.2, B4.16: what is named counts from now, and has a start in time, not only at the last moment.
TEST_F(GivenAsSoonAsPossible, WhenThereIsNoStartThenAlternativesHaveOneInTime) {
  hosts(4, 4);
  const auto T = now.seconds;
  reserve(root, on_pe(window(T, 100), "fill", 16));
  EXPECT_EQ(text(ask(VerifyReserve{root, {soon(17, 60)}, true})), "alternative: 16 slots\n")
      << "though all is taken now";
  reserve(root, on_pe(window(T + 220, 300), "fill", 12)); // 120 s are free before it
  const auto instead = ask(VerifyReserve{root, {soon(8, 300, T + 500)}, true});
  const auto value = [&](AnswerCode code, const char* name) {
    for (const auto& statement : instead.statements)
      if (statement.code == code) return statement.find(name)->number;
    return std::int64_t{-1};
  };
  EXPECT_EQ(value(AnswerCode::alternative_later, "start"), T + 520) << text(instead);
  EXPECT_EQ(value(AnswerCode::alternative_later, "seconds"), 520);
  EXPECT_EQ(value(AnswerCode::alternative_earlier, "start"), -1);
  EXPECT_EQ(value(AnswerCode::alternative_shorter, "seconds"), 120);
  EXPECT_EQ(value(AnswerCode::alternative_fewer, "slots"), 4);
}

TEST_F(GivenAsSoonAsPossible, WhenItsLatestEndHasPassedThenThatIsSaid) {
  hosts(1, 4);
  const auto past = soon(1, 5, now.seconds - 10);
  const auto refused = command(root, Reserve{past});
  EXPECT_EQ(refused.exit_code, 1);
  EXPECT_EQ(refused.statements.front().code, AnswerCode::end_in_the_past);
  EXPECT_EQ(text(ask(VerifyReserve{root, {past}, true})), "");
}

// B4.13
TEST_F(GivenAsSoonAsPossible, WhenItIsGrantedThenTheAnswerSaysWhenAndWhere) {
  hosts(1, 4);
  const auto answer = command(root, Reserve{soon(4, 600)});
  EXPECT_NE(text(answer).find("on all.q@h1=4"), std::string::npos) << text(answer);
}

// B4.15, B13.11
TEST_F(GivenAsSoonAsPossible, WhenItHasNoDurationThenItIsRefused) {
  hosts(1, 4);
  ReservationRequest request;
  request.asap = true;
  request.end = now + Duration{600};
  EXPECT_EQ(text(command(root, Reserve{request})), "asap needs a duration (-d)\n");
}
