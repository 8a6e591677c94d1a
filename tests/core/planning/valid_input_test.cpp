#include "core/answer/gridengine.hpp"
#include "core/planning/planner.hpp"

#include <gtest/gtest.h>

using namespace almanac;

namespace {

const Caller somebody{"alice", "users", 1001, 1001, "master"};

Submit named(const std::string& name) {
  Submit submit;
  submit.request.name = name;
  return submit;
}
bool is_valid(const Input& input) {
  return std::holds_alternative<ValidInput>(validated_input(input));
}

} // namespace

// What keeps an unchecked request out is the compiler.
static_assert(std::is_invocable_v<decltype(&Planner::handle), Planner&, Valid<Command>, Instant>);
static_assert(std::is_invocable_v<decltype(&Planner::handle), Planner&, Pass, Instant>);
static_assert(!std::is_invocable_v<decltype(&Planner::handle), Planner&, Command, Instant>);
static_assert(!std::is_invocable_v<decltype(&Planner::handle), Planner&, Input, Instant>);
static_assert(std::is_invocable_v<decltype(&Planner::ask), Planner&, MayEnter, Instant>);
static_assert(!std::is_invocable_v<decltype(&Planner::ask), Planner&, VerifySubmit, Instant>);
static_assert(!std::is_invocable_v<decltype(&Planner::ask), Planner&, Question, Instant>);
static_assert(!std::is_constructible_v<Valid<Command>, Command>);

TEST(GivenACommand, WhenItIsNotValidThenItsSenderHearsWhyInTheWordsOfTheTool) {
  const auto asked = validated(Command{somebody, named("a b")});
  const auto* refusal = std::get_if<Answer>(&asked);
  ASSERT_TRUE(refusal);
  EXPECT_EQ(gridengine::text_of(refusal->statements.front()).substr(0, 19), "Unable to run job: ");
  EXPECT_FALSE(is_valid(Command{{}, named("a")})) << "nobody sends it";
  EXPECT_FALSE(is_valid(Command{somebody, AddHost{"h1", -1}}));
}

TEST(GivenACommand, WhenItIsValidThenItIsHandedOnAsItWas) {
  const auto asked = validated(Command{somebody, named("a")});
  const auto* command = std::get_if<Valid<Command>>(&asked);
  ASSERT_TRUE(command);
  EXPECT_EQ((*command)->caller.user, "alice");
  EXPECT_TRUE(std::holds_alternative<Command>(*ValidInput(*command)));
}

TEST(GivenAnInputOfTheJournal, WhenItIsAFactThenNothingIsAsked) {
  EXPECT_TRUE(is_valid(Pass{}));
  EXPECT_TRUE(is_valid(HostSilent{"h1", true}));
}

TEST(GivenAQuestion, WhenWhatItAsksAboutIsNotValidThenItIsNotAsked) {
  EXPECT_EQ(validated(VerifySubmit{somebody, named("a\nb")}).index(), 1u);
  EXPECT_EQ(validated(VerifyReserve{somebody, {}}).index(), 0u);
}

TEST(GivenNoRequestYet, WhenItIsLookedAtThenThatIsAnErrorOfOurs) {
  EXPECT_THROW(*Valid<Command>(), Bug);
}
