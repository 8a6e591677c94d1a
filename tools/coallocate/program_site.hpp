// A site that is reached by a program: gmeta -i, or ssh to a host that has it.
#pragma once

#include "tools/coallocate/plan_file.hpp"
#include "tools/coallocate/site_way.hpp"

namespace almanac {

/// Starts the program, which is looked for in PATH where its name has no slash. Its standard error
/// is that of this process. It is killed with all that it has started when the way ends.
Result<std::unique_ptr<SiteWay>> open_program_site(const SitePlace& place);

} // namespace almanac
