// The load formula and the load adjustments of the scheduler configuration (spec/scheduling.md
// sections 8.1 and 8.2).
#pragma once

#include "core/base/result.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace almanac {

/// A value of a host times a factor; without a name the factor alone.
struct LoadTerm {
  std::string name;
  std::int64_t factor = 1'000'000; ///< millionths; negative where the term is taken away
};

/// Terms joined by + and -, without blanks: number, name, $name, name*number, $name*number.
Result<std::vector<LoadTerm>> parse_load_formula(std::string_view text);

} // namespace almanac
