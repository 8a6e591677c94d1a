// What an agent's network half keeps: a file for each attempt, durable before anything starts.
//
//   SPOOL/session/boot                  the start of the machine that its files are of
//   SPOOL/session/lease                 when the lease was renewed last: shepherds look at it
//   SPOOL/session/JOB.TASK.ATTEMPT      the launch, as the master sent it, behind its fingerprint
//   SPOOL/session/JOB.TASK.ATTEMPT.end  of one that has no shepherd (task_progress.hpp)
//
// All is its own, and for nobody else. What a task needs lies in the helper's part of the spool
// (helper/task_folder.hpp).
#pragma once

#include "agent/task_progress.hpp"
#include "core/base/result.hpp"
#include "schema/session/launch.hpp"

#include <optional>
#include <string>
#include <vector>

namespace almanac {

class Spool {
public:
  /// The folder as the helper made it; `id` tells this spool from a new one. The error names it.
  static Result<Spool> open(const std::string& path, const std::string& id);

  const std::string& id() const { return id_; }
  static std::string name(const Attempt& attempt);
  std::vector<Attempt> attempts() const;

  /// Durable when it returns.
  Outcome keep(const session::Launch& order) const;
  std::optional<session::Launch> order(const Attempt& attempt) const;
  /// What note_end() wrote.
  TaskProgress progress(const Attempt& attempt) const;
  /// What a shepherd would note, for an attempt that has none. Durable when it returns.
  Outcome note_end(const Attempt& attempt, bool began, const ExitRecord& record) const;
  /// Whether the machine has been started since the files that are here were made: what was not
  /// synced may be gone, a task's beginning, too.
  bool is_of_an_earlier_boot() const;
  /// From now on files are of this boot. Durable when it returns.
  Outcome take_boot() const;
  /// When the last renewal of the lease that was granted was asked for.
  Outcome stamp_lease(std::int64_t asked_ms) const;
  void remove(const Attempt& attempt) const;

private:
  std::string file(const Attempt& attempt) const;

  std::string path_, id_;
};

} // namespace almanac
