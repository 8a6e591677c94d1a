// A cell in one file, and back: almanac-admin backup and restore.
//
// The file is a tar archive: what it is of (almanac-backup), settings.toml, the certificates of ca/, the
// store as its engine has it at one moment, and the configuration files of the common folder. The master
// may run meanwhile. With keys it has the private keys of authority and master, too; without, a restored
// cell gets new ones, and its agents new tickets. Agents' folders are not in it, nor are the accounting
// and reporting files, which are written anew from the store.
#pragma once

#include "core/base/result.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace almanac {

enum class BackupKeys { without, with };

struct BackupSize {
  std::size_t files = 0;
  std::int64_t bytes = 0;
};
/// Writes it to an open file. Nothing in `directory` is changed.
Result<BackupSize> write_backup(const std::string& directory, BackupKeys keys, int into);

/// How many keys and numbers a restored cell does not give: those that were given after the backup,
/// so that a job of today never meets a task of a lost one that still runs (core/records/counters.hpp).
inline constexpr std::int64_t usual_gap = 10'000;

struct RestoredCell {
  std::string made;                      ///< when the backup was made, in words
  bool has_new_keys = false;             ///< all agents need new tickets
  std::vector<std::string> common_files; ///< their names
};
/// Reads it from an open file into a folder that is empty or not there, and belongs to this process's
/// user. What is wrong in the file is an error, and nothing is left of it. The store is as it was;
/// see open_gap().
Result<RestoredCell> read_backup(const std::string& directory, int from);

/// Before a restored store is used for the first time: numbers go on `gap` beyond the last ones.
Outcome open_gap(const std::string& directory, std::int64_t gap);

} // namespace almanac
