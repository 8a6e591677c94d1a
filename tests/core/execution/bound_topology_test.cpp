// What is in use of a host's cores, in letters (docs/spec/cli.md C3.51).
#include "core/execution/bound_topology.hpp"

#include "core/text/topology.hpp"

#include <gtest/gtest.h>

using namespace almanac;

TEST(GivenCoresOfAHost, WhenTheyAreWrittenThenThreadsHaveLettersWhereACoreHasSeveral) {
  EXPECT_EQ(topology_of({}), "");
  EXPECT_EQ(topology_of({{{0, 0}, {0}}, {{0, 1}, {1}}, {{1, 0}, {2}}}), "SCCSC");
  EXPECT_EQ(topology_of({{{0, 0}, {0, 4}}, {{0, 1}, {1}}}), "SCTTC");
}

TEST(GivenAMachineOfTooManyCores, WhenItIsWrittenThenItDoesNotTellOfThem) {
  std::vector<HostCore> cores;
  for (std::int64_t i = 0; i < static_cast<std::int64_t>(longest_topology); ++i)
    cores.push_back({{0, i}, {i}});
  EXPECT_EQ(topology_of(cores), "");
  cores.pop_back();
  EXPECT_EQ(topology_of(cores).size(), longest_topology);
}

TEST(GivenATopology, WhenCoresAreInUseThenTheyAndTheirThreadsHaveSmallLetters) {
  EXPECT_EQ(topology_in_use("SCTTCTT", {{0, 1}}), "SCTTctt");
  EXPECT_EQ(topology_in_use("SCCSCC", {{1, 0}, {0, 0}, {1, 0}}), "ScCScC") << "in any order";
  EXPECT_EQ(topology_in_use("SCCSCC", {}), "SCCSCC");
  EXPECT_EQ(topology_in_use("SCC", {{0, 2}, {7, 0}}), "SCC") << "there are none such";
  EXPECT_EQ(topology_in_use("", {{0, 0}}), "");
}
