// TMPDIR of a task: <tmpdir>/almanac-<cell>/<job>.<task>.<queue>.<random> (ruling on TMPDIR).
//
// 1. The cell's folder is root's, with mode 0711: others pass, and neither look in nor lay anything
//    out. An agent that is not root has one of its own, with its uid at the end.
// 2. Nobody can foresee the name of a task's folder. It follows from the spool's secret, so it is
//    the same after a restart.
#pragma once

#include "agent/processes.hpp"
#include "core/base/result.hpp"

#include <string>

namespace almanac {

struct TemporaryFolder {
  std::string base; ///< tmpdir of the queue
  std::string cell;
  std::string task;   ///< "12.1.all.q": the beginning of the name, for people
  std::string secret; ///< that of the spool, and what tells this attempt from all others

  /// The cell's folder, which all tasks with this tmpdir share.
  std::string shared() const;
  /// Where the task's folder is, or will be.
  std::string path(uid_t owner) const;
};

/// Makes the cell's folder, or says why the one that is there won't do.
Outcome make_shared_folder(const TemporaryFolder& folder);
/// Makes the task's folder in it, for its user, and says where. Done already is done.
Result<std::string> make_temporary_folder(const TemporaryFolder& folder, const UserIds& user);

} // namespace almanac
