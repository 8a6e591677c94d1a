// The earliest place of a job, gaps between bookings included.
#include "core/matching/earliest.hpp"
#include "core/matching/bookings.hpp"
#include "busy_cell.hpp"

using namespace almanac;

namespace {

class GivenEarliestPlaces : public MatchingFixture {
public:
  std::optional<Placement> earliest(const JobRequest& request, Instant from,
                                    Instant before = Instant::never()) {
    const auto waiting = *find(submit(alice, request));
    return place_earliest(state(), *make_class_request(state(), waiting), from, before);
  }
  /// Seconds from now; -1 for never.
  std::int64_t starts_in(const JobRequest& request) {
    const auto found = earliest(request, now);
    return found ? (found->window.start - now).seconds : -1;
  }
  void without_offset() { scheduler({{"params", "DURATION_OFFSET=0"}}); }
};

} // namespace

// S6.7
TEST_F(GivenEarliestPlaces, WhenThereIsAGapBeforeAReservationThenItIsTaken) {
  hosts(1, 1);
  without_offset();
  running(job("runs", "100"));
  reserve(root, window(now.seconds + 600, 600));
  EXPECT_EQ(starts_in(job("fits", "300")), 100);
  EXPECT_EQ(starts_in(job("just", "500")), 100);
  EXPECT_EQ(starts_in(job("too-long", "501")), 1200);
  EXPECT_EQ(starts_in(job("endless")), 1200);
}

// S6.3
TEST_F(GivenEarliestPlaces, WhenCellAndInstanceAreFreeAtDifferentTimesThenTheLaterCounts) {
  hosts(1, 3);
  without_offset();
  complex("license", "lic INT <= YES YES 0 0");
  offer("global", "license=1");
  running(job("brief", "50"));
  auto licensed = job("licensed", "100");
  licensed.resources.push_back({"license", "1"});
  running(licensed);
  running(job("long", "200"));
  EXPECT_EQ(starts_in(job("plain", "10")), 50);
  EXPECT_EQ(starts_in(licensed), 100);
  licensed.resources.back().value = "2";
  EXPECT_EQ(starts_in(licensed), -1);
}

// S7.4
TEST_F(GivenEarliestPlaces, WhenARangeIsAskedForThenTheFewestDecideWhenAndTheMostAreGranted) {
  hosts(1, 8);
  without_offset();
  running(parallel("smp", 5));
  for (int i = 0; i < 3; ++i) running(job("brief", "100"));
  auto request = parallel("smp", 2, 8);
  request.resources = {{"h_rt", "50"}};
  const auto found = earliest(request, now);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->window, (Window{now + Duration{100}, now + Duration{150}}));
  EXPECT_EQ(found->assignment.grants.front().slots, 3);
}

TEST_F(GivenEarliestPlaces, WhenTheTimeIsLimitedThenLaterStartsAreNotLookedFor) {
  hosts(1, 1);
  without_offset();
  running(job("runs", "100"));
  const auto start = now + Duration{100};
  EXPECT_FALSE(earliest(job("next", "10"), now, start));
  EXPECT_TRUE(earliest(job("next", "10"), now, start + Duration{1}));
  EXPECT_EQ(earliest(job("next", "10"), start + Duration{5})->window.start, start + Duration{5});
}

TEST_F(GivenEarliestPlaces, WhenAnInstanceIsOffThenItIsNotCountedOn) {
  hosts(2, 1);
  without_offset();
  const auto first = running(job("first", "100"));
  running(job("second", "200"));
  const auto host = find(first)->tasks.front().grants.front().instance.host;
  EXPECT_EQ(starts_in(job("next", "10")), 100);
  tell(HostSilent{host, true});
  EXPECT_EQ(starts_in(job("next", "10")), 200);
}

namespace {

// Each second is tried: the first at which the request fits.
Instant by_hand(const State& state, const ClassRequest& wanted, Instant from, Instant before) {
  const auto supply = Supply::of_holds(state, wanted.endless);
  auto unread = Obstacles::unwanted();
  for (auto at = from; at < before; at = at + Duration{1})
    if (assign(state, supply, wanted.demand, {at, at + wanted.length}, *wanted.suitable, unread))
      return at;
  return Instant::never();
}

} // namespace

RC_GTEST_PROP(GivenAnyBookings, WhenTheEarliestStartIsLookedForThenNoSecondBeforeItWouldDo, ()) {
  BusyCell cell;
  const auto pe = *rc::gen::element<std::string>("fill", "smp");
  const auto number = cell.submit(cell.alice, cell.any_request(pe));
  const auto wanted = *make_class_request(cell.state(), *cell.find(number));
  const auto horizon = cell.now + Duration{1500};
  const auto found = place_earliest(cell.state(), wanted, cell.now, horizon);
  RC_ASSERT((found ? found->window.start : Instant::never()) ==
            by_hand(cell.state(), wanted, cell.now, horizon));
  if (!found) return;
  RC_ASSERT(is_free(Supply::of_holds(cell.state(), wanted.endless), wanted.demand,
                    found->assignment.bookings, found->window));
}
