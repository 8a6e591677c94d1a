#include "core/job/task.hpp"

namespace almanac {

std::string state_letters(const Task& task, bool held) {
  std::string letters;
  switch (task.state) {
  case TaskState::error: return !held ? "Eqw" : task.restarted ? "EhRqw" : "Ehqw";
  case TaskState::pending:
    if (task.restarted) return held ? "hRwq" : "Rq";
    return held ? "hqw" : "qw";
  case TaskState::sent:
  case TaskState::running: break;
  }
  if (task.deleting && !is_tried_again(task.after_end)) letters += 'd';
  if (task.restarted) letters += 'R';
  if (task.suspended) {
    const bool is_throttled =
        task.throttled && !task.suspended_by_queue && !task.suspended_by_slots;
    const char* cause = task.suspended_by_user ? "s" : is_throttled ? "T" : "S";
    return letters + (task.state == TaskState::sent && letters.empty() ? "t" : "") + cause;
  }
  return letters + (task.state == TaskState::sent ? "t" : "r");
}

} // namespace almanac
