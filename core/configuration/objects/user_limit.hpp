// A limit that may be another one for some users: "10,[ann=20],[@staff=INFINITY]" (spec/beyond.md
// section 10).
#pragma once

#include "core/base/result.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace almanac {

struct UserLimit {
  struct Exception {
    std::string of; ///< a user, or "@list" for who is in a userset
    std::optional<std::int64_t> most;
  };

  std::optional<std::int64_t> most;  ///< nothing: no limit
  std::vector<Exception> exceptions; ///< in their order, nobody twice

  /// "N|INFINITY[,[user=N],[@list=N],…]", each N at most `highest`.
  static Result<UserLimit> parse(std::string_view text, std::int64_t highest);
  std::vector<std::string> lists() const; ///< the usersets that it names, without the '@'
};

} // namespace almanac
