// What a load sensor of the site says of its host, or of the whole cell (load_sensor in sge_conf(5),
// spec/objects.md section 7).
#pragma once

#include "core/base/describe.hpp"

#include <cstddef>
#include <string>
#include <string_view>

namespace almanac {

/// How much a host may say: what is beyond that is dropped on the host, and ends its session here.
inline constexpr std::size_t most_load_values = 200, longest_load_name = 128,
                             longest_load_value = 256;

struct LoadValue {
  std::string name;  ///< of a complex, or its shortcut
  std::string value; ///< as it was printed
  /// In a report: "" for the host that reports, "global" for the cell. Of the cell: who reported it.
  std::string host;
  bool operator==(const LoadValue&) const = default;
};
template <class V> void describe(V& visit, LoadValue& v) {
  visit("name", v.name);
  visit("value", v.value);
  visit("host", v.host);
}

inline constexpr const char* whole_cell = "global";

/// A value that changes a little all the time is not worth an input each time: of a number the first
/// four digits are kept, the others are 0. What is no number, with a unit of one letter or without,
/// stays as it is.
std::string quantised_value(const std::string& value);

} // namespace almanac
