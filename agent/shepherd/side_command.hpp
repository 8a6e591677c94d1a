// A command of the job's checkpointing environment that runs beside the job's process: one at a time,
// and not for ever. That it fails or is killed ends nothing but itself; it is said on standard error,
// which is the file shepherd.log of the agent's spool.
#pragma once

#include "core/execution/shepherd_order.hpp"

#include <cstdint>
#include <string>
#include <sys/types.h>

namespace almanac {

class SideCommand {
public:
  bool is_running() const { return pid_ > 0; }
  bool is_of_move() const { return is_of_move_; } ///< the last one: the job is to end after it

  /// `name`: of the attribute. It leads a process group of its own.
  void begin(const char* name, pid_t pid, bool is_of_move);
  /// It takes too long.
  void kill();
  bool is_late() const { return is_late_; } ///< it was killed, and may still be there
  /// Nobody waits for it any more: not even that ends it.
  void give_up(const std::string& task);
  /// A process has ended; nothing changes where that is another one. Whether it has done its work.
  bool take_end(pid_t pid, int status, const std::string& task);

private:
  const char* name_ = "";
  pid_t pid_ = 0;
  bool is_of_move_ = false, is_late_ = false;
};

/// With the process of the job where its words say $job_pid (sge_checkpoint(5), queue_conf(5)).
ShepherdProcess with_job_pid(ShepherdProcess command, pid_t job);

} // namespace almanac
