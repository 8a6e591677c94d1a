#include "tools/output/json.hpp"

#include "tools/output/local_time.hpp"

#include <ostream>

namespace almanac {

std::string json_text(const Json& value) {
  return value.dump(-1, ' ', false, Json::error_handler_t::replace);
}

void print_json(std::ostream& out, const Json& value) { out << json_text(value) << "\n"; }

void put_if_set(Json& object, const char* name, const std::string& text) {
  if (!text.empty()) object[name] = text;
}

void put_if_set(Json& object, const char* name, const std::vector<std::string>& texts) {
  if (!texts.empty()) object[name] = texts;
}

void put_if_set(Json& object, const char* name, const std::vector<Attribute>& pairs) {
  if (pairs.empty()) return;
  auto inside = Json::object();
  for (const auto& [key, value] : pairs) inside[key] = value;
  object[name] = std::move(inside);
}

void put_if_set(Json& object, const char* name, Instant time) {
  if (time.seconds > 0) object[name] = print_iso_time(time);
}

double as_number(std::int64_t millionths) { return static_cast<double>(millionths) / 1e6; }

} // namespace almanac
