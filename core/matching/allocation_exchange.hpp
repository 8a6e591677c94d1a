// How often to take of what may be taken, where limits overlap and the first in order leave too little
// to the others.
//
// 1. All that fits is taken in order first; then what is in the way is given back, and more is taken
//    elsewhere, with as few exchanges as possible.
// 2. Where each choice draws on two limits at the most that can be met, the number is the largest (a
//    flow along augmenting paths), and so it is in small cases; beyond, it is the best that is found
//    with bounded work.
// 3. The result never draws more on a limit than there is.
//
// Source: spec/quotas.md Q4.24: the sum over the instances must reach the range.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace almanac {

/// What one can take.
struct Choice {
  std::int64_t most = 0; ///< so often
  std::vector<std::pair<std::uint32_t, std::int64_t>>
      draws; ///< each time: the limit, each one once, and how much of it
  bool can_be_master = true;
};

struct Choices {
  std::vector<std::int64_t> limits; ///< what is left of each
  std::vector<Choice> choices;      ///< in the order of preference
};

/// How often each is taken, to reach so many times in all or as many as can be; one of those that can
/// be the master's is among them. Nothing where that never is more than what is taken in order, the
/// master's first: no limits overlap, or each one is within the other. Nothing if none fits.
std::optional<std::vector<std::int64_t>> exchange(Choices choices, std::int64_t wanted);

} // namespace almanac
