#include "core/configuration/objects/kind.hpp"

#include "core/configuration/objects/calendar.hpp"
#include "core/configuration/objects/checkpoint.hpp"
#include "core/configuration/objects/cluster_queue.hpp"
#include "core/configuration/objects/complex.hpp"
#include "core/configuration/objects/exec_host.hpp"
#include "core/configuration/objects/global_configuration.hpp"
#include "core/configuration/objects/host_group.hpp"
#include "core/configuration/objects/host_set.hpp"
#include "core/configuration/objects/local_configuration.hpp"
#include "core/configuration/objects/parallel_environment.hpp"
#include "core/configuration/objects/project.hpp"
#include "core/configuration/objects/quota_set.hpp"
#include "core/configuration/objects/scheduler_configuration.hpp"
#include "core/configuration/objects/user.hpp"
#include "core/configuration/objects/userset.hpp"
#include "core/text/words.hpp"

#include <algorithm>
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
      quota_set_kind(),
      checkpoint_kind(),
      local_configuration_kind()};
  return kinds.at(static_cast<std::size_t>(kind));
}

std::optional<ObjectKind> kind_called(std::string_view switch_word) {
  if (switch_word.empty()) return std::nullopt;
  if (switch_word == "rqs") return ObjectKind::quota_set; // quotas Q5.21
  for (int i = 0; i <= static_cast<int>(last_of<ObjectKind>); ++i)
    if (const auto kind = static_cast<ObjectKind>(i); kind_of(kind).switch_word == switch_word)
      return kind;
  return std::nullopt;
}

std::optional<ValueShape> shape_of(ObjectKind kind, std::string_view attribute) {
  const auto& defaults = kind_of(kind).defaults;
  const auto found = std::find_if(defaults.begin(), defaults.end(),
                                  [&](const Attribute& one) { return one.name == attribute; });
  if (found == defaults.end()) return std::nullopt;
  return kind_of(kind).shapes.at(static_cast<std::size_t>(found - defaults.begin()));
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
