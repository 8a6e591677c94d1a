// A line of the metascheduler's interface and its answer (spec/metascheduler.md sections 2 to 4 and 8).
// Both ways to reach a cell from outside, gmeta and the port, answer with it.
#pragma once

#include "tools/commands/context.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace almanac {

struct SiteReply {
  std::vector<std::string> lines; ///< without line breaks
  std::int64_t status = 0;        ///< of the first line

  /// M3.49: 0 to 125.
  int exit_code() const;
};

/// The line ends with its last character or a line break. Whatever it is, there is a reply.
SiteReply exchange(Context& context, std::string_view line);

} // namespace almanac
