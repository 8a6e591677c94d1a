#include "core/text/xml.hpp"

#include "core/text/names.hpp"

namespace almanac {

namespace {

// <name key="value", without its end.
std::string begun(std::string_view name, const std::vector<Attribute>& attributes, char quote) {
  std::string text = "<" + std::string(name);
  for (const auto& [key, value] : attributes)
    text += " " + key + "=" + quote + xml_text(value) + quote;
  return text;
}

} // namespace

std::string xml_text(std::string_view text) {
  std::string escaped;
  for (const char c : printable(text)) switch (c) {
    case '&': escaped += "&amp;"; break;
    case '<': escaped += "&lt;"; break;
    case '>': escaped += "&gt;"; break;
    case '\'': escaped += "&apos;"; break;
    case '"': escaped += "&quot;"; break;
    default: escaped += c;
    }
  return escaped;
}

std::string xml_element(std::string_view name, std::string_view text) {
  return xml_element(name, {}, text);
}
std::string xml_element(std::string_view name, const std::vector<Attribute>& attributes,
                        char quote) {
  return begun(name, attributes, quote) + "/>";
}
std::string xml_element(std::string_view name, const std::vector<Attribute>& attributes,
                        std::string_view text, char quote) {
  return begun(name, attributes, quote) + ">" + xml_text(text) + "</" + std::string(name) + ">";
}

} // namespace almanac
