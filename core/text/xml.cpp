#include "core/text/xml.hpp"

#include "core/text/names.hpp"

namespace almanac {

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

} // namespace almanac
