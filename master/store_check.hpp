// Whether a store is sound: almanac-admin check. It reads all that is there, as a master at its start
// does and more, and writes nothing.
//
// 1. The engine's checksums are right.
// 2. Each record can be read, is valid by itself, and lies under its own key; what refers to another
//    one (scripts of jobs, the index of accounting) finds it.
// 3. A planner can be made from the records, and its counters are beyond all that was given.
// 4. The journaled inputs, decided again, come to the same records, and the books that were carried on
//    from one to the next are those that are made from the records anew.
#pragma once

#include "actors/ports/archive.hpp"
#include "master/rocks_journal.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace almanac {

struct StoreCheck {
  static constexpr std::size_t most_faults = 1'000;

  std::vector<std::string> faults; ///< sentences, at most so many
  std::vector<std::string> notes;  ///< what could not be looked at, and is no fault
  std::size_t left_out = 0;        ///< faults beyond these
  std::size_t records = 0;         ///< that were read
  std::int64_t inputs = 0;         ///< that were decided again

  void complain(std::string what);
};

/// Of what was opened to read: nothing is committed.
StoreCheck check_store(const RocksJournal& journal);

} // namespace almanac
