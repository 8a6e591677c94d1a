// The folder of an attempt: SPOOL/JOB.TASK.ATTEMPT/, the helper's own, through which a job's user
// passes to the script and the host file.
//
//   script      the job's, for its user alone, where it has one; so pe_hostfile
//   control     a socket: where its shepherd hears
//   progress    what its shepherd did (shepherd/progress_file.hpp)
//   limit       a longer limit than that of its order, where the master has signed one
//   input, output, error   pipes to the process of an interactive job without a terminal
//   calls/N/    control and progress of each process of qrsh -inherit, and the pipes to it
//
// Each file costs: a task without script has a socket and a file. Others may pass through the
// folder (mode 0711) once all that belongs into it is there.
//
// The helper holds the spool open and reaches everything from there, without following a link.
#pragma once

#include "actors/process/user_ids.hpp"
#include "core/base/result.hpp"
#include "core/job/attempt.hpp"

#include <string>

namespace almanac {

/// What names a task's processes and folders here; of the helper alone.
struct TaskPlaces {
  std::string spool;   ///< the folder
  std::string id;      ///< tells this spool from a new one
  std::string secret;  ///< what names that nobody foresees are made of
  std::string cgroups; ///< a cgroup v2 folder, or ""

  /// JOB.TASK.ATTEMPT, which names folder, cgroup and marker of an attempt.
  static std::string name(const Attempt& attempt);
  std::string folder(const Attempt& attempt) const { return spool + "/" + name(attempt); }
  std::string lease_file() const { return spool + "/session/lease"; }
  std::string cores() const { return spool + "/cores"; } ///< of shepherd/bound_cores.hpp
};

/// An open folder; closed at the end.
class TaskFolder {
public:
  /// The one of an attempt, or of a call in it, from the spool on; not open where there is none.
  TaskFolder(int spool, const std::string& name, std::int64_t call = 0);
  ~TaskFolder();
  TaskFolder(const TaskFolder&) = delete;
  TaskFolder& operator=(const TaskFolder&) = delete;

  bool is_open() const { return file_ >= 0; }
  bool has(const char* name) const;
  Result<std::string> read(const char* name) const;
  /// A new file. Neither synced nor renamed: what a power cut spoils is not used again.
  Outcome write(const char* name, std::string_view content, unsigned mode) const;
  /// The same instead of one that may be there.
  Outcome rewrite(const char* name, std::string_view content, unsigned mode) const;
  Outcome give(const char* name, const UserIds& user) const;
  /// What was to be laid out is there.
  Outcome finish() const;
  bool is_finished() const;
  /// False where more is in it than a task without calls has.
  static bool remove(int spool, const std::string& name);
  /// -1 with errno set.
  int open(const char* name, int flags) const;
  /// A socket on which a shepherd can listen; -1 with errno set.
  int listen() const;
  /// A connection to the shepherd; -1 where none listens.
  int connect() const;

private:
  int file_;
};

} // namespace almanac
