// Queues that stand back for others: subordinate_list (O1.33, O1.41), letter S (C5.7, C5.18).
#include "assignment_fixture.hpp"

#include "core/matching/instance_condition.hpp"

using namespace almanac;

namespace {

class GivenAQueueAboveAnother : public AssignmentFixture {
public:
  GivenAQueueAboveAnother() { hosts(2, 4); }

  void add(const std::string& name, const std::string& subordinates) {
    queue(name, {{"hostlist", "h1 h2"}, {"slots", "2"}, {"subordinate_list", subordinates}});
  }
  std::int64_t in(const std::string& queue, const std::string& host = "h1") {
    auto request = job(queue);
    request.queues = {queue + "@" + host};
    const auto number = submit(alice, request);
    pass();
    if (is_active(number)) start(number);
    now = now + Duration{10};
    return number;
  }
  std::string letters(std::int64_t number) const {
    return state_letters(find(number)->tasks.front(), false);
  }
  std::string condition(const std::string& queue, const std::string& host = "h1") const {
    const auto& one = instance(host, queue);
    return instance_letters(state().configuration(), one, state().host_of(one),
                            state().condition_of(one));
  }
};

} // namespace

TEST_F(GivenAQueueAboveAnother, WhenItsSlotsAreUsedThenTheOneBelowIsSuspendedOnThatHost) {
  add("low", "NONE"), add("high", "low");
  const auto below = in("low"), elsewhere = in("low", "h2");
  const auto first = in("high");
  EXPECT_EQ(letters(below), "r") << "not all slots are used";
  const auto second = in("high");
  EXPECT_EQ(letters(below), "S");
  EXPECT_EQ(condition("low"), "S");
  EXPECT_EQ(letters(elsewhere), "r");
  EXPECT_EQ(condition("low", "h2"), "");
  const auto waits = in("low");
  EXPECT_FALSE(is_active(waits)) << "nothing starts in it";
  end(second);
  EXPECT_EQ(letters(below), "r");
  pass();
  EXPECT_TRUE(is_active(waits));
  end(first);
}

TEST_F(GivenAQueueAboveAnother, WhenANumberIsGivenThenItIsSuspendedFromThereOn) {
  add("low", "NONE"), add("high", "low=1");
  const auto below = in("low");
  const auto above = in("high");
  EXPECT_EQ(letters(below), "S");
  command(alice, ModifyJobs{JobAction::suspend, {std::to_string(below)}});
  end(above);
  EXPECT_EQ(letters(below), "s") << "its user still has it suspended";
  in("high");
  queue("high", {{"subordinate_list", "NONE"}});
  EXPECT_EQ(condition("low"), "") << "nothing is below others any more";
  command(alice, ModifyJobs{JobAction::unsuspend, {std::to_string(below)}});
  EXPECT_EQ(letters(below), "r");
}

// R4.15: it does not count for reservations.
TEST_F(GivenAQueueAboveAnother, WhenOneBelowIsReservedThenItsReservationIsNotInError) {
  add("low", "NONE"), add("high", "low=1");
  auto request = window(now.seconds, 1'000);
  request.queues = {"low@h1"};
  const auto reservation = reserve(root, request);
  in("high");
  EXPECT_EQ(condition("low"), "S");
  EXPECT_EQ(letter(reservation), 'r');
}

TEST_F(GivenAQueueAboveAnother, WhenSlotsAreSharedThenTasksStandBackFromTheLowestQueueUp) {
  add("low", "NONE"), add("mid", "NONE"), add("high", "slots=3(mid:1:sr,low:2:sr)");
  const auto oldest = in("low"), younger = in("low"), middle = in("mid");
  EXPECT_EQ(letters(younger), "r");
  const auto waits = in("mid");
  EXPECT_FALSE(is_active(waits)) << "all three slots are used";
  const auto high = in("high");
  EXPECT_EQ(letters(younger), "S");
  EXPECT_EQ(letters(oldest), "r");
  EXPECT_EQ(condition("low"), "") << "the instance itself is not suspended";
  const auto next = in("high");
  EXPECT_EQ(letters(oldest), "S");
  EXPECT_EQ(letters(middle), "r");
  end(high);
  EXPECT_EQ(letters(oldest), "r") << "who stood back last goes on first";
  EXPECT_EQ(letters(younger), "S");
  end(next), end(middle);
  EXPECT_EQ(letters(younger), "r");
  pass();
  EXPECT_TRUE(is_active(waits));
}

TEST_F(GivenAQueueAboveAnother, WhenTheLongestIsToStandBackThenItDoes) {
  add("low", "NONE"), add("high", "slots=2(low:0:lr)");
  const auto oldest = in("low"), younger = in("low");
  in("high");
  EXPECT_EQ(letters(oldest), "S");
  EXPECT_EQ(letters(younger), "r");
  command(alice, ModifyJobs{JobAction::suspend, {std::to_string(younger)}});
  EXPECT_EQ(letters(oldest), "r") << "what its user has suspended does not run";
}

TEST_F(GivenAQueueAboveAnother, WhenTheMasterComesAgainThenAllIsAsItWas) {
  add("low", "NONE"), add("high", "low=1");
  const auto below = in("low");
  in("high");
  auto again = Planner::restore(planner.state().records().copy());
  ASSERT_TRUE(again.ok());
  EXPECT_TRUE(again->state().task(find(below)->tasks.front().id())->suspended);
  again->handle(std::get<ValidInput>(validated_input(Pass{})), now);
  EXPECT_FALSE(again->state().instance({"low", "h2"}).subordinated);
  EXPECT_TRUE(again->state().instance({"low", "h1"}).subordinated);
}
