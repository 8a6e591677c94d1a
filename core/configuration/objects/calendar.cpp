#include "core/configuration/objects/calendar.hpp"

namespace almanac {

Kind calendar_kind() {
  return {"calendar",
          "calendar_name",
          {{"year", "NONE"}, {"week", "NONE"}},
          [](const ConfigurationObject&, const ComplexTable&) -> Outcome { return Done{}; }};
}

} // namespace almanac
