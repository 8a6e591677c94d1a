// The place of a waiting job among all: the lowest comes first.
//
// Usually one number, the negated priority. By the keys of sched_conf it is a value for each key; ranks
// of both kinds do not stand beside each other for longer than until the next sweep.
#pragma once

#include <compare>
#include <cstdint>
#include <limits>
#include <vector>

namespace almanac {

struct JobRank {
  std::int64_t first = 0;
  std::vector<std::int64_t> rest{}; ///< they decide one after the other where the first is equal

  static JobRank lowest() { return {std::numeric_limits<std::int64_t>::min(), {}}; }
  auto operator<=>(const JobRank&) const = default;
};

} // namespace almanac
