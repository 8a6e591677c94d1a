// Queue instances with their jobs: the text of qstat -f (spec/cli.md section 6.2).
#pragma once

#include "tools/output/cluster_list.hpp"
#include "tools/output/job_table.hpp"

#include <iosfwd>
#include <string>
#include <vector>

namespace almanac {

/// What is shown of each instance.
struct InstanceDetail {
  bool resources = false;         ///< -F
  std::vector<std::string> named; ///< only these; empty: all
  std::string reasons;            ///< -explain: letters of a, A, c and E
  std::string load = "load_avg";  ///< the value in the column of load (SGE_QSTAT_LOAD_AVG)
  bool hide_empty = false;        ///< -ne: without instances on which nothing runs
};

/// Why the instance is in the states that are asked about, a line each.
std::vector<std::string> reasons_of(const door::InstanceView& instance, const std::string& letters);
/// The letters of -explain, and that of a drain for which somebody gave a reason: that is to be seen.
std::string explained_states(const InstanceDetail& detail, const door::InstanceView& instance);
/// The load of its host, or another value of that name; "-NA-" where it is not known.
std::string load_of(const ClusterList& cluster, const door::InstanceView& instance,
                    const std::string& name);

void print_instances(std::ostream& out, const ClusterList& cluster, const std::vector<JobRow>& rows,
                     const InstanceDetail& detail, const JobColumns& columns);

} // namespace almanac
