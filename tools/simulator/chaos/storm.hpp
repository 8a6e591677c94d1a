// A random history from a seed: users at work while machines die and the network loses packets.
//
// First safety under faults, then all is healed and progress is required: every acknowledged job
// has ended, was started once per attempt on a host, and is accounted; the journal replays.
#pragma once

#include "core/base/result.hpp"

#include <cstdint>
#include <string>

namespace almanac {

struct StormResult {
  std::uint64_t trace = 0; ///< equal seeds give equal traces
  std::int64_t jobs = 0, reservations = 0, faults = 0;
};

/// The error says what was broken; the same seed breaks it again. The master's journal is kept in
/// the file `journal`; "": it is not.
struct StormOptions {
  std::string journal{}; ///< a file that keeps it; "": none
  bool changes = true;   ///< reservations are changed in two phases
};

Result<StormResult> storm(std::uint64_t seed, int steps, const StormOptions& options = {});

} // namespace almanac
