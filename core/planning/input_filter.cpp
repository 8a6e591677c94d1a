#include "core/planning/input_filter.hpp"

#include "core/planning/input_summary.hpp"

#include <algorithm>

namespace almanac {

bool wants(const InputFilter& filter, const InputSummary& input) {
  const auto& wanted = filter.about;
  return wanted.empty() || std::find_first_of(input.about.begin(), input.about.end(),
                                              wanted.begin(), wanted.end()) != input.about.end();
}

} // namespace almanac
