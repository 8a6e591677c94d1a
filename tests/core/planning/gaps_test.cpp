// Slots that bookings keep from who waits (spec/beyond.md B9.3).
#include "core/planning/questions/gaps.hpp"
#include "planner_fixture.hpp"

using namespace almanac;
using rules::Gap;
using rules::gaps;

namespace {

// Two hosts of four slots; reservation 1 has all of h1 from T+600 to T+1200.
class GivenAReservationToCome : public PlannerFixture {
public:
  void SetUp() override {
    hosts(2, 4);
    scheduler({{"params", "DURATION_OFFSET=0"}, {"max_reservation", "5"}});
    reserve(root, at_host(on_pe(window(now.seconds + 600, 600), "fill", 4), "h1"));
  }
  static ReservationRequest at_host(ReservationRequest request, const std::string& host) {
    request.queues = {"all.q@" + host};
    return request;
  }
  std::int64_t wait(const std::string& limit, const std::string& host, std::int64_t slots = 1,
                    bool reserves = false) {
    auto request = job("waits", limit);
    request.queues = {"all.q@" + host};
    request.reserve = reserves;
    if (slots > 1) request.pe = "fill", request.slots = {{slots, slots}};
    const auto number = submit(root, request);
    pass();
    return number;
  }
  ReservationId first() const {
    const auto& one = *planner.state().reservation_by_number({1});
    return {one.number, one.submitted};
  }
  std::vector<Gap> found() const { return gaps(planner.state(), now); }
};

} // namespace

// B9.17, B9.3
TEST_F(GivenAReservationToCome, WhenJobsWouldRunIntoItThenWhatIsFreeBeforeItIsAGap) {
  EXPECT_TRUE(found().empty()) << "nobody waits";
  wait("601", "h1");
  EXPECT_EQ(found(), (std::vector<Gap>{{{"all.q", "h1"}, first(), 1}}));
  wait("601", "h1", 2);
  EXPECT_EQ(found(), (std::vector<Gap>{{{"all.q", "h1"}, first(), 3}}));
  for (int i = 0; i < 5; ++i) wait("601", "h1");
  EXPECT_EQ(found(), (std::vector<Gap>{{{"all.q", "h1"}, first(), 4}})) << "there are no more";
}

TEST_F(GivenAReservationToCome, WhenAJobFitsBeforeItThenThatIsNone) {
  const auto number = wait("600", "h1");
  EXPECT_TRUE(is_active(number));
  EXPECT_TRUE(found().empty());
}

// Others than bookings keep it waiting.
TEST_F(GivenAReservationToCome, WhenAJobWaitsForSomethingElseThenThatIsNoGap) {
  wait("601", "h1", 8);
  EXPECT_TRUE(found().empty()) << "there are not so many slots";
  auto held = job("held", "601");
  held.queues = {"all.q@h1"}, held.held_by_user = true;
  submit(root, held);
  pass();
  EXPECT_TRUE(found().empty());
}

TEST_F(GivenAReservationToCome, WhenItHasBegunThenWhatIsIdleInItIsReservedAndNoGap) {
  wait("601", "h1");
  now = now + Duration{600};
  due(1), pass();
  EXPECT_EQ(letter(1), 'r');
  EXPECT_TRUE(found().empty());
}

TEST_F(GivenAReservationToCome, WhenAHoldIsInTheWayThenTheGapIsOfNoReservation) {
  start(wait("100", "h2", 3));
  wait("300", "h2", 4, true);
  wait("200", "h2");
  EXPECT_EQ(found(), (std::vector<Gap>{{{"all.q", "h2"}, {}, 1}}));
}

// B0.1: it is looked at, and nothing is decided.
TEST_F(GivenAReservationToCome, WhenGapsAreLookedForThenTheStateIsAsItWas) {
  wait("601", "h1");
  const auto before = planner.digest();
  found();
  EXPECT_EQ(planner.digest(), before);
}
