// What a reservation that preempts books, and who looks past it (spec/plus.md P5.9, P5.10).
#include "core/utilization/overlay.hpp"

#include "core/records/bookkeeping.hpp"
#include "core/records/records.hpp"

#include <gtest/gtest.h>

using namespace almanac;

namespace {

const Window window{{10}, {20}};
const auto place = Container::queue({"all.q", "h1"});

std::vector<Booking> slots(std::int64_t amount) { return {{place, "slots", amount}}; }

// Four slots at h1 from 10 to 20.
Reservation preempting() {
  Reservation reservation;
  reservation.key = {7}, reservation.number = {1};
  reservation.phase = ReservationPhase::waiting;
  reservation.request.preempts = true;
  reservation.shape.window = window, reservation.shape.bookings = slots(4);
  reservation.shape.grants = {{{"all.q", "h1"}, 4}};
  return reservation;
}

// Three slots at h1 from 0 to 100, of a job that names no reservation.
Task ordinary() {
  Task task;
  task.job = {1}, task.state = TaskState::running, task.attempt = 1;
  task.grants = {{{"all.q", "h1"}, 3}}, task.bookings = slots(3);
  task.booked = {{0}, {100}};
  return task;
}

class GivenBooksOfAJob : public ::testing::Test {
public:
  Records records;
  Books books;
  Bookkeeping keeper{records, books};

  void SetUp() override { keeper.changed(nullptr, &task); }
  const Diagram* all() const { return books.whole().find(place, "slots"); }
  std::int64_t used(const Diagram* diagram) const { return diagram ? diagram->max(window) : -1; }

  const Task task = ordinary();
};

} // namespace

// P5.9, P5.10.
TEST_F(GivenBooksOfAJob, WhenAReservationThatPreemptsComesThenItSeesReservationsOnly) {
  const auto waiting = preempting();
  keeper.changed(nullptr, &waiting);
  EXPECT_EQ(used(all()), 7) << "everybody else sees both";
  EXPECT_EQ(used(books.without_preempting(all())), 3) << "jobs that start before it";
  EXPECT_EQ(books.promised().used(place, "slots", window), 4) << "another one that preempts";
  EXPECT_EQ(books.reserved(), nullptr);
}

// P5.11: its hosts are closed first.
TEST_F(GivenBooksOfAJob, WhenItsStartHasComeThenNobodyLooksPastIt) {
  const auto waiting = preempting();
  keeper.changed(nullptr, &waiting);
  auto closed = waiting;
  closed.others_end_since = {10};
  keeper.changed(&waiting, &closed);
  EXPECT_EQ(used(all()), 7);
  EXPECT_EQ(books.without_preempting(all()), nullptr);
  auto running = closed;
  running.phase = ReservationPhase::running;
  keeper.changed(&closed, &running);
  EXPECT_EQ(used(all()), 7);
  EXPECT_EQ(books.without_preempting(all()), nullptr);
  keeper.changed(&running, nullptr);
  EXPECT_EQ(used(all()), 3);
  EXPECT_TRUE(books.promised().find(place, "slots")->is_empty());
}

TEST_F(GivenBooksOfAJob, WhenTwoOfThemLieThereThenJobsLookPastBothUntilEachBegins) {
  auto first = preempting(), second = preempting();
  second.key = {8}, second.shape.bookings = slots(1), first.shape.bookings = slots(2);
  keeper.changed(nullptr, &first), keeper.changed(nullptr, &second);
  EXPECT_EQ(used(books.without_preempting(all())), 3);
  auto begun = first;
  begun.phase = ReservationPhase::running;
  keeper.changed(&first, &begun);
  EXPECT_EQ(used(books.without_preempting(all())), 5);
  keeper.changed(&second, nullptr);
  EXPECT_EQ(books.without_preempting(all()), nullptr);
  EXPECT_EQ(used(all()), 5);
}

TEST_F(GivenBooksOfAJob, WhenTheJobIsAssumedAwayThenTheReservationStays) {
  const auto waiting = preempting();
  keeper.changed(nullptr, &waiting);
  Overlay without(books);
  without.take_out(entry_of(records.configuration(), task, {}));
  EXPECT_EQ(used(without.at(all())), 4);
  EXPECT_EQ(used(without.at(books.without_preempting(all()))), 0);
  Overlay alone(books);
  alone.take_out({&waiting.shape.bookings, window, window, true, {}, 0, Claim::preempting});
  EXPECT_EQ(used(alone.at(all())), 3);
  EXPECT_EQ(used(alone.at(books.without_preempting(all()))), 3);
}
