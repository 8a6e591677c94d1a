#include "tools/commands/object_file.hpp"

#include "core/configuration/objects/folded_text.hpp"
#include "core/configuration/spooled_cell.hpp"
#include "core/text/words.hpp"
#include "tools/commands/host_reports.hpp"

namespace almanac {

Result<ConfigurationObject> read_object(ObjectKind kind, const std::string& text) {
  ConfigurationObject object;
  object.kind = kind;
  auto attributes =
      kind == ObjectKind::complex ? parse_complex_table(text) : parse_attribute_file(text);
  if (!attributes) return attributes.error();
  object.attributes = *attributes;
  std::erase_if(object.attributes, [&](const Attribute& one) {
    return is_only_shown(kind, one.name) || is_spooled_only(kind, one.name);
  });
  for (auto& [attribute, value] : object.attributes) value = unfolded_value(kind, attribute, value);
  if (const auto key = name_attribute(kind); !key.empty()) {
    const auto* name = object.find(key);
    if (!name) return Error{"attribute \"" + std::string(key) + "\" is missing"};
    object.name = *name;
  }
  return object;
}

bool is_called(const ConfigurationObject& object, const std::string& name) {
  return object.name == name ||
         (object.kind == ObjectKind::exec_host && equal_ignoring_case(object.name, name));
}

} // namespace almanac
