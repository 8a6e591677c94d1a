// How many refusals of one taker are written down: the first of each minute, then how many more
// there were. Who is refused ten thousand times a second must not fill a disk.
//
// Takers beyond a number in the same minute share one budget: names cost nothing.
#pragma once

#include "core/base/time.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace almanac {

class RefusalBudget {
public:
  struct Limits {
    std::int64_t lines = 60;  ///< of a taker, in a period
    std::size_t takers = 200; ///< with a budget of their own
    Duration period{60};
  };
  /// What was not written of a taker in a period that is over.
  struct Rest {
    std::string who;
    std::int64_t count = 0;
  };
  static inline const std::string others = "uid=any"; ///< those without a budget of their own

  explicit RefusalBudget(Limits limits) : limits_(limits) {}

  /// Whether this one is written. `now` does not go back.
  bool take(const std::string& who, Instant now);
  /// What is to be written instead, once their periods are over; told once.
  std::vector<Rest> rests(Instant now);

private:
  struct Period {
    Instant since;
    std::int64_t count = 0;
  };
  Period& period_of(const std::string& who, Instant now);

  Limits limits_;
  std::map<std::string, Period> of_; ///< those that were refused lately
};

} // namespace almanac
