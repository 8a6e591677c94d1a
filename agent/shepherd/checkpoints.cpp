// How a ChildWatch checkpoints the job's process, and moves it (spec/objects.md O6.16 to O6.20).
#include "agent/shepherd/child_watch.hpp"
#include "agent/shepherd/processes.hpp"
#include "agent/shepherd/progress_file.hpp"

#include <csignal>
#include <sys/socket.h>
#include <utility>

namespace almanac {

namespace {

constexpr std::int64_t killed_patience_ms = 10'000; // from SIGKILL until nobody waits any more

} // namespace

// The job goes on, whatever becomes of it. One that stands or is being saved already is let alone.
void ChildWatch::checkpoint() {
  const auto& steps = order_.checkpoint;
  if (!is_job_ || has_ended_ || complaint_ >= 0 || is_suspended_ || is_moving_ || is_to_end() ||
      side_.is_running())
    return;
  if (begin_beside("ckpt_command", steps.checkpoint, false) || steps.signal == 0) return;
  ::kill(-child_, static_cast<int>(steps.signal));
  note_saved();
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
  note_saved();
  deadlines_.set(Deadlines::patience, boot_clock_ms() + steps.patience * 1000);
}

void ChildWatch::end_at_notice() {
  if (!notify(order_.notice_of_kill, Deadlines::patience)) terminate();
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

// One that waits for a file system for ever is not waited for.
void ChildWatch::end_side_command() {
  if (!side_.is_running()) return;
  if (side_.is_late()) {
    side_.give_up(order_.marker);
    return side_command_ended(false);
  }
  side_.kill();
  deadlines_.set(Deadlines::command, boot_clock_ms() + killed_patience_ms);
}

void ChildWatch::side_command_ended(bool has_saved) {
  deadlines_.set(Deadlines::command, 0);
  if (has_saved) note_saved();
  if (!is_moving_ || is_to_end() || has_ended_) return;
  side_.is_of_move() ? end_at_notice() : move();
}

// Whoever watches is told the first time: a host that is lost later can't say it.
void ChildWatch::note_saved() {
  if (std::exchange(saved_pid_, child_) == child_) return;
  for (const int connection : connections_) say_saved(connection);
}

void ChildWatch::say_saved(int connection) const {
  if (saved_pid_ == 0) return;
  const auto line = print_saved_line(saved_pid_);
  if (::send(connection, line.data(), line.size(), MSG_NOSIGNAL | MSG_DONTWAIT) < 0) return;
}

} // namespace almanac
