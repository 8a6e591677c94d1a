// The switches of qstat and qselect that select queue instances (spec/cli.md C6.8, C6.9, C7.11).
#pragma once

#include "core/request/instance_selection.hpp"
#include "tools/commands/context.hpp"

#include <vector>

namespace almanac {

/// -l, -pe, -q, -qs and -U.
const std::vector<OptionRule>& instance_option_rules();

/// What they say together; one that is given again adds to what it said. The error names the option.
Result<InstanceSelection> instance_selection(const Context& context, const GivenOptions& given);

/// Resource requests of all options of this name.
Result<std::vector<Attribute>> resource_requests(const GivenOptions& given,
                                                 const std::string& name);

} // namespace almanac
