// TMPDIR of a task: <tmpdir>/almanac-<cell>/<job>.<task>.<queue>.<random> (ruling on TMPDIR).
//
// 1. The cell's folder is root's, with mode 0711: others pass, and neither look in nor lay anything
//    out. Where somebody else has made it, another one is, with a name that nobody foresees. An
//    agent that is not root has one of its own, with its uid at the end.
// 2. Nobody can foresee the name of a task's folder. It follows from the spool's secret, so it is
//    the same after a restart.
#pragma once

#include "actors/process/user_ids.hpp"
#include "core/base/result.hpp"

#include <optional>
#include <string>

namespace almanac {

struct TemporaryFolder {
  std::string base; ///< tmpdir of the queue
  std::string cell;
  std::string task;    ///< "12.1.all.q": the beginning of the name, for people
  std::string secret;  ///< that of the spool
  std::string attempt; ///< tells it from all others of the spool

  /// The cell's folder, which all tasks with this tmpdir share; with a number, what takes its
  /// place.
  std::string shared(int number) const;
  /// Where the task's folder is.
  std::optional<std::string> find(uid_t owner) const;
  /// The same, or where it will be unless somebody else is there first.
  std::string path(uid_t owner) const;
};

/// Makes the cell's folder, or says why the one that is there won't do.
Outcome make_shared_folder(const TemporaryFolder& folder);
/// Makes the task's folder in it, for its user, and says where. Done already is done.
Result<std::string> make_temporary_folder(const TemporaryFolder& folder, const UserIds& user);

} // namespace almanac
