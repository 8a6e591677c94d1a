// Why an instance that qmod -d has disabled takes no new jobs, by whom, since when and until when
// (ours: Grid Engine keeps none of it).
#pragma once

#include "core/base/describe.hpp"
#include "core/base/time.hpp"

#include <string>

namespace almanac {

struct Drain {
  std::string why; ///< in the words of who disabled it; "": none were given
  std::string by;  ///< a user; "": it was disabled by a configuration, or by a version before this
  Instant since;   ///< 0: not known, as `by`
  Instant until;   ///< it is enabled again then; 0: by hand only

  /// Whether somebody said more than that it is disabled.
  bool is_explained() const { return !why.empty() || until.seconds != 0; }
};
template <class V> void describe(V& visit, Drain& d) {
  visit("why", d.why);
  visit("by", d.by);
  visit("since", d.since);
  visit("until", d.until);
}

} // namespace almanac
