// The environment of a process that qrsh -inherit starts in a job. It is put together by what runs as
// root, and so knows nothing of the job's records.
#pragma once

#include "core/execution/variables.hpp"

namespace almanac {

/// What was exported with qrsh -inherit (-v, -V) goes over the environment of the job there, but for
/// what the system says; PATH has the host's TMPDIR before it, as that of the job (Grid Engine's
/// exec_job.c).
void export_to_call(std::vector<Attribute>& environment, const std::vector<Attribute>& exported);

/// Whether job_environment() says it in any case, PATH aside: it is not the user's to change.
bool is_said_by_system(std::string_view name);

} // namespace almanac
