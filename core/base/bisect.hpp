// The largest number for which something holds that holds for all smaller ones.
#pragma once

#include <cstdint>

namespace almanac {

/// Between `fitting` and `too_many`, for which that is known; `fitting` if there is none. The last
/// call of `fits` that said true was for the number found.
template <class Fits>
std::int64_t bisect(std::int64_t fitting, std::int64_t too_many, const Fits& fits) {
  while (too_many - fitting > 1) {
    const auto middle = fitting + (too_many - fitting) / 2;
    (fits(middle) ? fitting : too_many) = middle;
  }
  return fitting;
}

} // namespace almanac
