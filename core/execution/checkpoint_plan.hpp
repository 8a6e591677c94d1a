// What is done for a job of a checkpointing environment while it runs, as the environment, the queue
// and -c say (spec/objects.md section 6; checkpoint(5) and queue_conf(5) of Grid Engine).
//
// Each interface is served alike: by the environment's commands, which run beside the job as its
// owner, or by its signal where there is no command. Only application-level is never restarted by
// restart_command: the job's own script is run again.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace almanac {

struct CheckpointPlan {
  bool is_asked_for = false;                                         ///< the job named one
  std::vector<std::string> checkpoint, migration, restart, cleaning; ///< words; none: no command
  std::int64_t signal = 0;   ///< where there is no command to save it; 0: none
  std::int64_t interval = 0; ///< seconds from one checkpoint to the next; 0: none
  std::int64_t patience = 0; ///< seconds from the signal to the end of a job that moves
  std::int64_t longest = 0;  ///< seconds that a command may take
  bool at_move = false;      ///< it is saved before it leaves its place
  bool at_shutdown = false;  ///< it is saved when the agent of its host is stopped
  std::int64_t saved_pid =
      0; ///< of the process that was saved last, on whichever host; 0: none was
};
template <class V> void describe(V& visit, CheckpointPlan& p) {
  visit("is_asked_for", p.is_asked_for);
  visit("checkpoint", p.checkpoint);
  visit("migration", p.migration);
  visit("restart", p.restart);
  visit("cleaning", p.cleaning);
  visit("signal", p.signal);
  visit("interval", p.interval);
  visit("patience", p.patience);
  visit("longest", p.longest);
  visit("at_move", p.at_move);
  visit("at_shutdown", p.at_shutdown);
  visit("saved_pid", p.saved_pid);
}

} // namespace almanac
