#include "agent/helper/sensor_processes.hpp"

#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <sys/prctl.h>
#include <unistd.h>
#include <utility>

namespace almanac {

void SensorProcesses::set(std::vector<std::string> programs) {
  for (std::size_t at = 0; at < sensors_.size(); ++at) end(at);
  sensors_.clear();
  for (auto& program : programs) sensors_.push_back({std::move(program)});
}

void SensorProcesses::end(std::size_t at) {
  if (at >= sensors_.size()) return;
  // It leads a group of its own, and is no other process's id before it was waited for.
  if (const auto pid = std::exchange(sensors_[at].pid, -1); pid > 0) {
    ::kill(-pid, SIGKILL);
    ::kill(pid, SIGKILL); // it may not have come to lead it yet
  }
}

void SensorProcesses::child_ended(pid_t pid) {
  for (auto& sensor : sensors_)
    if (sensor.pid == pid) sensor.pid = -1;
}

Result<SensorProcesses::Pipes> SensorProcesses::start(std::size_t at) {
  if (at >= sensors_.size()) return Error{"there is no such load sensor"};
  end(at);
  int input[2], output[2];
  const auto trouble = [](const char* what) {
    return Error{std::string("can't ") + what + ": " + std::strerror(errno)};
  };
  if (::pipe2(input, O_CLOEXEC) != 0) return trouble("make a pipe");
  if (::pipe2(output, O_CLOEXEC) != 0) {
    const auto error = trouble("make a pipe");
    ::close(input[0]), ::close(input[1]);
    return error;
  }
  const auto helper = ::getpid();
  const auto pid = ::fork();
  if (pid == 0) become(sensors_[at].program, input[0], output[1], helper);
  const auto error = trouble("fork");
  ::close(input[0]), ::close(output[1]);
  if (pid < 0) {
    ::close(input[1]), ::close(output[0]);
    return error;
  }
  sensors_[at].pid = pid;
  ::fcntl(input[1], F_SETFL, O_NONBLOCK), ::fcntl(output[0], F_SETFL, O_NONBLOCK);
  return Pipes{input[1], output[0]};
}

void SensorProcesses::become(const std::string& program, int input, int output,
                             pid_t helper) const {
  ::setsid();
  const int nothing = ::open("/dev/null", O_WRONLY | O_CLOEXEC);
  const bool has_streams = ::dup2(input, 0) == 0 && ::dup2(output, 1) == 1 &&
                           ::dup2(nothing, 2) == 2 && ::close_range(3, ~0U, 0) == 0;
  if (!has_streams || (place_.user.change && !become_session_user(place_.user.ids))) ::_exit(126);
  ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != helper || ::chdir("/") != 0) ::_exit(126);
  sigset_t none;
  sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  ::signal(SIGPIPE, SIG_DFL);
  const auto root = "SGE_ROOT=" + place_.root, cell = "SGE_CELL=" + place_.cell;
  const char* const environment[]{"PATH=/usr/local/bin:/bin:/usr/bin", root.c_str(), cell.c_str(),
                                  "LC_ALL=C", nullptr};
  const char* const words[]{program.c_str(), nullptr};
  ::execve(program.c_str(), const_cast<char**>(words), const_cast<char**>(environment));
  ::_exit(127);
}

} // namespace almanac
