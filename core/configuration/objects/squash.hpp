// Users whom the cell takes for nobody when an execution host's agent says that they ask.
//
// Who is root on a host can say there that any user asks. What a host is not trusted with, its
// attribute `squash` takes from it: NONE, ALL, or uids and ranges of them ("0,1000-1999").
#pragma once

#include "core/base/result.hpp"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace almanac {

class Squash {
public:
  static Result<Squash> parse(const std::string& text);
  bool includes(std::int64_t uid) const;

private:
  std::vector<std::pair<std::int64_t, std::int64_t>> uids_; ///< ranges with both ends
};

} // namespace almanac
