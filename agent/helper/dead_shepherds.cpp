#include "agent/helper/dead_shepherds.hpp"

#include <cstdlib>
#include <string_view>
#include <sys/wait.h>
#include <unistd.h>

namespace almanac {

namespace {

constexpr std::size_t most_kept = 1000; // of those that are not asked about
constexpr std::string_view first_word = "shepherd ";

} // namespace

void DeadShepherds::take(pid_t pid, int status) {
  killed_.erase(pid); // the number was given again
  if (!WIFSIGNALED(status)) return;
  if (killed_.size() >= most_kept) killed_.clear();
  killed_.insert(pid);
}

// Its files are closed before its parent can wait for it.
bool DeadShepherds::has(const std::string& progress) {
  if (!progress.starts_with(first_word)) return false;
  const auto pid = static_cast<pid_t>(std::atoi(progress.c_str() + first_word.size()));
  if (pid <= 1) return false;
  int status = 0;
  for (int round = 0; round < 20 && !killed_.contains(pid); ++round) {
    const auto ended = ::waitpid(pid, &status, WNOHANG);
    if (ended == pid) take(pid, status);
    if (ended != 0) break;
    ::usleep(5'000);
  }
  return killed_.contains(pid);
}

} // namespace almanac
