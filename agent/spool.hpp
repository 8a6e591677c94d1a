// The spool of an agent: a folder for each attempt, durable before anything starts.
//
//   SPOOL/id                       tells this spool from a new one
//   SPOOL/secret                   what names that nobody foresees are made of
//   SPOOL/boot                     the start of the machine that its folders are of
//   SPOOL/JOB.TASK.ATTEMPT/order   the launch, as the master sent it, behind its fingerprint
//   .../script .../pe_hostfile     where the job has one
//   .../control .../progress       the shepherd's: where it hears, what it did (task_progress.hpp)
//   .../calls/N/                   the same for each process of qrsh -inherit
//
// All is the agent's own, and nobody else lists its folders; a job's user passes through them to
// the script, which only that user reads, and to the host file.
#pragma once

#include "agent/processes.hpp"
#include "core/base/result.hpp"
#include "agent/shepherd/task_progress.hpp"
#include "schema/session_messages.hpp"

#include <optional>
#include <string>
#include <vector>

namespace almanac {

class Spool {
public:
  /// Opens or makes it; the error names the folder.
  static Result<Spool> open(const std::string& path);

  const std::string& id() const { return id_; }
  const std::string& secret() const { return secret_; }
  const std::string& path() const { return path_; }
  /// JOB.TASK.ATTEMPT, which names folder, cgroup and marker of an attempt.
  static std::string name(const Attempt& attempt);
  std::string folder(const Attempt& attempt) const;
  std::vector<Attempt> attempts() const;

  /// Durable when it returns.
  Outcome keep(const session::Launch& order) const;
  /// The script and the host file that an order holds: written before each start, since a power cut
  /// may have spoilt them. The script is for the job's user alone.
  Outcome lay_out(const session::Launch& order, const UserIds& user) const;
  std::optional<session::Launch> order(const Attempt& attempt) const;
  TaskProgress progress(const std::string& folder) const;
  /// What a shepherd would note, for an attempt that has none. Durable when it returns.
  Outcome note_end(const Attempt& attempt, bool began, const ExitRecord& record) const;
  /// Whether the machine has been started since the folders that are here were made: what was not
  /// synced may be gone, a task's beginning, too.
  bool is_of_an_earlier_boot() const;
  /// From now on folders are of this boot. Durable when it returns.
  Outcome take_boot() const;
  /// When the last renewal of the lease that was granted was asked for; shepherds look at it.
  std::string lease_file() const { return path_ + "/lease"; }
  Outcome stamp_lease(std::int64_t asked_ms) const;
  void remove(const Attempt& attempt) const;

private:
  std::string path_, id_, secret_;
};

} // namespace almanac
