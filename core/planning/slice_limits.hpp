// How much is done before other inputs get their turn.
#pragma once

namespace almanac::rules {

/// A slice of a pass or of a question ends after so much work.
struct SliceLimits {
  int starts = 256;
  int looks = 300;       ///< of a pass, at classes and holders
  int instances = 3'000; ///< of a question; each counts whenever it is looked at again
};

} // namespace almanac::rules
