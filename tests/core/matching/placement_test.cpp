// Whether a job can have its place now, and why not.
#include "core/matching/placement.hpp"
#include "busy_cell.hpp"
#include "core/matching/instance_obstacles.hpp"

using namespace almanac;

namespace {

class GivenPlacements : public MatchingFixture {
public:
  ClassRequest wanted(const Job& job) const { return *make_class_request(state(), job); }
  std::optional<Placement> place(const JobRequest& request) {
    const auto job = *find(submit(alice, request));
    return place_now(state(), job, wanted(job), false, now, obstacles);
  }
  AnswerCode obstacle_of(std::int64_t number) const {
    const auto found = obstacle(state(), *find(number), now);
    return found ? found->code : AnswerCode::said;
  }
  static std::string names(const std::optional<Placement>& place) {
    std::string text;
    if (place)
      for (const auto& grant : place->assignment.grants)
        text +=
            (text.empty() ? "" : " ") + grant.instance.text() + ":" + std::to_string(grant.slots);
    return text;
  }
  void without_offset() { scheduler({{"params", "DURATION_OFFSET=0"}}); }

  Obstacles obstacles;
};

} // namespace

TEST_F(GivenPlacements, WhenAJobMayNotStartThenTheObstacleSaysWhy) {
  hosts(1, 4);
  const auto free = submit(alice, job("free"));
  EXPECT_EQ(obstacle_of(free), AnswerCode::said);
  auto later = job("later");
  later.execution_time = now + Duration{10};
  const auto late = submit(alice, later);
  EXPECT_EQ(obstacle_of(late), AnswerCode::execution_time_not_reached);
  now = now + Duration{10};
  EXPECT_EQ(obstacle_of(late), AnswerCode::said);
  command(alice, ChangeHold{{std::to_string(late)}, {}, true, false, false, false});
  EXPECT_EQ(obstacle_of(late), AnswerCode::job_on_hold);
  pass();
  EXPECT_EQ(obstacle_of(free), AnswerCode::no_pending_task);
}

TEST_F(GivenPlacements, WhenALimitOfRunningTasksIsReachedThenItIsTheObstacle) {
  hosts(1, 4);
  auto array = job("array");
  array.tasks = {1, 5, 1}, array.most_running = 2;
  const auto number = running(array);
  ASSERT_EQ(find(number)->active_tasks(), 2);
  EXPECT_EQ(obstacle_of(number), AnswerCode::array_limit_reached);
  scheduler({{"maxujobs", "2"}});
  EXPECT_EQ(obstacle_of(submit(alice, job("another"))), AnswerCode::user_limit_reached);
  EXPECT_EQ(obstacle_of(submit(bob, job("another"))), AnswerCode::said);
}

TEST_F(GivenPlacements, WhenAReservationIsAheadThenOnlyWhatEndsBeforeItHasAPlace) {
  hosts(1, 2);
  without_offset();
  reserve(root, on_pe(window(now.seconds + 600, 600), "fill", 2));
  EXPECT_EQ(names(place(job("just", "600"))), "all.q@h1:1");
  EXPECT_EQ(names(place(job("too-long", "601"))), "");
  EXPECT_EQ(names(place(job("endless"))), "");
}

TEST_F(GivenPlacements, WhenAJobAsksForAReservationThenItsPlaceIsInside) {
  hosts(2, 4);
  without_offset();
  auto ahead = on_pe(window(now.seconds + 100, 1000), "fill", 2);
  ahead.queues = {"*@h2"};
  const auto number = reserve(root, ahead);
  auto request = job("inside", "500");
  request.reservation = {number};
  const auto early = submit(root, request);
  EXPECT_EQ(obstacle_of(early), AnswerCode::reservation_not_started);
  now = now + Duration{100};
  due(number);
  EXPECT_EQ(obstacle_of(early), AnswerCode::said);
  const auto waiting = *find(early);
  EXPECT_EQ(names(place_now(state(), waiting, wanted(waiting), false, now, obstacles)),
            "all.q@h2:1");
  const auto late = now + Duration{501};
  EXPECT_FALSE(place_now(state(), waiting, wanted(waiting), false, late, obstacles));
  EXPECT_EQ(obstacles.list().back().code, AnswerCode::reservation_leaves);
}

