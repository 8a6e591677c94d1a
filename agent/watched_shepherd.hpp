// A shepherd as the network half sees it: a connection that tells of its start and its end, and
// the file in which it writes down what it did. Whoever has one closes its files.
#pragma once

#include "agent/helper_client.hpp"
#include "agent/spool.hpp"
#include "agent/task_progress.hpp"

#include <cstdint>

namespace almanac {

/// A request about an attempt; `call` is 0, or the number of a process of qrsh -inherit.
HelperRequest request_for(HelperVerb verb, const Attempt& attempt, std::int64_t call = 0);

struct WatchedShepherd {
  Attempt attempt;
  std::int64_t call = 0; ///< its number at the helper; 0: of the task itself
  int connection = -1;   ///< -1: it has ended
  int progress = -1;
  bool running = false;          ///< the user's process has begun
  TaskUsage usage;               ///< as it was told the last time
  std::vector<CoreName> cores{}; ///< that its processes are bound to
  std::int64_t saved_pid = 0;    ///< of the job's process, once it was checkpointed

  /// What has come through the connection, once there is something.
  enum class Heard : std::uint8_t { nothing, usage, saved, begun, ended };
  Heard hear();

  /// What its processes use comes soon; nothing where its shepherd is of an earlier version.
  void ask_usage() const;

  /// What it wrote down so far.
  TaskProgress written() const;
  void close();

private:
  Heard take(const std::string& line);

  std::string begun_line_; ///< that is not yet all there
};

/// What was noted here, of a task that has no shepherd, else what its shepherd did.
TaskProgress progress_of(const WatchedShepherd& task, const Spool& spool);

/// Has the helper pass a command on, to one that has not ended.
void send_command(const HelperClient& helper, const WatchedShepherd& shepherd, const char* command);

/// The end of one that is gone, after this progress. If it left no record, the helper ends what it
/// watched over.
ExitRecord end_of(const HelperClient& helper, const WatchedShepherd& shepherd,
                  const TaskProgress& progress);

} // namespace almanac
