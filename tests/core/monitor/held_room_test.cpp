// What is said of what a reservation holds where somebody else is given it, by hand (invariant 34;
// plus.md section 4, rule 6).
#include "core/monitor/held_room.hpp"
#include "tests/core/planning/preempting_fixture.hpp"

using namespace almanac;

namespace {

// Hosts h1 to h4 of four slots. All of h1 is reserved in ten minutes.
class GivenRoomThatIsHeld : public PreemptingFixture {
public:
  void SetUp() override {
    PreemptingFixture::SetUp();
    auto request = preempting(600, 4, "h1");
    request.preempts = false;
    held = prepare(request).number;
    ASSERT_EQ(letter(held), 'h') << "it is prepared, and not more";
  }
  HeldRoom counted() const {
    HeldRoom room;
    for (const auto& one : planner.state().reservations()) room.count(one, 1);
    for (const auto& task : planner.state().tasks()) room.count(task, 1);
    return room;
  }
  /// What is wrong with a task of so many slots there, from now on and for so many seconds.
  std::string with_task(const std::string& host, std::int64_t slots, std::int64_t seconds,
                        bool rerunnable = false) const {
    Task task;
    task.grants = {{{"all.q", host}, slots}};
    task.booked = {now, now + Duration{seconds}}, task.limit = {seconds};
    task.rerunnable = rerunnable;
    auto room = counted();
    room.count(task, 1);
    return room.taken_by(planner.state().configuration(), task).value_or("");
  }
  /// And with such a reservation, of the same slots and window as what is held there.
  std::string with_reservation(bool preempts) const {
    auto other = reservation(held);
    other.request.preempts = preempts;
    auto room = counted();
    room.count(other, 1);
    return room.taken_by(planner.state().configuration(), other, true).value_or("");
  }

  std::int64_t held = 0;
};

} // namespace

TEST_F(GivenRoomThatIsHeld, WhenATaskWouldRunIntoItThenThatIsSaid) {
  EXPECT_EQ(with_task("h1", 4, 600), "");
  EXPECT_EQ(with_task("h1", 1, 601), "5 of 4 slots on all.q@h1");
  EXPECT_EQ(with_task("h1", 1, 601, true), "5 of 4 slots on all.q@h1")
      << "whether it may run again";
  EXPECT_EQ(with_task("h2", 4, 10'000), "");
}

TEST_F(GivenRoomThatIsHeld, WhenATaskHasNoEndThenItIsThereForEver) {
  Task task;
  task.grants = {{{"all.q", "h1"}, 1}};
  task.booked = {now, now + Duration{60}}; // what is taken for its length, where holds are planned
  auto room = counted();
  room.count(task, 1);
  EXPECT_TRUE(room.taken_by(planner.state().configuration(), task));
  room.count(task, -1);
  EXPECT_FALSE(room.taken_by(planner.state().configuration(), reservation(held), true));
}

TEST_F(GivenRoomThatIsHeld, WhenAnotherReservationHasItTooThenThatIsSaid) {
  EXPECT_EQ(with_reservation(false), "8 of 4 slots on all.q@h1");
  EXPECT_EQ(with_reservation(true), "8 of 4 slots on all.q@h1") << "it preempts no reservation";
}

// plus.md P5.9, P5.10: jobs and what preempts them may have the same slots before it begins.
TEST_F(GivenRoomThatIsHeld, WhenAJobRunsBeforeOneThatPreemptsThenNothingIsTaken) {
  runs(on("h2", 4));
  const auto number = granted(preempting(700, 4, "h2"));
  EXPECT_EQ(with_task("h2", 0, 10'000), "");
  EXPECT_EQ(counted().taken_by(planner.state().configuration(), reservation(number), true),
            std::nullopt);
}

TEST_F(GivenRoomThatIsHeld, WhenItIsGivenUpThenItIsFree) {
  EXPECT_EQ(settle(held, false).exit_code, 0);
  EXPECT_EQ(with_task("h1", 4, 10'000), "");
}

// Of a change both shapes are held (plus.md P4.13).
TEST_F(GivenRoomThatIsHeld, WhenALaterWindowIsPreparedThenBothAreHeld) {
  EXPECT_EQ(settle(held, true).exit_code, 0);
  PrepareReservation change;
  change.transaction = "later", change.hold_for = {100}, change.number = {held};
  change.request.start = now + Duration{3000}, change.request.end = now + Duration{4000};
  ASSERT_EQ(command(root, change).exit_code, 0);
  EXPECT_NE(with_task("h1", 1, 700), "");
  Task task;
  task.grants = {{{"all.q", "h1"}, 1}};
  task.booked = {now + Duration{2000}, now + Duration{3500}}, task.limit = {1500};
  auto room = counted();
  room.count(task, 1);
  EXPECT_TRUE(room.taken_by(planner.state().configuration(), task));
}
