// Jobs and queue instances as qstat -json has them (share/schemas/qstat.schema.json), and the parts
// that qhost -json shows, too.
#pragma once

#include "tools/output/instance_list.hpp"
#include "tools/output/json.hpp"

#include <iosfwd>
#include <vector>

namespace almanac {

/// A row of the list, with all that is known of the job; what it asks for only with -r.
Json json_of(const JobRow& row);
Json json_of(const door::ResourceView& resource);
Json json_of(const Grant& grant);
Json json_of(const TaskUsage& usage);

void print_jobs_json(std::ostream& out, const std::vector<JobRow>& rows);
/// Each instance with the jobs on it; below them those that wait or are over.
void print_instances_json(std::ostream& out, const ClusterList& cluster,
                          const std::vector<JobRow>& rows, const InstanceDetail& detail);

} // namespace almanac
