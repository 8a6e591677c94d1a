// What is booked for the slots that were granted.
#include "core/matching/bookings.hpp"
#include "core/matching/assignment.hpp"
#include "matching_fixture.hpp"

#include <rapidcheck/gtest.h>

using namespace almanac;

namespace {

class GivenGrants : public MatchingFixture {
public:
  /// "host:h1 gpu=4"
  std::vector<std::string> booked(const JobRequest& request,
                                  const std::vector<Grant>& grants) const {
    const auto demand = this->demand(request);
    const auto supply = this->supply();
    std::vector<std::string> texts;
    for (const auto& booking :
         bookings_of(state().configuration(), consumptions_of(demand, supply), request.pe, grants))
      texts.push_back(booking.container.text() + " " + booking.resource.text() + "=" +
                      std::to_string(booking.amount));
    return texts;
  }
};

using Texts = std::vector<std::string>;

} // namespace

TEST_F(GivenGrants, WhenOneSlotIsGrantedThenItIsBookedOnItsInstance) {
  hosts(1, 4);
  EXPECT_EQ(booked(job("one"), {{{"all.q", "h1"}, 1}}), (Texts{"queue:all.q@h1 slots=1"}));
}

// S7.14: for each slot, for the whole job where its master is, or once for each host.
TEST_F(GivenGrants, WhenAmountsAreTakenDifferentlyThenEachIsBookedAsItIsTaken) {
  hosts(2, 4);
  complex("memory", "mem INT <= YES YES 0 0");
  complex("license", "lic INT <= YES JOB 0 0");
  complex("gpu", "gpu INT <= YES HOST 0 0");
  for (const char* host : {"h1", "h2"}) offer(host, "memory=100,license=9,gpu=9");
  offer("global", "gpu=20");
  auto request = parallel("fill", 5);
  request.resources = {{"memory", "10"}, {"license", "3"}, {"gpu", "2"}};
  EXPECT_EQ(booked(request, {{{"all.q", "h1"}, 3}, {{"all.q", "h2"}, 2}}),
            (Texts{"global gpu=4", "host:h1 gpu=2", "host:h1 license=3", "host:h1 memory=30",
                   "host:h2 gpu=2", "host:h2 memory=20", "pe:fill slots=5",
                   "queue:all.q@h1 slots=3", "queue:all.q@h2 slots=2"}));
}

TEST_F(GivenGrants, WhenOneIsAloneThenItIsBookedOnceAndOthersBesideIt) {
  hosts(1, 4);
  complex("exclusive", "excl BOOL EXCL YES YES 0 0");
  offer("h1", "exclusive=TRUE");
  auto alone = parallel("smp", 3);
  alone.resources = {{"exclusive", "TRUE"}};
  const std::vector<Grant> grants{{{"all.q", "h1"}, 3}};
  EXPECT_EQ(booked(alone, grants).front().substr(0, 18), "host:h1 exclusive=");
  EXPECT_EQ(booked(parallel("smp", 3), grants).front().substr(0, 25), "host:h1 exclusive/shared=");
  EXPECT_EQ(booked(alone, grants).size(), 3U);
}

TEST_F(GivenGrants, WhenWhatTheyBookIsTakenThenItIsNotFree) {
  hosts(1, 2);
  const auto request = parallel("smp", 2);
  const auto demand = this->demand(request);
  const std::vector<Grant> grants{{{"all.q", "h1"}, 2}};
  const auto bookings = assignment_of(state(), supply(), demand, "smp", grants).bookings;
  EXPECT_TRUE(is_free(supply(), demand, bookings, for_seconds(100)));
  running(job("one", "1000"));
  EXPECT_FALSE(is_free(supply(), demand, bookings, for_seconds(100)));
  EXPECT_TRUE(is_free(supply(), demand, bookings, {now + Duration{2000}, now + Duration{2100}}));
}

// What the search finds is free, and books each slot where it was granted.
RC_GTEST_PROP(GivenAnAssignment, WhenItIsFoundThenWhatItBooksIsFree, ()) {
  MatchingFixture cell;
  const auto count = *rc::gen::inRange(1, 4), slots = *rc::gen::inRange(1, 4);
  cell.hosts(count, slots);
  cell.queue("all.q", {{"load_thresholds", "NONE"}});
  const auto jobs = *rc::gen::inRange(0, 6);
  for (int i = 0; i < jobs; ++i) {
    cell.submit(cell.alice, cell.job("runs", "100"));
    cell.pass();
  }
  const auto low = *rc::gen::inRange<std::int64_t>(1, 5);
  const auto request = MatchingFixture::parallel("fill", low, low + 3);
  const auto demand = cell.demand(request);
  const auto supply = cell.supply();
  std::vector<const QueueInstance*> candidates;
  for (const auto& instance : cell.state().configuration().instances())
    candidates.push_back(&instance);
  Obstacles obstacles;
  const auto window = cell.for_seconds(100);
  const auto found = assign(cell.state(), supply, demand, window, candidates, obstacles);
  if (!found) return;
  RC_ASSERT(is_free(supply, demand, found->bookings, window));
  std::int64_t granted = 0, booked = 0;
  for (const auto& grant : found->grants) granted += grant.slots;
  for (const auto& booking : found->bookings)
    if (booking.container.kind == Container::Kind::queue) booked += booking.amount;
  RC_ASSERT(granted >= low);
  RC_ASSERT(granted == booked);
}
