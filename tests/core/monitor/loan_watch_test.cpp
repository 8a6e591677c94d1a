// What the watch says of loans that are broken by hand (invariant 33).
#include "core/monitor/loan_watch.hpp"
#include "tests/core/planning/lending_fixture.hpp"

using namespace almanac;

namespace {

// Two hosts of one slot. Advance reservation 1 has both, and lends one to advance reservation 2, which a
// job in each of them uses.
class GivenALoan : public LendingFixture {
public:
  void SetUp() override {
    hosts(2, 1);
    scheduler({{"params", "DURATION_OFFSET=0"}});
    reserve(root, on_pe(window(now.seconds, 100), "fill", 2));
    auto wanted = using_room_of(on_pe(window(now.seconds, 100), "fill", 1), {{1}});
    ASSERT_EQ(command(root, wanted).exit_code, 0);
    ASSERT_EQ(lent(1, now), 1);
    due(1);
    submit_into(root, 1, "50"), pass();
    ASSERT_EQ(used_in(1), 1);
  }
  /// What is wrong once the lender was changed so.
  template <class Change> std::string after(Change change) const {
    auto lender = reservation(1);
    change(lender);
    std::vector<const Task*> tasks;
    for (const auto& task : planner.state().tasks())
      if (planner.state().job(task.job)->reservation_key == lender.key) tasks.push_back(&task);
    return broken_loan(planner.state().records(), lender, tasks).value_or("");
  }
};

} // namespace

TEST_F(GivenALoan, WhenNothingIsBrokenThenNothingIsSaid) {
  EXPECT_EQ(after([](Reservation&) {}), "");
}

TEST_F(GivenALoan, WhenItIsMoreThanTheLenderHasThenThatIsSaid) {
  EXPECT_NE(after([](Reservation& lender) { lender.lent.front().bookings.front().amount = 2; }),
            "");
  EXPECT_NE(after([](Reservation& lender) { lender.lent.push_back(lender.lent.front()); }), "")
      << "the same is lent twice";
}

TEST_F(GivenALoan, WhenItIsWhatAJobOfTheLenderHoldsThenThatIsSaid) {
  const auto held = reservation(1).lent.front().grants.front().instance.host == "h1" ? "h2" : "h1";
  EXPECT_NE(
      after([&](Reservation& lender) {
        lender.lent.front().bookings = {{Container::queue({"all.q", held}), Resource("slots"), 1}};
      }),
      "");
}

TEST_F(GivenALoan, WhenItLastsLongerThanTheLenderThenThatIsSaid) {
  EXPECT_NE(after([](Reservation& lender) { lender.shape.window.end = {1'000'050}; }), "");
}

TEST_F(GivenALoan, WhenTheBorrowerIsGoneOrTheLenderIsOverThenThatIsSaid) {
  EXPECT_NE(after([](Reservation& lender) { lender.lent.front().to = {9999}; }), "");
  EXPECT_NE(after([](Reservation& lender) { lender.phase = ReservationPhase::canceled; }), "");
}