TEST_F(GivenPlacements, WhenWhatIsHeldIsTakenOrOffThenItIsNoLongerThere) {
  hosts(2, 1);
  without_offset();
  const auto waiting = *find(submit(alice, asking({{"h_rt", "50"}})));
  const auto place = place_now(state(), waiting, wanted(waiting), false, now, obstacles);
  ASSERT_TRUE(place);
  const Hold hold{place->window, "", place->assignment.grants, place->assignment.bookings, ""};
  EXPECT_TRUE(is_still_there(state(), wanted(waiting), hold));
  auto taken = window(now.seconds + 49, 10);
  taken.queues = {hold.grants.front().instance.text()};
  const auto reservation = reserve(root, taken);
  EXPECT_FALSE(is_still_there(state(), wanted(waiting), hold));
  command(root, DeleteReservations{{std::to_string(reservation)}, {}, false});
  EXPECT_TRUE(is_still_there(state(), wanted(waiting), hold));
  command(root, ModifyQueues{QueueAction::disable, taken.queues});
  EXPECT_FALSE(is_still_there(state(), wanted(waiting), hold));
}

namespace {

void turn_some_off(BusyCell& cell) {
  for (int i = 1; i <= cell.host_count; ++i) {
    const auto host = "h" + std::to_string(i);
    if (*rc::gen::inRange(0, 4) == 0) cell.tell(HostSilent{host, true});
    if (*rc::gen::inRange(0, 4) == 0)
      cell.command(cell.root, ModifyQueues{QueueAction::disable, {"*@" + host}});
  }
}

bool serves(const BusyCell& cell, const QueueInstance& instance) {
  return cell.state().host(instance.name.host).phase == HostPhase::up &&
         !cell.state().instance(instance.name).disabled;
}

// The first instance that has a slot for all of the window; a job without a limit keeps clear of
// all that reservations count on.
std::string first_by_hand(const BusyCell& cell, const Demand& demand, Window window, bool endless) {
  const Window firm{window.start, endless ? Instant::never() : window.start};
  for (const auto& instance : cell.state().configuration().instances())
    if (serves(cell, instance) && cell.slots_free(instance, demand, window, firm) >= 1)
      return instance.name.text();
  return "";
}

} // namespace

RC_GTEST_PROP(GivenAnyBookings, WhenAJobIsPlacedThenItIsOnTheFirstInstanceThatIsFreeByHand, ()) {
  BusyCell cell;
  turn_some_off(cell);
  auto request = cell.any_request();
  request.pe.clear(), request.slots.clear();
  const auto job = *cell.find(cell.submit(cell.alice, request));
  const auto wanted = *make_class_request(cell.state(), job);
  auto unread = Obstacles::unwanted();
  const auto place = place_now(cell.state(), job, wanted, false, cell.now, unread);
  const Window window{cell.now, cell.now + wanted.length};
  RC_ASSERT((place ? place->assignment.grants.front().instance.text() : "") ==
            first_by_hand(cell, wanted.demand, window, wanted.endless));
  if (place) RC_ASSERT(place->window == window);
}

RC_GTEST_PROP(GivenAnyBookings, WhenOnlyOpenInstancesAreAskedThenThePlaceIsTheSame, ()) {
  BusyCell cell;
  turn_some_off(cell);
  const auto job = *cell.find(cell.submit(cell.alice, cell.any_request()));
  const auto wanted = *make_class_request(cell.state(), job);
  Obstacles obstacles;
  auto unread = Obstacles::unwanted();
  const auto open = place_now(cell.state(), job, wanted, false, cell.now, unread);
  const auto all = place_now(cell.state(), job, wanted, true, cell.now, obstacles);
  RC_ASSERT(open.has_value() == all.has_value());
  if (!open) {
    RC_ASSERT(!obstacles.list().empty());
    return;
  }
  RC_ASSERT(open->assignment.grants == all->assignment.grants);
  RC_ASSERT(open->assignment.bookings == all->assignment.bookings);
  for (const auto& booking : open->assignment.bookings) {
    auto used = cell.booked(booking.container, booking.resource.name, open->window);
    if (wanted.endless)
      used = std::max(used, cell.booked(booking.container, booking.resource.name,
                                        {cell.now, Instant::never()}, &BusyCell::Entry::firm));
    if (const auto total = cell.total(booking.container, booking.resource.name))
      RC_ASSERT(used + booking.amount <= *total);
  }
}
