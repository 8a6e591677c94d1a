#include "agent/shepherd/child_watch.hpp"

#include "agent/shepherd/processes.hpp"
#include "agent/shepherd/fence.hpp"
#include "agent/shepherd/progress_file.hpp"
#include "agent/shepherd/user_process.hpp"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>

namespace almanac {

namespace {

std::string with_errno(const std::string& what) { return what + ": " + std::strerror(errno); }

void say_running(int connection) {
  if (::send(connection, "running\n", 8, MSG_NOSIGNAL) < 0) return; // it will see the end
}

} // namespace

void ChildWatch::begin() {
  sigset_t set;
  sigemptyset(&set);
  for (const int signal : {SIGCHLD, SIGTERM, SIGINT, SIGHUP}) sigaddset(&set, signal);
  ::sigprocmask(SIG_BLOCK, &set, nullptr);
  signals_ = ::signalfd(-1, &set, SFD_NONBLOCK | SFD_CLOEXEC);
  if (!cgroup_.empty() && !make_cgroup(cgroup_)) cgroup_.clear();
}

ChildEnd ChildWatch::run(Child child, const std::function<void(int pipe)>& become) {
  int pipe[2];
  if (::pipe2(pipe, O_CLOEXEC) != 0)
    return {0, false, failed::before_job, with_errno("can't make a pipe")};
  is_job_ = child == Child::job, has_ended_ = false, end_ = {};
  started_ms_ = boot_clock_ms();
  if (is_job_ && order_.soft_limit > 0)
    deadlines_.set(Deadlines::soft_limit, started_ms_ + order_.soft_limit * 1000);
  if (is_job_) set_limit();
  child_ = fork_into(cgroup_);
  if (child_ == 0) {
    ::close(pipe[0]);
    ::close(control_);
    become(pipe[1]);
  }
  ::close(pipe[1]);
  complaint_ = pipe[0];
  if (child_ > 0 && is_suspended_) signal_all(SIGSTOP); // told before it was there
  if (child_ > 0) watch();
  else end_.failed = failed::before_job, end_.why = with_errno("can't fork");
  ::close(complaint_);
  deadlines_.clear();
  return end_;
}

void ChildWatch::watch() {
  ::fcntl(control_, F_SETFL, O_NONBLOCK);
  while (!has_ended_ || complaint_ >= 0) {
    std::vector<pollfd> files{{signals_, POLLIN, 0}, {control_, POLLIN, 0}};
    if (complaint_ >= 0) files.push_back({complaint_, POLLIN, 0});
    const auto fixed = files.size();
    for (const int connection : connections_) files.push_back({connection, POLLIN, 0});
    const bool is_renewed = order_.fence > 0 && !is_fenced_;
    deadlines_.set(Deadlines::fence,
                   is_renewed ? std::max(fence_at_ms(order_), boot_clock_ms() + 100) : 0);
    ::poll(files.data(), files.size(), deadlines_.wait_ms(boot_clock_ms()));
    if (complaint_ >= 0 && files[2].revents) take_complaint();
    if (files[0].revents) take_signals();
    if (files[1].revents) accept_connection();
    for (std::size_t i = fixed; i < files.size(); ++i)
      if (files[i].revents) take_commands(files[i].fd);
    if (is_job_) check_deadlines();
  }
}

// The end of the pipe is an exec, or a death before it.
void ChildWatch::take_complaint() {
  ChildFailure failure;
  const auto size = ::read(complaint_, &failure, sizeof failure);
  if (size < 0 && errno == EINTR) return;
  ::close(std::exchange(complaint_, -1));
  if (size == 0) {
    if (is_job_) note(progress_, started_line);
    if (!std::exchange(told_running_, true))
      for (const int connection : connections_) say_running(connection);
    return;
  }
  errno = failure.problem;
  failure.what[sizeof failure.what - 1] = '\0';
  end_.failed = size > 0 ? failure.failed : failed::before_job, end_.why = with_errno(failure.what);
}

void ChildWatch::take_signals() {
  signalfd_siginfo info{};
  while (::read(signals_, &info, sizeof info) == sizeof info) {
  }
  int status = 0;
  for (pid_t pid = 0; (pid = ::waitpid(-1, &status, WNOHANG)) > 0;) {
    if (pid != child_) continue;
    has_ended_ = true, end_.by_signal = WIFSIGNALED(status);
    end_.status = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
  }
}

void ChildWatch::accept_connection() {
  const int connection = ::accept4(control_, nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK);
  if (connection < 0) return;
  connections_.push_back(connection);
  if (told_running_) say_running(connection);
}

void ChildWatch::take_commands(int connection) {
  char commands[64];
  const auto size = ::read(connection, commands, sizeof commands);
  if (size == 0 || (size < 0 && errno != EAGAIN && errno != EINTR)) {
    std::erase(connections_, connection);
    ::close(connection);
    return;
  }
  for (ssize_t i = 0; i < size; ++i) {
    if (commands[i] == 'k' && !std::exchange(is_killed_, true)) {
      if (!notify(order_.notice_of_kill, Deadlines::kill)) signal_all(SIGKILL);
    } else if (commands[i] == 'K') is_killed_ = true, signal_all(SIGKILL);
    else if (commands[i] == 's' && !std::exchange(is_suspended_, true)) {
      if (!notify(order_.notice_of_suspension, Deadlines::stop)) signal_all(SIGSTOP);
    } else if (commands[i] == 'c' && std::exchange(is_suspended_, false))
      deadlines_.set(Deadlines::stop, 0), signal_all(SIGCONT);
    else if (commands[i] == 'l') take_limit();
  }
}

// The helper alone writes there, what the master has signed: who says that it has may be anybody.
void ChildWatch::take_limit() {
  const int file = ::open(limit_file_.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
  if (file < 0) return;
  char text[24] = {};
  const auto size = ::read(file, text, sizeof text - 1);
  ::close(file);
  const std::int64_t longer = size > 0 ? std::atoll(text) : 0;
  if (limit_ <= 0 || longer <= limit_ || is_limit_reached_) return;
  limit_ = longer;
  if (is_job_) set_limit();
}

void ChildWatch::set_limit() {
  if (limit_ > 0) deadlines_.set(Deadlines::limit, started_ms_ + limit_ * 1000);
}

// Only the job's own process is told, and only while there is one.
bool ChildWatch::notify(std::int64_t signal, Deadlines::Kind then) {
  if (order_.notice <= 0 || signal == 0 || !is_job_) return false;
  ::kill(-child_, static_cast<int>(signal));
  deadlines_.set(then, boot_clock_ms() + order_.notice * 1000);
  return true;
}

void ChildWatch::signal_all(int signal) {
  if (signal == SIGKILL) kill_cgroup(cgroup_), is_cgroup_killed_ = true;
  signal_descendants(::getpid(), signal);
}

void ChildWatch::check_deadlines() {
  if (!is_fenced_ && has_fence_fired(order_)) is_fenced_ = true, signal_all(SIGKILL);
  if (deadlines_.take(Deadlines::kill, boot_clock_ms())) signal_all(SIGKILL);
  if (deadlines_.take(Deadlines::stop, boot_clock_ms())) signal_all(SIGSTOP);
  if (deadlines_.take(Deadlines::soft_limit, boot_clock_ms())) ::kill(-child_, SIGUSR1);
  if (deadlines_.take(Deadlines::limit, boot_clock_ms()))
    is_limit_reached_ = true, signal_all(SIGKILL);
}

void ChildWatch::end_descendants() {
  for (int round = 0; round < 200; ++round) {
    if (::waitpid(-1, nullptr, WNOHANG) < 0) return; // a subreaper without children
    if (descendants(::getpid()).empty()) break;
    signal_all(SIGKILL);
    while (::waitpid(-1, nullptr, WNOHANG) > 0) {
    }
    ::usleep(2'000);
  }
}

// Newer kernels (seen with 6.18) also kill who is born later into a group that was killed.
void ChildWatch::renew_cgroup() {
  if (!std::exchange(is_cgroup_killed_, false)) return;
  remove_cgroup(cgroup_);
  if (!cgroup_.empty() && !make_cgroup(cgroup_)) cgroup_.clear();
}

} // namespace almanac
