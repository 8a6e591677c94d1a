#include "core/text/xml.hpp"

#include "core/text/names.hpp"

#include <algorithm>

namespace almanac {

namespace {

bool is_special(char c) { return c == '&' || c == '<' || c == '>' || c == '\'' || c == '"'; }

void add_text(std::string& to, std::string_view text) {
  if (is_plain(text) && std::none_of(text.begin(), text.end(), is_special)) to += text;
  else to += xml_text(text);
}

// <name key="value", without its end.
void begin(std::string& to, std::string_view name, const std::vector<Attribute>& attributes,
           char quote) {
  to += '<', to += name;
  for (const auto& [key, value] : attributes) {
    to += ' ', to += key, to += '=', to += quote;
    add_text(to, value);
    to += quote;
  }
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
  std::string element;
  begin(element, name, attributes, quote);
  return element += "/>";
}
std::string xml_element(std::string_view name, const std::vector<Attribute>& attributes,
                        std::string_view text, char quote) {
  std::string element;
  element.reserve(2 * name.size() + text.size() + 5);
  begin(element, name, attributes, quote);
  element += '>';
  add_text(element, text);
  element += "</", element += name, element += '>';
  return element;
}

} // namespace almanac
