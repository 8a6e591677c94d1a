// An option of qconf that has a file of its own.
#pragma once

namespace almanac {

struct QconfVerb {
  const char* option;
  int values; ///< as of OptionRule
  const char* help;
};

} // namespace almanac
