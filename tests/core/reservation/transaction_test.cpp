#include "core/answer/gridengine.hpp"
#include "core/reservation/reservation_machine.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

using namespace almanac;

namespace {

const InstanceName n1{"all.q", "n1"}, n2{"all.q", "n2"};

Shape shape(Window window, std::int64_t on_n1, std::int64_t on_n2) {
  Shape made;
  made.window = window;
  for (const auto& [name, slots] : {std::pair(n1, on_n1), std::pair(n2, on_n2)})
    if (slots > 0) {
      made.grants.push_back({name, slots});
      made.bookings.push_back({Container::queue(name), "slots", slots});
    }
  return made;
}

// Running, with a change that is held until 500.
Reservation changing(Shape present, Shape next) {
  Reservation r;
  r.phase = ReservationPhase::running;
  r.shape = std::move(present);
  r.proposed = {{"t", {500}, ReservationVerb::change, std::move(next)}};
  return r;
}

std::int64_t booked(const Reservation& reservation, const InstanceName& name, Instant at) {
  std::int64_t sum = 0;
  each_booked(reservation, [&](const std::vector<Booking>& bookings, Window window, Claim) {
    for (const auto& booking : bookings)
      if (window.contains(at) && booking.container == Container::queue(name)) sum += booking.amount;
  });
  return sum;
}

Shape any_shape() {
  const auto start = *rc::gen::inRange<std::int64_t>(0, 20);
  const auto length = *rc::gen::inRange<std::int64_t>(0, 20);
  return shape({{start}, {start + length}}, *rc::gen::inRange(0, 5), *rc::gen::inRange(0, 5));
}

std::int64_t slots_at(const Shape& shape, const InstanceName& name, Instant at) {
  return shape.window.contains(at) ? shape.slots_on(name) : 0;
}

} // namespace

// spec/rulings.md D31, spec/reservations.md I1, spec/beyond.md B0.4
RC_GTEST_PROP(GivenAChangeThatIsPrepared,
              WhenItIsBookedThenTheLargerOfBothShapesIsAtEachMomentAndPlace, ()) {
  const auto reservation = changing(any_shape(), any_shape());
  for (std::int64_t second = 0; second < 45; ++second)
    for (const auto& name : {n1, n2}) {
      const Instant at{second};
      const auto before = slots_at(reservation.shape, name, at);
      const auto after = slots_at(reservation.proposed.front().shape, name, at);
      RC_ASSERT(booked(reservation, name, at) == std::max(before, after));
    }
}

// spec/beyond.md B0.4, B1.105: beside the larger of both there is as much for spare hosts as the larger
// of both with them has beyond it.
RC_GTEST_PROP(GivenAChangeThatIsPrepared,
              WhenBothHaveSpareHostsThenTheLargerOfAllIsBookedAndRerunnableJobsSeeTheRest, ()) {
  const auto with_spares = [](Shape shape) {
    for (const auto& name : {n1, n2})
      if (const auto slots = *rc::gen::inRange<std::int64_t>(0, 5); slots > 0) {
        shape.spares.push_back({name, slots});
        shape.spare_bookings.push_back({Container::queue(name), "slots", slots});
      }
    return shape;
  };
  const auto spares_at = [](const Shape& shape, const InstanceName& name, Instant at) {
    std::int64_t slots = 0;
    if (!shape.window.contains(at)) return slots;
    for (const auto& spare : shape.spares)
      if (spare.instance == name) slots += spare.slots;
    return slots;
  };
  const auto reservation = changing(with_spares(any_shape()), with_spares(any_shape()));
  const auto& next = reservation.proposed.front().shape;
  for (std::int64_t second = 0; second < 45; ++second)
    for (const auto& name : {n1, n2}) {
      const Instant at{second};
      std::int64_t plain = 0, spare = 0;
      each_booked(reservation,
                  [&](const std::vector<Booking>& bookings, Window window, Claim claim) {
                    for (const auto& booking : bookings)
                      if (window.contains(at) && booking.container == Container::queue(name))
                        (claim == Claim::spare ? spare : plain) += booking.amount;
                  });
      const auto before = slots_at(reservation.shape, name, at), after = slots_at(next, name, at);
      RC_ASSERT(plain == std::max(before, after));
      RC_ASSERT(plain + spare == std::max(before + spares_at(reservation.shape, name, at),
                                          after + spares_at(next, name, at)));
    }
}

// spec/beyond.md B0.41
RC_GTEST_PROP(GivenAChangeThatIsPrepared, WhenJobsUseTheReservationThenBothShapesHaveWhatTheyUse,
              ()) {
  const auto reservation = changing(any_shape(), any_shape());
  const auto inside = usable(reservation);
  for (std::int64_t second = 0; second < 45; ++second)
    for (const auto& name : {n1, n2}) {
      const Instant at{second};
      const auto before = slots_at(reservation.shape, name, at);
      const auto after = slots_at(reservation.proposed.front().shape, name, at);
      RC_ASSERT(slots_at(inside, name, at) == std::min(before, after));
    }
}

TEST(GivenAReservationThatIsToEnd, WhenThatIsPreparedThenAllOfItCanBeUsed) {
  auto reservation = changing(shape({{0}, {100}}, 4, 0), {});
  reservation.proposed.front().verb = ReservationVerb::cancel; // P4.28
  EXPECT_EQ(usable(reservation).slots_on(n1), 4);
  EXPECT_EQ(booked(reservation, n1, {50}), 4);
}

