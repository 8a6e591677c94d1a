// Where everything that must not be lost is kept.
//
// One actor writes; commit() returns when the batch is durable. Nothing outside the store is state.
#pragma once

#include "actors/ports/archive.hpp"

#include <cstdint>
#include <vector>

namespace almanac {

enum class Commit { durable, fenced, failed };

/// What people are told while has_space() is false.
inline constexpr const char* nearly_full =
    "the disk of the master is nearly full: new work is refused until there is space";

class Journal : public Archive {
public:
  /// All of the batch or nothing. Fenced: somebody opened the store with a later term.
  virtual Commit commit(const std::vector<store::Write>& batch, Term term) = 0;
  /// False when the disk is nearly full: new work is refused, ends and deletions still work.
  virtual bool has_space() const = 0;
};

} // namespace almanac
