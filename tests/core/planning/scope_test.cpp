// -scope: what is asked of the first slot of a job, and what of the others (C3.53).
#include "assignment_fixture.hpp"

#include <gtest/gtest.h>

using namespace almanac;

namespace {

class GivenAQueueForMasters : public AssignmentFixture {
public:
  GivenAQueueForMasters() {
    hosts(3, 2);
    scheduler({{"load_formula", "0"}, {"params", "DURATION_OFFSET=0"}});
    queue("big.q", {{"hostlist", "h3"}, {"slots", "2"}, {"pe_list", "fill mpi smp"}});
  }
};

} // namespace

// C3.53.
TEST_F(GivenAQueueForMasters, WhenTheSlavesQueueIsNamedThenOtherQueuesHaveTheFirstSlotAtMost) {
  auto request = parallel("fill", 6);
  request.slave_queues = {"all.q"};
  EXPECT_EQ(alone(request), "all.q@h1:2 all.q@h2:2 all.q@h3:2");
  request.master_queues = {"big.q"};
  EXPECT_EQ(alone(request), "big.q@h3:1 all.q@h3:2 all.q@h1:2 all.q@h2:1");
  request.slots = {{8, 8}};
  EXPECT_EQ(alone(request), "") << "the second slot of big.q is for nobody";
}

TEST_F(GivenAQueueForMasters, WhenOneSlotIsMissingThenTheMasterGoesWhereNobodyElseMay) {
  auto request = parallel("fill", 7);
  request.slave_queues = {"all.q"};
  EXPECT_EQ(alone(request), "big.q@h3:1 all.q@h3:2 all.q@h1:2 all.q@h2:2");
  request.slots = {{1, 100}};
  EXPECT_EQ(alone(request), "big.q@h3:1 all.q@h3:2 all.q@h1:2 all.q@h2:2");
}

TEST_F(GivenAQueueForMasters, WhenTheRuleIsAnotherThenTheMastersInstanceCountsByIt) {
  auto request = parallel("mpi", 4); // round robin
  request.master_queues = {"big.q"}, request.slave_queues = {"all.q"};
  EXPECT_EQ(alone(request), "big.q@h3:1 all.q@h3:1 all.q@h1:1 all.q@h2:1");
  request = parallel("smp", 3); // on one host
  request.master_queues = {"big.q"}, request.slave_queues = {"all.q"};
  EXPECT_EQ(alone(request), "big.q@h3:1 all.q@h3:2");
  request.slots = {{4, 4}};
  EXPECT_EQ(alone(request), "");
  request = parallel("fill", 6);
  request.pe_rule = "3", request.slave_queues = {"all.q"};
  EXPECT_EQ(alone(request), "") << "h3 alone gives three";
  request.slots = {{3, 3}};
  EXPECT_EQ(alone(request), "big.q@h3:1 all.q@h3:2");
}

TEST_F(GivenAQueueForMasters, WhenWhatAHostIsIsAskedForThenItCountsForTheSlotsThatAreMeant) {
  complex("fast", "fst BOOL == YES NO 0 0");
  offer("h2", "fast=TRUE");
  auto request = parallel("fill", 4);
  request.queues = {"all.q"};
  request.master_resources = {{"fast", "TRUE"}};
  EXPECT_EQ(alone(request), "all.q@h2:2 all.q@h1:2");
  std::swap(request.master_resources, request.slave_resources);
  request.slots = {{3, 3}};
  EXPECT_EQ(alone(request), "all.q@h1:1 all.q@h2:2");
  request.slots = {{4, 4}};
  const auto waits = submit(alice, request);
  pass();
  EXPECT_EQ(place(waits), "");
  EXPECT_TRUE(says(why(waits), "cannot have slave tasks of the job in queue \"all.q@h1\""))
      << why(waits);
}

TEST_F(GivenAQueueForMasters, WhenItIsForTheWholeJobThenAScopeIsRefused) {
  complex("disk", "dsk INT <= YES YES 0 0");
  for (const auto* resource : {"disk", "h_vmem", "h_rt", "mem_free"}) {
    auto request = parallel("fill", 2);
    request.master_resources = {{resource, "1"}};
    EXPECT_TRUE(says(refusal(request), std::string("-scope master -l ") + resource)) << resource;
    std::swap(request.master_resources, request.slave_resources);
    EXPECT_TRUE(says(refusal(request), std::string("-scope slave -l ") + resource)) << resource;
  }
  auto request = parallel("fill", 2);
  request.slave_queues = {"nosuch.q"};
  EXPECT_TRUE(says(refusal(request), "nosuch.q"));
  request = job("alone");
  request.slave_queues = {"all.q"};
  EXPECT_TRUE(says(refusal(request), "-scope slave needs -pe"));
}

TEST_F(GivenAQueueForMasters, WhenAJobOfAReservationHasAScopeThenItCountsInside) {
  ASSERT_EQ(reserve(root, on_pe(window(now.seconds, 1000), "fill", 8)), 1);
  due(1);
  auto request = parallel("fill", 3);
  request.resources = {{"h_rt", "100"}};
  request.reservation = {1}, request.slave_queues = {"big.q"};
  const auto number = submit(root, request);
  pass();
  EXPECT_EQ(place(number), "all.q@h1:1 big.q@h3:2");
}
