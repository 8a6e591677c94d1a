// How a ChildWatch has the job's process checkpointed, and moves it (spec/objects.md O6.16 to O6.20).
#include "agent/shepherd/child_watch.hpp"
#include "agent/shepherd/processes.hpp"

#include <csignal>
#include <utility>

namespace almanac {

// The job goes on, whatever becomes of it. One that stands, or is being saved already, is let alone.
void ChildWatch::checkpoint() {
  const auto& steps = order_.checkpoint;
  if (!is_job_ || has_ended_ || complaint_ >= 0 || is_suspended_ || is_moving_ || is_killed_ ||
      side_.is_running())
    return;
  if (begin_beside("ckpt_command", steps.checkpoint, false) || steps.signal == 0) return;
  ::kill(-child_, static_cast<int>(steps.signal));
  saved_pid_ = child_;
}

// migr_command saves it and may end it; without one it is saved as at any time. Then it ends.
void ChildWatch::move() {
  const auto& steps = order_.checkpoint;
  if (std::exchange(is_suspended_, false)) resume(); // what stands can't save itself
  if (side_.is_running()) return;                    // this comes next
  if (!is_job_ || has_ended_ || complaint_ >= 0 || !steps.at_move) return end_at_notice();
  if (begin_beside("migr_command", steps.migration, true) ||
      begin_beside("ckpt_command", steps.checkpoint, true))
    return;
  if (steps.signal == 0) return end_at_notice();
  ::kill(-child_, static_cast<int>(steps.signal));
  saved_pid_ = child_;
  deadlines_.set(Deadlines::kill, boot_clock_ms() + steps.patience * 1000);
}

void ChildWatch::end_at_notice() {
  if (!notify(order_.notice_of_kill, Deadlines::kill)) terminate();
}

// False if there is no such command, or no process to spare.
bool ChildWatch::begin_beside(const char* name, const ShepherdProcess& command, bool is_of_move) {
  if (command.arguments.empty()) return false;
  const auto pid = start_beside(command);
  if (pid < 0) return false;
  side_.begin(name, pid, is_of_move);
  deadlines_.set(Deadlines::command, boot_clock_ms() + order_.checkpoint.longest * 1000);
  return true;
}

void ChildWatch::side_command_ended(bool has_saved) {
  deadlines_.set(Deadlines::command, 0);
  if (has_saved) saved_pid_ = child_;
  if (!is_moving_ || is_killed_ || has_ended_) return;
  side_.is_of_move() ? end_at_notice() : move();
}

} // namespace almanac
