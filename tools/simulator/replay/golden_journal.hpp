// A journal that a master wrote once, kept in a file. The rules of today decide its inputs again: a
// change that is not meant to change them starts every task when and where it was started then.
//
// The file holds the first checkpoint and all inputs, compressed. Versions of the rules are not
// asked: the same starts are expected of each.
#pragma once

#include "actors/ports/journal.hpp"
#include "core/base/result.hpp"

#include <cstdint>
#include <iosfwd>
#include <string>

namespace almanac {

Outcome save_journal(const Journal& journal, const std::string& path);

struct GoldenRun {
  std::int64_t inputs = 0, starts = 0;
  std::uint64_t digest = 0; ///< of the last state; not the same for another format of the store
};
/// Writes a line for each start: job, task, attempt, time in seconds, grants.
Result<GoldenRun> decide_again(const std::string& path, std::ostream& starts);

} // namespace almanac
