#include "agent/shepherd/side_command.hpp"

#include <csignal>
#include <cstdio>
#include <string_view>
#include <sys/wait.h>

namespace almanac {

void SideCommand::begin(const char* name, pid_t pid, bool is_of_move) {
  name_ = name, pid_ = pid, is_of_move_ = is_of_move, is_late_ = false;
}

void SideCommand::kill() {
  if (!is_running()) return;
  is_late_ = true;
  ::kill(-pid_, SIGKILL);
  ::kill(pid_, SIGKILL); // before it leads its group
}

void SideCommand::give_up(const std::string& task) {
  std::fprintf(stderr, "task %s: %s took too long and can't be killed\n", task.c_str(), name_);
  pid_ = 0;
}

bool SideCommand::take_end(pid_t pid, int status, const std::string& task) {
  if (!is_running() || pid != pid_) return false;
  pid_ = 0;
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return true;
  const auto how = is_late_              ? std::string("took too long and was killed")
                   : WIFSIGNALED(status) ? "was ended by signal " + std::to_string(WTERMSIG(status))
                                         : "exited with " + std::to_string(WEXITSTATUS(status));
  std::fprintf(stderr, "task %s: %s %s\n", task.c_str(), name_, how.c_str());
  return false;
}

ShepherdProcess with_job_pid(ShepherdProcess command, pid_t job) {
  constexpr std::string_view name = "$job_pid";
  const auto pid = std::to_string(job);
  for (auto& word : command.arguments)
    for (auto at = word.find(name); at != word.npos; at = word.find(name, at + pid.size()))
      word.replace(at, name.size(), pid);
  return command;
}

} // namespace almanac
