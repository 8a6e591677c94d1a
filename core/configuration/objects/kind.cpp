#include "core/configuration/objects/kind.hpp"

#include "core/configuration/objects/calendar.hpp"
#include "core/configuration/objects/cluster_queue.hpp"
#include "core/configuration/objects/complex.hpp"
#include "core/configuration/objects/exec_host.hpp"
#include "core/configuration/objects/global_configuration.hpp"
#include "core/configuration/objects/host_group.hpp"
#include "core/configuration/objects/host_set.hpp"
#include "core/configuration/objects/parallel_environment.hpp"
#include "core/configuration/objects/project.hpp"
#include "core/configuration/objects/quota_set.hpp"
#include "core/configuration/objects/scheduler_configuration.hpp"
#include "core/configuration/objects/user.hpp"
#include "core/configuration/objects/userset.hpp"
#include "core/text/words.hpp"

#include <array>

namespace almanac {

// In the order of ObjectKind.
const Kind& kind_of(ObjectKind kind) {
  static const std::array<Kind, static_cast<std::size_t>(last_of<ObjectKind>) + 1> kinds{
      cluster_queue_kind(),
      exec_host_kind(),
      host_group_kind(),
      parallel_environment_kind(),
      complex_kind(),
      userset_kind(),
      user_list_kind("manager"),
      user_list_kind("operator"),
      global_configuration_kind(),
      scheduler_configuration_kind(),
      orphan_kind(),
      calendar_kind(),
      project_kind(),
      user_kind(),
      host_set_kind("administrative host"),
      host_set_kind("submit host"),
      quota_set_kind()};
  return kinds.at(static_cast<std::size_t>(kind));
}

Outcome check_new_values(const ConfigurationObject& object, const ComplexTable& complexes) {
  return kind_of(object.kind).check(object, complexes);
}

Error in_attribute(std::string_view name, const std::string& why) {
  return {"attribute \"" + std::string(name) + "\": " + why};
}

Outcome GivenAttribute::only_fallback() const {
  if (equal_ignoring_case(text, fallback)) return Done{};
  return Error{"\"" + text + "\" is not built yet, only " + std::string(fallback)};
}

} // namespace almanac
