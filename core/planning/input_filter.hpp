// Which inputs somebody who looks on wants to see (almanac-console trace).
#pragma once

#include <string>
#include <vector>

namespace almanac {

struct InputSummary;

/// Those that name one of these, in the words of InputSummary::about; all, if there are none.
struct InputFilter {
  std::vector<std::string> about;
};
template <class V> void describe(V& visit, InputFilter& f) { visit("about", f.about); }

bool wants(const InputFilter& filter, const InputSummary& input);

} // namespace almanac
