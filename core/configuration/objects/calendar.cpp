#include "core/configuration/objects/calendar.hpp"

namespace almanac {

Kind calendar_kind() {
  return {"calendar",
          "calendar_name",
          "calendar",
          {{"year", "NONE"}, {"week", "NONE"}},
          {ValueShape::single, ValueShape::single},
          [](const ConfigurationObject&, const ComplexTable&) -> Outcome { return Done{}; }};
}

} // namespace almanac
