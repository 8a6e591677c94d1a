// Where reservations by hosts lie (spec/plus.md section 3).
#include "core/matching/node_places.hpp"
#include "core/host/operating_system.hpp"
#include "core/matching/feasible_starts.hpp"
#include "matching_fixture.hpp"

#include "core/matching/reservation_places.hpp"

using namespace almanac;

namespace {

class GivenNodes : public MatchingFixture {
public:
  ReservationRequest whole(std::int64_t nodes) const {
    ReservationRequest request;
    request.nodes = nodes, request.whole_nodes = true;
    return request;
  }
  Demand demand(const ReservationRequest& request) const {
    auto found = demand_of_reservation(state(), root, request);
    EXPECT_TRUE(found.ok());
    return *found;
  }
  Window at(std::int64_t from, std::int64_t length = 100) const {
    return {now + Duration{from}, now + Duration{from + length}};
  }
};

using Texts = std::vector<std::string>;

} // namespace

// plus.md P3.52: the number that plus_availnodes prints
TEST_F(GivenNodes, WhenTheyAreCountedThenThoseInUseAreLeftOut) {
  hosts(3, 2);
  EXPECT_EQ(available_nodes(state(), demand(whole(1)), at(100), now), (Texts{"h1", "h2", "h3"}));
  reserve(root, window(now.seconds + 150, 100));
  EXPECT_EQ(available_nodes(state(), demand(whole(1)), at(100), now), (Texts{"h2", "h3"}));
  EXPECT_EQ(available_nodes(state(), demand(whole(9)), at(0, 150), now), (Texts{"h1", "h2", "h3"}));
  running(job("runs", "400")); // longer than any window here
  EXPECT_EQ(available_nodes(state(), demand(whole(1)), at(300), now).size(), 2u);
}

TEST_F(GivenNodes, WhenOneIsLostThenItCountsForLaterOnly) {
  hosts(2, 2);
  lose("h1");
  EXPECT_EQ(available_nodes(state(), demand(whole(1)), at(0), now), (Texts{"h2"}));
  EXPECT_EQ(available_nodes(state(), demand(whole(1)), at(100), now), (Texts{"h2", "h1"}));
}

TEST_F(GivenNodes, WhenTheCellHasAnAmountThenEachHostTakesIt) {
  hosts(3, 2);
  complex("lic", "lic INT <= YES YES 0 0");
  offer("global", "lic=5");
  auto request = whole(3);
  request.resources = {{"lic", "2"}};
  const auto found = find_place(state(), demand(request), at(100), now);
  EXPECT_FALSE(found.assignment);
  request.nodes = 2;
  const auto two = find_place(state(), demand(request), at(100), now);
  ASSERT_TRUE(two.assignment);
  std::int64_t of_cell = 0;
  for (const auto& booking : two.assignment->bookings)
    if (booking.container.kind == Container::Kind::global) of_cell += booking.amount;
  EXPECT_EQ(of_cell, 4);
}

// The starts that metascheduler.md section 4 asks for, with whole hosts: each second agrees.
TEST_F(GivenNodes, WhenStartsAreAskedForThenEachSecondOfThemHasAPlace) {
  hosts(2, 2);
  reserve(root, window(now.seconds + 40, 30));
  auto other = window(now.seconds + 90, 20);
  other.resources = {{"hostname", "h2"}};
  reserve(root, other);
  const auto two = demand(whole(2));
  FeasibleStarts starts(state(), two, Duration{10}, {now + Duration{1}, now + Duration{150}}, now);
  while (starts.look(1)) {
  }
  for (std::int64_t second = 1; second <= 150; ++second) {
    const auto start = now + Duration{second};
    const bool is_in_range =
        std::any_of(starts.ranges().begin(), starts.ranges().end(),
                    [&](const StartRange& one) { return one.first <= start && start <= one.last; });
    EXPECT_EQ(is_in_range, has_place(state(), two, {start, start + Duration{10}}, now)) << second;
  }
}

// plus.md P3.18
TEST(GivenArchitectures, WhenASystemIsNamedThenCaseAndKindOfNameDoNotCount) {
  EXPECT_EQ(operating_system_of("lx-amd64"), "linux");
  EXPECT_TRUE(is_operating_system("lx-amd64", "Linux"));
  EXPECT_TRUE(is_operating_system("lx-amd64", "LX-AMD64"));
  EXPECT_TRUE(is_operating_system("lx-amd64", "lx"));
  EXPECT_FALSE(is_operating_system("lx-amd64", "lx-x86"));
  EXPECT_FALSE(is_operating_system("", ""));
  EXPECT_TRUE(is_operating_system("plan9-mips", "Plan9"));
}
