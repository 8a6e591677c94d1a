// An input in a few words, for people who look on (almanac-console journal, trace).
#pragma once

#include "core/base/ids.hpp"
#include "core/base/time.hpp"

#include <string>
#include <vector>

namespace almanac {

struct JournaledInput;

struct InputSummary {
  Sequence sequence; ///< of the input in the journal
  Instant at;
  std::string what; ///< "task 7.1 ended with exit status 0"
  /// What it names: "job 7" by key, "reservation 3" by key, "host n1", and as it was typed: "name
  /// x".
  std::vector<std::string> about;
};
template <class V> void describe(V& visit, InputSummary& h) {
  visit("sequence", h.sequence);
  visit("at", h.at);
  visit("what", h.what);
  visit("about", h.about);
}

InputSummary summary_of(const JournaledInput& input);

} // namespace almanac
