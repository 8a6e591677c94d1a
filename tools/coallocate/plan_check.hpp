// What is looked at before a plan is begun, and not again where it is taken up after a crash: what an
// earlier version has begun, or with files that have gone since, is finished nevertheless.
#pragma once

#include "tools/coallocate/plan_file.hpp"

namespace almanac {

/// Whether the sites' grammar takes its resources and tokens (docs/spec/metascheduler.md section 3),
/// its files can be read, and its times are long enough. The error names the setting.
Outcome check_plan(const PlanFile& file);

} // namespace almanac
