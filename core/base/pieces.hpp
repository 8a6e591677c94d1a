// A time cut into pieces.
#pragma once

#include "core/base/time.hpp"

#include <iterator>
#include <set>

namespace almanac {

/// Takes the windows between the moments, of which there are at least two.
template <class Take> void each_piece(const std::set<Instant>& moments, Take take) {
  for (auto from = moments.begin(), to = std::next(from); to != moments.end(); ++from, ++to)
    take(Window{*from, *to});
}

} // namespace almanac
