#include "core/configuration/objects/overridable_value.hpp"

#include "core/text/words.hpp"

#include <set>

namespace almanac {

Result<OverridableValue> OverridableValue::parse(std::string_view text) {
  if (trim(text).starts_with('['))
    return Error{"\"" + std::string(text) + "\": an override follows a comma"};
  auto value = parse_some(text);
  if (value && value->fallback.empty())
    return Error{"\"" + std::string(text) + "\" has no default value"};
  return value;
}

Result<OverridableValue> OverridableValue::parse_some(std::string_view text) {
  OverridableValue value;
  const auto open = text.find('[');
  auto fallback = trim(text.substr(0, open));
  if (open != std::string_view::npos && !fallback.empty()) {
    if (!fallback.ends_with(','))
      return Error{"\"" + std::string(text) + "\": an override follows a comma"};
    fallback = trim(fallback.substr(0, fallback.size() - 1));
  }
  value.fallback = fallback;
  std::set<std::string> seen;
  auto rest = open == std::string_view::npos ? std::string_view() : text.substr(open);
  while (!rest.empty()) {
    const auto close = rest.find(']');
    if (!rest.starts_with('[') || close == std::string_view::npos)
      return Error{"\"" + std::string(text) + "\": an override is written [host=value]"};
    const auto inside = rest.substr(1, close - 1);
    const auto equals = inside.find('=');
    if (equals == std::string_view::npos || equals == 0)
      return Error{"\"" + std::string(text) + "\": an override is written [host=value]"};
    const auto target = std::string(trim(inside.substr(0, equals)));
    if (!seen.insert(target).second) return Error{"\"" + target + "\" is overridden twice"};
    value.overrides.push_back({target, std::string(trim(inside.substr(equals + 1)))});
    rest = trim(rest.substr(close + 1));
    if (rest.empty()) break;
    if (!rest.starts_with(','))
      return Error{"\"" + std::string(text) + "\": a comma is expected between overrides"};
    rest = trim(rest.substr(1));
  }
  return value;
}

std::string OverridableValue::print() const {
  auto text = fallback;
  for (const auto& [target, value] : overrides) text += ",[" + target + "=" + value + "]";
  return text;
}

} // namespace almanac
