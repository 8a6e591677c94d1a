// Parameters of Grid Engine's qmaster_params, execd_params and params that are taken, and have no effect
// here, since what they change is not there (ruling in spec/rulings.md).
#pragma once

#include "core/base/attribute.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace almanac {

/// Whether a parameter of the attribute may have this value: any one where it means nothing here, and
/// the one that says what is done anyway where it would change something. `value` "": a switch that is
/// on by being named.
bool is_idle_param(std::string_view attribute, const std::string& name, const std::string& value);

/// Why some parameters of the attribute have no effect; nothing where all have one.
std::optional<std::string> why_params_unused(const Attribute& attribute);

} // namespace almanac
