#include "core/configuration/objects/host_group.hpp"

#include "core/configuration/objects/lists.hpp"

namespace almanac {

std::vector<std::string> parse_host_group(const ConfigurationObject& object) {
  return parse_name_list(*object.find("hostlist"));
}

Kind host_group_kind() {
  return {"host group entry",
          "group_name",
          {{"hostlist", "NONE"}},
          [](const ConfigurationObject&, const ComplexTable&) -> Outcome { return Done{}; }};
}

} // namespace almanac
