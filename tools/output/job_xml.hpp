// Lists of jobs and of queue instances as XML (spec/cli.md section 6.6, client contract C8 and C9;
// share/schemas/qstat.xsd).
//
// The root job_info always has queue_info, with what runs, and job_info, with what waits.
#pragma once

#include "tools/output/instance_list.hpp"
#include "tools/output/job_table.hpp"

#include <iosfwd>
#include <vector>

namespace almanac {

void print_jobs_xml(std::ostream& out, const std::vector<JobRow>& rows, const JobColumns& columns);

/// -f and -F: in queue_info an element for each instance, with its jobs.
void print_instances_xml(std::ostream& out, const ClusterList& cluster,
                         const std::vector<JobRow>& rows, const InstanceDetail& detail,
                         const JobColumns& columns);

} // namespace almanac
