// Calendars; what their hours mean is in core/configuration/opening_hours.hpp (spec/objects.md
// section 5).
#pragma once

#include "core/configuration/objects/kind.hpp"

namespace almanac {

Kind calendar_kind();

} // namespace almanac
