// What a resource quota set may be called (spec/quotas.md, sections 2 and 5).
#pragma once

#include "core/base/result.hpp"

#include <string_view>

namespace almanac {

Outcome check_quota_set_name(std::string_view name);

} // namespace almanac
