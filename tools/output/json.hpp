// What commands print with -json: one object in a line, whose form share/schemas/*.schema.json
// says. Names are in small letters with underscores; times are as XML has them; what is not known
// or not set is left out.
#pragma once

#include "core/base/attribute.hpp"
#include "core/base/time.hpp"

#include <iosfwd>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace almanac {

using Json = nlohmann::ordered_json;

/// Names may hold any bytes: what is no UTF-8 is replaced.
std::string json_text(const Json& value);
void print_json(std::ostream& out, const Json& value);

// Into an object, unless there is nothing to say.
void put_if_set(Json& object, const char* name, const std::string& text);
void put_if_set(Json& object, const char* name, const std::vector<std::string>& texts);
void put_if_set(Json& object, const char* name, const std::vector<Attribute>& pairs); ///< an object
void put_if_set(Json& object, const char* name, Instant time);

/// Millionths as a number.
double as_number(std::int64_t millionths);
/// An empty list is written as one.
template <class List, class Make> Json json_list(const List& list, const Make& make) {
  auto array = Json::array();
  for (const auto& one : list) array.push_back(make(one));
  return array;
}

} // namespace almanac
