#include "core/job/task.hpp"

namespace almanac {

std::string state_letters(const Task& task, bool held) {
  std::string letters;
  switch (task.state) {
  case TaskState::error: return held ? "Ehqw" : "Eqw";
  case TaskState::pending:
    if (task.restarted) return held ? "hRwq" : "Rq";
    return held ? "hqw" : "qw";
  case TaskState::sent:
  case TaskState::running: break;
  }
  if (task.deleting) letters += 'd';
  if (task.restarted) letters += 'R';
  const std::string suspended = task.throttled ? "T" : "S";
  if (task.suspended)
    return letters + (task.state == TaskState::sent && !task.restarted ? "t" : "") + suspended;
  return letters + (task.state == TaskState::sent ? "t" : "r");
}

} // namespace almanac