// spec/plus.md section 4, rule 7
TEST(GivenAProposal, WhenItsTimeOrAStartOrAnEndComesThenItLapses) {
  auto reservation = changing(shape({{0}, {1000}}, 4, 0), shape({{0}, {2000}}, 4, 0));
  EXPECT_EQ(lapses_at(reservation).seconds, 500) << "(a); the start stays as it is";
  reservation.proposed.front().held_until = {5000};
  EXPECT_EQ(lapses_at(reservation).seconds, 1000) << "(c)";
  reservation.proposed.front().shape.window = {{0}, {700}};
  EXPECT_EQ(lapses_at(reservation).seconds, 700) << "it would have ended";
  reservation.phase = ReservationPhase::waiting;
  reservation.proposed.front().shape.window = {{300}, {2000}};
  EXPECT_EQ(lapses_at(reservation).seconds, 300) << "(d)";
  EXPECT_TRUE(step(reservation, {300}).proposal_expires);
  EXPECT_FALSE(step(reservation, {299}).proposal_expires);
  reservation.phase = ReservationPhase::proposed;
  reservation.shape = {};
  EXPECT_EQ(lapses_at(reservation).seconds, 300) << "(b)";
  reservation.phase = ReservationPhase::expired;
  EXPECT_EQ(lapses_at(reservation).seconds, 5000) << "a record can be destroyed at any time";
}

TEST(GivenAChange, WhenItIsCommittedThenShapeAndRequestAreThoseOfTheProposal) {
  auto reservation = changing(shape({{0}, {100}}, 4, 0), shape({{0}, {200}}, 0, 2));
  reservation.request.name = "mine", reservation.request.users = {"ann"};
  reservation.note = "repaired", reservation.original = {{n1, 4}};
  auto& request = reservation.proposed.front().request;
  request.end = {200}, request.users = {"eve"};
  EXPECT_EQ(commit(reservation, {50}), std::nullopt) << "it runs on";
  EXPECT_EQ(reservation.shape.slots_on(n2), 2);
  EXPECT_EQ(reservation.request.users, std::vector<std::string>{"eve"});
  EXPECT_EQ(reservation.request.name, "mine");
  EXPECT_EQ(reservation.request.end.seconds, 200);
  EXPECT_TRUE(reservation.proposed.empty());
  EXPECT_TRUE(reservation.original.empty() && reservation.note.empty());
}

TEST(GivenAChange, WhenItIsCommittedThenTheStateChangesWithAGrantAndALaterStartOnly) {
  auto proposed = changing({}, shape({{100}, {300}}, 4, 0));
  proposed.phase = ReservationPhase::proposed;
  EXPECT_EQ(commit(proposed, {50}), ReservationEvent::committed);
  auto waiting = changing(shape({{100}, {200}}, 4, 0), shape({{150}, {300}}, 4, 0));
  waiting.phase = ReservationPhase::waiting;
  EXPECT_EQ(commit(waiting, {50}), std::nullopt) << "it waits, as before";
}

TEST(GivenAReservationThatBegan, WhenAChangeToALaterStartIsCommittedThenItIsMoved) {
  auto reservation = changing(shape({{0}, {100}}, 4, 0), shape({{80}, {200}}, 4, 0));
  EXPECT_EQ(usable(reservation).window, (Window{{80}, {100}})) << "nothing starts before";
  EXPECT_EQ(commit(reservation, {50}), ReservationEvent::moved);
}

// spec/beyond.md B12.06 and B12.13
TEST(GivenAChange, WhenItNamesNotAllThenTheRestStays) {
  Reservation reservation;
  reservation.phase = ReservationPhase::waiting;
  reservation.shape.window = {{1000}, {1600}};
  const auto window = [&](std::int64_t a, std::int64_t e, std::int64_t d, std::int64_t now = 500) {
    ReservationRequest request;
    request.start = {a}, request.end = {e}, request.has_duration = d > 0, request.duration = {d};
    return requested_window(request, {now}, &reservation);
  };
  EXPECT_EQ(*window(0, 0, 0), (Window{{1000}, {1600}}));
  EXPECT_EQ(*window(1200, 0, 0), (Window{{1200}, {1800}})) << "it moves";
  EXPECT_EQ(*window(0, 1500, 0), (Window{{1000}, {1500}}));
  EXPECT_EQ(*window(0, 0, 700), (Window{{1000}, {1700}}));
  reservation.phase = ReservationPhase::running;
  EXPECT_EQ(*window(1000, 0, 700, 1100), (Window{{1000}, {1700}})) << "named again";
  EXPECT_EQ(gridengine::text_of(window(900, 0, 700, 1100).error()), "start time is in the past");
  EXPECT_EQ(gridengine::text_of(window(1200, 0, 700, 1100).error()),
            "the advance reservation has begun: its start cannot be changed");
  EXPECT_EQ(gridengine::text_of(window(0, 1050, 0, 1100).error()), "end time is in the past");
}

TEST(GivenAChange, WhenItNamesNoPlaceThenWhatWasRequestedStays) {
  ReservationRequest was, change;
  was.name = "mine", was.pe = "fill", was.slots = {{2, 4}}, was.queues = {"all.q"};
  was.resources = {{"lic", "1"}}, was.users = {"ann"};
  change.pe = "mpi", change.slots = {{8, 8}}, change.end = {100};
  const auto now = changed(was, change);
  EXPECT_EQ(now.name, "mine");
  EXPECT_EQ(now.pe, "mpi");
  EXPECT_EQ(now.slots.front().low, 8);
  EXPECT_EQ(now.queues, was.queues);
  EXPECT_EQ(now.users, was.users);
  EXPECT_EQ(now.resources.size(), 1u);
  EXPECT_EQ(now.end.seconds, 100);
}
