// The keys of the file sched_conf: in which order jobs start and nodes are given where params of the
// scheduler say SORT_MODE=plus.
//
//     # who comes first
//     JobSortKey: QueuePriority, ByQueue, OwnersName
//     OwnersOrder: ann, bob
//     NodeSortKey: LowestLoadAverage, NodeName
//
// 1. The first key decides, and ties go to the next.
// 2. Of the keys of jobs at most one is a grouping stage (by_queue, queue_round_robin): those before
//    it order the queues, those behind it the jobs inside a queue.
// 3. A key of owners comes with its list.
//
// Source: spec/plus.md section 6.
#pragma once

#include "core/base/result.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace almanac {

/// In the order of spec/plus.md P6.5.
enum class JobSortKey : std::uint8_t {
  job_priority,
  submit_time,
  least_cpus,
  most_cpus,
  least_nodes,
  most_nodes,
  least_time,
  most_time,
  queue_priority,
  queue_round_robin,
  by_queue,
  owners_name,
  owners_group,
  owners_host
};
inline constexpr bool is_grouping(JobSortKey key) {
  return key == JobSortKey::queue_round_robin || key == JobSortKey::by_queue;
}

enum class NodeSortKey : std::uint8_t { name, lowest_load, longest_idle, largest_memory };

/// Names with their places in a list, from 0 on; a name that stands there twice has its first place.
using OrderList = std::map<std::string, std::int64_t>;

struct SortKeys {
  /// What counts without a file, or where it has no such line (P3.3, P6.31).
  std::vector<JobSortKey> jobs{JobSortKey::queue_priority, JobSortKey::by_queue,
                               JobSortKey::job_priority};
  std::vector<NodeSortKey> nodes{NodeSortKey::name};
  OrderList owners{}, groups{};
  OrderList hosts{}; ///< domains and names of hosts, in small letters, without a dot in front

  bool operator==(const SortKeys&) const = default;
};

/// Reads such a file; an empty text gives the defaults. The error begins with the line: "line 3: …".
Result<SortKeys> parse_sort_keys(std::string_view text);

/// As the file names it.
std::string_view name_of(JobSortKey key);
std::string_view name_of(NodeSortKey key);

} // namespace almanac
