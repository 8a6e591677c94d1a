// Sockets, cores and threads of a machine in letters (docs/spec/objects.md O2.17).
#include "core/text/topology.hpp"

#include <gtest/gtest.h>

using namespace almanac;

namespace {

std::string counts(const std::string& topology) {
  std::string text;
  for (const char* name : {"m_socket", "m_core", "m_thread"})
    text += topology_value(topology, name).value_or("-") + " ";
  return text;
}

} // namespace

TEST(GivenATopology, WhenItIsCountedThenACoreWithoutThreadsHasOne) {
  EXPECT_EQ(counts("SCC"), "1 2 2 ");
  EXPECT_EQ(counts("SCTTCTTSCTTCTT"), "2 4 8 ");
  EXPECT_EQ(counts("SCTTC"), "1 2 3 ") << "cores of two kinds";
  EXPECT_EQ(counts("ScttCTT"), "1 2 4 ") << "also with cores in use";
  EXPECT_EQ(topology_value("SCC", "m_topology"), "SCC");
}

TEST(GivenAnUnknownTopologyOrName, WhenItIsAskedForThenThereIsNothing) {
  EXPECT_EQ(counts(""), "- - - ");
  EXPECT_FALSE(topology_value("", "m_topology"));
  EXPECT_FALSE(topology_value("SCC", "num_proc"));
  EXPECT_FALSE(topology_count("SCC", "m_topology"));
}

TEST(GivenWhatAHostSays, WhenItIsNoTopologyThenItIsSeen) {
  for (const char* sound : {"", "S", "SC", "SCTTcttSC", "SS"})
    EXPECT_TRUE(is_topology(sound)) << sound;
  for (const char* wrong : {"C", "T", "ST", "SCX", "S C", "SC\n", "SCC;rm"})
    EXPECT_FALSE(is_topology(wrong)) << wrong;
  EXPECT_TRUE(is_topology("S" + std::string(longest_topology - 1, 'C')));
  EXPECT_FALSE(is_topology("S" + std::string(longest_topology, 'C')));
}
