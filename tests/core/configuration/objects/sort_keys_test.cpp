// The file sched_conf (spec/plus.md section 6).
#include "core/configuration/objects/sort_keys.hpp"
#include "core/configuration/objects/site_file.hpp"

#include <gtest/gtest.h>

#include <cctype>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

using namespace almanac;

namespace {

SortKeys read(std::string_view text) {
  const auto keys = parse_sort_keys(text);
  EXPECT_TRUE(keys.ok()) << keys.what();
  return keys ? *keys : SortKeys{};
}
std::string error_of(std::string_view text) {
  const auto keys = parse_sort_keys(text);
  EXPECT_FALSE(keys.ok()) << text;
  return keys ? "" : keys.what();
}

using Jobs = std::vector<JobSortKey>;
using Nodes = std::vector<NodeSortKey>;

} // namespace

// plus.md P3.3, P6.31
TEST(GivenNoSortKeys, WhenTheyAreReadThenTheDefaultsCount) {
  const Jobs defaults{JobSortKey::queue_priority, JobSortKey::by_queue, JobSortKey::job_priority};
  EXPECT_EQ(read("").jobs, defaults);
  EXPECT_EQ(read("").nodes, Nodes{NodeSortKey::name});
  EXPECT_EQ(read("# nothing\n\n  \t\r\n"), SortKeys{});
  EXPECT_EQ(read("NodeSortKey: LongestIdleTime").jobs, defaults);
}

// plus.md P6.1, P6.5
TEST(GivenSortKeysOfJobs, WhenTheyAreReadThenEachIsKnownInAnyCase) {
  for (int number = 0; number < 14; ++number) {
    const auto key = static_cast<JobSortKey>(number);
    const std::string lists = "OwnersOrder: a\nGroupsOrder: b\nHostsOrder: c\n";
    std::string loud(name_of(key));
    for (auto& c : loud) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    for (const auto& word : {std::string(name_of(key)), loud})
      EXPECT_EQ(read(lists + "jobsortkey : " + word + " # so").jobs, Jobs{key}) << word;
  }
  EXPECT_EQ(read("JobSortKey:SubmitTime ,ByQueue,\tJobPriority\r\n").jobs,
            (Jobs{JobSortKey::submit_time, JobSortKey::by_queue, JobSortKey::job_priority}));
}

// plus.md P6.4, P8.5
TEST(GivenSortKeysOfNodes, WhenTheyAreReadThenTheOldMisspellingIsKnown) {
  EXPECT_EQ(read("NodeSortKey: NodeName, LowestLoadAverage, LongestIdleTime, "
                 "LargestPhysicalMemory")
                .nodes,
            (Nodes{NodeSortKey::name, NodeSortKey::lowest_load, NodeSortKey::longest_idle,
                   NodeSortKey::largest_memory}));
  EXPECT_EQ(read("NODESORTKEY: largestphysicalphisicalmemory").nodes,
            Nodes{NodeSortKey::largest_memory});
}

// plus.md P6.6, P8.4
TEST(GivenListsOfOwners, WhenTheyAreReadThenEachNameHasItsFirstPlace) {
  const auto keys = read("OwnersOrder: bob, ann, bob\nGroupsOrder: staff\n"
                         "HostsOrder: .APGrid.org, n1\n");
  EXPECT_EQ(keys.owners, (OrderList{{"bob", 0}, {"ann", 1}}));
  EXPECT_EQ(keys.groups, (OrderList{{"staff", 0}}));
  EXPECT_EQ(keys.hosts, (OrderList{{"apgrid.org", 0}, {"n1", 1}}));
}

