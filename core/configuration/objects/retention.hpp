// How long records of what is over are kept (guide/admin.md, *Settings*).
#pragma once

#include "core/base/time.hpp"

#include <cstdint>

namespace almanac {

/// 0: without limit. The oldest go first.
struct Retention {
  Duration age;
  std::int64_t megabytes = 0;

  /// Whether a record of this time is kept, if it and all later ones are that long.
  bool keeps(Instant of, std::int64_t bytes, Instant now) const {
    return (age.seconds == 0 || of + age > now) && (megabytes == 0 || bytes <= megabytes << 20);
  }
  bool operator==(const Retention&) const = default;
};

struct Retentions {
  Retention accounting{{400 * 24 * 3600}}; ///< in the store; the file is never cut
  /// What the reporting file is told, in the store: until it is written, and for a copy of the cell
  /// that has no such file. Of a busy cell it is much more than accounting.
  Retention reports{{7 * 24 * 3600}, 1024};
  Retention inputs{{7 * 24 * 3600}};         ///< and at least those since the last checkpoint
  Retention schedule{{7 * 24 * 3600}, 1024}; ///< pieces of the schedule trace
  bool operator==(const Retentions&) const = default;
};

} // namespace almanac
