// All starts at which a reservation would be granted.
#include "core/matching/feasible_starts.hpp"

#include "busy_cell.hpp"

using namespace almanac;

namespace {

// Looks so often at once that slices end everywhere.
std::string text_of_ranges(FeasibleStarts starts, Instant now) {
  while (starts.look(1)) {
  }
  std::string text;
  for (const auto& [first, last] : starts.ranges())
    text += (text.empty() ? "[" : " [") + std::to_string((first - now).seconds) + "," +
            std::to_string((last - now).seconds) + "]";
  return text;
}

class GivenFeasibleStarts : public MatchingFixture {
public:
  /// Of a request for so many slots with a length of 100 s, in seconds from now.
  std::string starts(std::int64_t slots, std::int64_t length, std::int64_t first,
                     std::int64_t last) const {
    ReservationRequest request;
    request.pe = "fill", request.slots = {{slots, slots}};
    const auto demand = *demand_of_reservation(state(), alice, request);
    return text_of_ranges(FeasibleStarts(state(), demand, Duration{length},
                                         {now + Duration{first}, now + Duration{last}}, now),
                          now);
  }
};

class GivenFourHosts : public GivenFeasibleStarts {
public:
  void SetUp() override {
    hosts(4, 1);
    reserve(root, on_pe(window(now.seconds + 200, 100), "fill", 2));
  }
};

} // namespace

// M4.7 M4.9 M4.19
TEST_F(GivenFourHosts, WhenThereIsAlwaysEnoughThenTheWholeWindowIsOneRange) {
  EXPECT_EQ(starts(2, 100, 0, 1000), "[0,1000]");
}

// M4.6 M4.8 M4.20
TEST_F(GivenFourHosts, WhenAReservationIsInTheWayThenBothItsEdgesAreExact) {
  EXPECT_EQ(starts(3, 100, 0, 1000), "[0,100] [300,1000]");
  EXPECT_EQ(starts(3, 100, 101, 299), "");
  EXPECT_EQ(starts(3, 100, 100, 300), "[100,100] [300,300]");
}

// M4.21
TEST_F(GivenFourHosts, WhenTheCellIsTooSmallThenThereIsNone) {
  EXPECT_EQ(starts(5, 100, 0, 1000), "");
}

// M4.22
TEST_F(GivenFourHosts, WhenTheEndIsBoundedThenSoAreTheStarts) {
  EXPECT_EQ(starts(4, 100, 0, 350), "[0,100] [300,350]");
}

TEST_F(GivenFourHosts, WhenTheWindowIsEmptyThenThereIsNone) {
  EXPECT_EQ(starts(1, 100, 10, 9), "");
}

// M4.6
TEST_F(GivenFeasibleStarts, WhenOneHostIsFreeAtEveryMomentButNotTheSameThenItIsNotFeasible) {
  hosts(2, 1);
  const auto on = [](ReservationRequest request, const std::string& host) {
    request.queues = {"*@" + host};
    return request;
  };
  reserve(root, on(window(now.seconds + 100, 100), "h1"));
  reserve(root, on(window(now.seconds, 100), "h2"));
  EXPECT_EQ(starts(1, 150, 0, 300), "[100,300]");
}

// M4.2
TEST_F(GivenFeasibleStarts, WhenAnInstanceIsOffThenLaterStartsAreFeasible) {
  hosts(1, 1);
  tell(HostSilent{"h1", true});
  EXPECT_EQ(starts(1, 100, 0, 50), "[1,50]");
}

// M4.1
TEST_F(GivenFeasibleStarts, WhenACalendarClosesAQueueThenStartsEndBeforeItAndBeginAgainAfterIt) {
  hosts(1, 1);
  now = {18 * 86400 + 7 * 3600}; // a Monday at seven
  change({ObjectKind::calendar, "noon", {{"week", "12-13"}}}, ChangeVerb::add);
  queue("all.q", {{"calendar", "noon"}});
  EXPECT_EQ(starts(1, 3600, 0, 12 * 3600), "[0,14400] [21600,43200]");
}

RC_GTEST_PROP(GivenAnyBookings, WhenAllStartsAreAskedForThenTheyAreThoseAtWhichAPlaceIsFound, ()) {
  BusyCell cell;
  for (int i = 1; i <= cell.host_count; ++i)
    if (*rc::gen::inRange(0, 3) == 0)
      cell.command(cell.root, ModifyQueues{QueueAction::disable, {"*@h" + std::to_string(i)}});
  const auto request = cell.any_request();
  ReservationRequest asked;
  asked.pe = request.pe, asked.slots = request.slots;
  for (const auto& resource : request.resources)
    if (resource.name != "h_rt") asked.resources.push_back(resource);
  const auto demand = *demand_of_reservation(cell.state(), cell.alice, asked);
  const Duration length{*rc::gen::inRange<std::int64_t>(1, 60)};
  const auto first = cell.now + Duration{*rc::gen::inRange<std::int64_t>(0, 60)};
  const auto last = first + Duration{*rc::gen::inRange<std::int64_t>(0, 200)};

  FeasibleStarts starts(cell.state(), demand, length, {first, last}, cell.now);
  while (starts.look(3)) {
  }
  std::vector<StartRange> expected;
  for (auto start = first; start <= last; start = start + Duration{1}) {
    if (!find_place(cell.state(), demand, {start, start + length}, cell.now).assignment) continue;
    if (!expected.empty() && expected.back().last + Duration{1} == start)
      expected.back().last = start;
    else expected.push_back({start, start});
  }
  RC_ASSERT(starts.ranges() == expected);
}
