// Co-allocations between simulated cells while lines are lost and everybody is killed, each from a
// seed (docs/spec/metascheduler.md section 5, M11.4, M11.5).
#pragma once

#include "core/base/result.hpp"

#include <cstdint>
#include <functional>
#include <map>
#include <string>

namespace almanac {

/// What has happened in one, or in several.
struct CoallocationCount {
  std::map<std::string, std::int64_t> ends; ///< "all", "none", "mixed", "stopped"
  std::int64_t sites = 0, lines = 0;
  std::int64_t site_kills = 0, own_kills = 0; ///< of masters, of the coordinator
  std::int64_t late = 0;        ///< decisions that were taken up after more than an hour
  std::int64_t holds = 0;       ///< that were granted
  std::int64_t without_key = 0; ///< committed sites of which no key was told
  std::int64_t virtual_seconds = 0;
  std::uint64_t trace = 0; ///< equal seeds give equal traces

  void add(const CoallocationCount& other);
};

/// What has not happened in this many trials, though chance makes it all but sure; empty: all has,
/// or they are too few to say.
std::string never_seen(const CoallocationCount& sum, std::uint64_t trials);

/// Told of what happens: in milliseconds after the beginning, to whom, and what.
using OnCoallocationEvent =
    std::function<void(std::int64_t ms, const std::string& who, const std::string& what)>;

/// The error says what is wrong with how it went.
Result<CoallocationCount> coallocate(std::uint64_t seed, const OnCoallocationEvent& on_event = {});

} // namespace almanac
