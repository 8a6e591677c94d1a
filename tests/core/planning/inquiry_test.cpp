// Questions that are answered a slice at a time: nothing changes by them, and each answer is true of
// one moment, whatever comes between two slices.
#include "core/planning/questions/inquiry.hpp"
#include "any_history.hpp"

#include <deque>

using namespace almanac;

namespace {

constexpr rules::SliceLimits a_look_each{1, 1, 1};

class GivenALargeCell : public PlannerFixture {
public:
  GivenALargeCell() {
    planner.set_checking(false); // each host costs more than the last one
    hosts(200, 1);
    wide.pe = "fill", wide.slots = {{200, 200}};
    filling = submit(alice, wide);
    pass();
    waiting = submit(alice, wide);
    pass();
  }

  JobRequest wide = job("wide", "20:0:0"); // more run times to try than a slice has looks
  std::int64_t filling = 0, waiting = 0;
};

} // namespace

TEST_F(GivenALargeCell, WhenAQuestionTakesLongThenItIsAnsweredInSlicesAsInOneGo) {
  const ExplainJob question{{waiting}, true};
  const auto whole = planner.ask(question, now);
  EXPECT_NE(text(whole).find("taken by job"), std::string::npos) << text(whole);
  Inquiry inquiry(question);
  auto answer = planner.go_on(inquiry, now);
  EXPECT_FALSE(answer);
  int slices = 1;
  for (; !answer; ++slices) answer = planner.go_on(inquiry, now + Duration{slices});
  EXPECT_GT(slices, 1);
  EXPECT_EQ(*answer, whole);
}

TEST_F(GivenALargeCell, WhenAPassComesBetweenTwoSlicesThenTheAnswerIsThatOfTheStateAfterIt) {
  Inquiry inquiry(ExplainJob{{waiting}, true});
  ASSERT_FALSE(planner.go_on(inquiry, now));
  end(filling);
  pass();
  ASSERT_TRUE(is_active(waiting)) << "the pass is not kept waiting";
  auto answer = planner.go_on(inquiry, now);
  while (!answer) answer = planner.go_on(inquiry, now);
  EXPECT_EQ(*answer, planner.ask(ExplainJob{{waiting}, true}, now));
}

TEST_F(GivenALargeCell, WhenInputsComeBetweenAllSlicesThenItIsAnsweredAllTheSame) {
  Inquiry inquiry(ExplainJob{{waiting}, true});
  for (int i = 1; i < Inquiry::most_beginnings; ++i) {
    ASSERT_FALSE(planner.go_on(inquiry, now)) << i;
    now = now + Duration{1};
    pass();
  }
  const auto answer = planner.go_on(inquiry, now);
  ASSERT_TRUE(answer);
  EXPECT_EQ(*answer, planner.ask(ExplainJob{{waiting}, true}, now));
}

// -w v looks from the end of each reservation on.
TEST_F(GivenALargeCell,
       WhenAReservationIsDroppedBetweenTwoSlicesOfAVerificationThenItIsLookedAtAnew) {
  for (std::int64_t i = 0; i < 20; ++i)
    reserve(root, on_pe(window(now.seconds + 100'000 + i, 100'000), "fill", 1));
  const auto all = reserve(root, on_pe(window(now.seconds + 300'000, 1'000'000), "fill", 200));
  auto request = wide;
  request.resources = {{"h_rt", "200000"}}, request.validation = Validation::verify;
  const auto question = std::get<0>(validated(VerifySubmit{alice, {request, ""}}));
  EXPECT_EQ(planner.ask(question, now).exit_code, 0) << "after the last reservation";
  Inquiry inquiry(question);
  ASSERT_FALSE(planner.go_on(inquiry, now));
  command(root, DeleteReservations{{std::to_string(all)}, {}, false});
  auto answer = planner.go_on(inquiry, now);
  while (!answer) answer = planner.go_on(inquiry, now);
  EXPECT_EQ(*answer, planner.ask(question, now));
}

namespace {

ValidQuestion any_question(const World& world) {
  const auto number = *rc::gen::inRange<std::int64_t>(1, 12);
  const auto slots = *rc::gen::inRange<std::int64_t>(1, 7);
  switch (*rc::gen::inRange(0, 4)) {
  case 0: return ExplainJob{{number}, *rc::gen::arbitrary<bool>()};
  case 1: return MayLookInside{world.root};
  case 2: {
    ReservationRequest ar;
    ar.start = world.now + Duration{*rc::gen::inRange<std::int64_t>(0, 200)};
    ar.duration = {*rc::gen::inRange<std::int64_t>(1, 300)}, ar.has_duration = true;
    ar.pe = "fill", ar.slots = {{slots, slots}};
    return std::get<0>(validated(VerifyReserve{world.root, {ar}}));
  }
  default: {
    JobRequest job;
    job.name = "j", job.pe = "fill", job.slots = {{slots, slots}};
    job.resources = {{"h_rt", std::to_string(*rc::gen::inRange(1, 300))}};
    job.validation = *rc::gen::element(Validation::verify, Validation::poke);
    return std::get<0>(validated(VerifySubmit{world.root, {job, ""}}));
  }
  }
}

struct Asked {
  explicit Asked(ValidQuestion what) : question(what), inquiry(std::move(what)) {}
  ValidQuestion question;
  Inquiry inquiry;
  std::vector<Answer> in_one_go; ///< at each moment at which it was looked at
};

// True once it is answered.
bool look_on(const World& world, Asked& asked) {
  asked.in_one_go.push_back(world.planner.ask(asked.question, world.now));
  const auto answer =
      asked.inquiry.go_on(world.planner.state(), world.inputs.size(), world.now, a_look_each);
  if (!answer) return false;
  const auto& possible = asked.in_one_go;
  RC_ASSERT(std::find(possible.begin(), possible.end(), *answer) != possible.end());
  return true;
}

} // namespace

RC_GTEST_PROP(GivenAnyHistory,
              WhenItIsAskedAtEachStepThenNothingChangesAndAnswersAreTrueOfOneMoment, ()) {
  World world;
  set_up(world);
  std::deque<Asked> open;
  for (int step = 0; step < 15; ++step) {
    random_step(world);
    const auto digest = world.planner.digest();
    open.emplace_back(any_question(world));
    for (int slices = *rc::gen::inRange(0, 40); slices > 0 && !open.empty(); --slices)
      if (look_on(world, open.front())) open.pop_front();
    RC_ASSERT(world.planner.digest() == digest);
  }
  while (!open.empty())
    if (look_on(world, open.front())) open.pop_front();
  RC_ASSERT(world.planner.state().records().followers_agree());
}