// plus.md P6.2, P6.6, P6.37
TEST(GivenAWrongFile, WhenItIsReadThenTheErrorNamesTheLine) {
  EXPECT_EQ(error_of("\n# x\nSortKey: a"), "line 3: \"SortKey\" is not a key of this file");
  EXPECT_EQ(error_of("JobSortKey: JobPriority, Fast"),
            "line 1: \"Fast\" is not a value of JobSortKey");
  EXPECT_EQ(error_of("\nNodeSortKey: JobPriority"),
            "line 2: \"JobPriority\" is not a value of NodeSortKey");
  EXPECT_EQ(error_of("JobSortKey JobPriority"), "line 1: \"JobSortKey JobPriority\" has no colon");
  EXPECT_EQ(error_of("JobSortKey:"), "line 1: JobSortKey lacks a value");
  EXPECT_EQ(error_of("OwnersOrder: a,,b"), "line 1: OwnersOrder lacks a value");
  EXPECT_EQ(error_of("JobSortKey: ByQueue # and\nJOBSORTKEY: ByQueue"),
            "line 2: JobSortKey stands in two lines");
  EXPECT_EQ(error_of("JobSortKey: SubmitTime, submittime"),
            "line 1: SubmitTime stands there twice");
  EXPECT_EQ(error_of("JobSortKey: QueueRoundRobin, ByQueue"),
            "line 1: QueueRoundRobin and ByQueue exclude each other");
  EXPECT_EQ(error_of("#\nJobSortKey: OwnersName\n#"),
            "line 2: OwnersName needs a line OwnersOrder");
  EXPECT_EQ(error_of("OwnersOrder: a\nJobSortKey: OwnersGroup"),
            "line 2: OwnersGroup needs a line GroupsOrder");
  EXPECT_EQ(error_of("JobSortKey: OwnersHost"), "line 1: OwnersHost needs a line HostsOrder");
  EXPECT_EQ(error_of("HostsOrder: a b"), "line 1: \"a b\" is not a host or a domain");
  EXPECT_EQ(error_of("#\n\x01"), "line 2: the text holds a control character");
  EXPECT_EQ(error_of("#\n\xff"), "line 2: the text is not valid UTF-8");
}

TEST(GivenAFileOfTheSite, WhenItCannotBeFollowedThenTheFaultNamesTheFile) {
  EXPECT_FALSE(fault_of("sched_conf", ""));
  EXPECT_FALSE(fault_of("sched_conf", "JobSortKey: SubmitTime\n"));
  EXPECT_EQ(fault_of("sched_conf", "x"), "sched_conf, line 1: \"x\" has no colon");
  EXPECT_EQ(fault_of("reservable.ad", "\xff"), "reservable.ad, the text is not valid UTF-8");
  EXPECT_EQ(fault_of("reservable.ad", unusable_site_file("it is not a plain file")),
            "reservable.ad, it is not a plain file");
  EXPECT_TRUE(fault_of("sched_conf", std::string(largest_site_file + 1, '#')));
  EXPECT_FALSE(fault_of("sched_conf", std::string(largest_site_file, '#')));
  EXPECT_TRUE(is_site_file("sched_conf"));
  EXPECT_TRUE(is_site_file("reservable.ad"));
  EXPECT_FALSE(is_site_file("sge_request"));
}

// The sample of the manual, which share/plus/sched_conf is; also with what stands in remarks there.
TEST(GivenTheSampleOfSortKeys, WhenItIsReadThenItsKeysAreThoseOfTheManual) {
  std::ifstream file(ALMANAC_POLICIES "sched_conf");
  std::stringstream text;
  text << file.rdbuf();
  const auto keys = read(text.str());
  EXPECT_EQ(keys.nodes, (Nodes{NodeSortKey::lowest_load, NodeSortKey::longest_idle}));
  EXPECT_EQ(keys.jobs, (Jobs{JobSortKey::queue_priority, JobSortKey::job_priority}));
  auto lists = text.str();
  for (const std::string list : {"Owners", "Groups", "Hosts"}) {
    const auto at = lists.find("#" + list + "Order");
    ASSERT_NE(at, std::string::npos) << list;
    lists.erase(at, 1);
  }
  EXPECT_EQ(read(lists).owners, (OrderList{{"ann", 0}, {"bob", 1}}));
}
