// A name and its value: of objects, requests and environments.
#pragma once

#include "core/base/describe.hpp"

#include <string>

namespace almanac {

struct Attribute {
  std::string name;
  std::string value;
  bool operator==(const Attribute&) const = default;
};
template <class V> void describe(V& visit, Attribute& attribute) {
  visit("name", attribute.name);
  visit("value", attribute.value);
}

} // namespace almanac
