// What a JSV is told of the cores that a job asks to be bound to: binding_* (submit(1) of Grid Engine
// 8.1.9, -binding).
#pragma once

#include "core/base/attribute.hpp"
#include "core/job/job_request.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace almanac {

/// Those that apply; none without a binding.
std::vector<Attribute> binding_parameters(const JobRequest& request);
bool is_binding_parameter(std::string_view name);
/// Whether there is such a parameter, and it can have the value; "": it is deleted.
Outcome valid_binding_parameter(std::string_view name, const std::string& value);
/// Takes together what a JSV says of them, all valid by themselves, in any order; other parameters
/// are let pass. Without a strategy there is no binding.
Outcome change_binding(JobRequest& request, const std::vector<Attribute>& changes);

} // namespace almanac
