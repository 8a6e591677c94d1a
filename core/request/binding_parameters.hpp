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
/// A JSV can drop a binding, by its strategy; the parts of one it can't change.
Outcome change_binding(JobRequest& request, std::string_view name, const std::string& value);

} // namespace almanac
