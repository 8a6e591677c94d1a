#include "agent/shepherd/child_watch.hpp"

#include "agent/shepherd/processes.hpp"
#include "agent/shepherd/fence.hpp"
#include "agent/shepherd/progress_file.hpp"
#include "agent/shepherd/user_process.hpp"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <ctime>
#include <fcntl.h>
#include <poll.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>

namespace almanac {

namespace {

constexpr std::int64_t terminate_patience_ms = 60'000; // from a terminate_method to SIGKILL
constexpr std::int64_t hang_up_patience_ms = 10'000;   // from SIGHUP to SIGKILL
constexpr std::int64_t first_look_ms = 20, longest_wait_ms = 4'000,
                       longest_wait_with_limits_ms = 1'000;

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

ChildEnd ChildWatch::run(Child child, const std::function<void(int pipe)>& become,
                         std::int64_t longest) {
  int pipe[2];
  if (::pipe2(pipe, O_CLOEXEC) != 0)
    return {0, 0, failed::after_pe_start, with_errno("can't make a pipe")};
  is_job_ = child == Child::job, is_kept_ = child == Child::kept_step;
  has_ended_ = false, end_ = {};
  started_ms_ = boot_clock_ms();
  if (is_job_ && order_.soft_limit > 0)
    deadlines_.set(Deadlines::soft_limit, started_ms_ + order_.soft_limit * 1000);
  if (is_job_) set_limit(), begin_measuring(), memory_limit_.begin(cgroup_);
  if (is_job_ && order_.checkpoint.interval > 0)
    deadlines_.set(Deadlines::checkpoint, started_ms_ + order_.checkpoint.interval * 1000);
  if (longest > 0) deadlines_.set(Deadlines::command, started_ms_ + longest * 1000);
  child_ = fork_into(cgroup_);
  if (child_ == 0) {
    ::close(pipe[0]);
    ::close(control_);
    become(pipe[1]);
  }
  ::close(pipe[1]);
  complaint_ = pipe[0];
  if (is_to_end()) is_suspended_ = false;     // nobody lets go on what is deleted
  if (child_ > 0 && is_suspended_) suspend(); // told before it was there
  if (child_ > 0) watch();
  else end_.failed = failed::after_pe_start, end_.why = with_errno("can't fork");
  ::close(complaint_);
  deadlines_.clear();
  if (is_job_ && exceeded_.empty()) exceeded_ = memory_limit_.exceeded();
  memory_limit_.end();
  return end_;
}

void ChildWatch::watch() {
  ::fcntl(control_, F_SETFL, O_NONBLOCK);
  // A command that ends the job when it has saved it is let finish.
  while (!has_ended_ || complaint_ >= 0 || side_.is_running()) {
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
    else if (deadlines_.take(Deadlines::command, boot_clock_ms())) signal_all(SIGKILL);
  }
}

// The end of the pipe is an exec, or a death before it.
void ChildWatch::take_complaint() {
  ChildFailure failure;
  const auto size = ::read(complaint_, &failure, sizeof failure);
  if (size < 0 && errno == EINTR) return;
  ::close(std::exchange(complaint_, -1));
  const auto due = std::exchange(due_methods_, {});
  if (size == 0) {
    if (is_job_) note(progress_, started_line);
    for (const auto* method : due) carry_out(*method);
    if (!std::exchange(told_running_, true))
      for (const int connection : connections_) say_running(connection);
    return;
  }
  errno = failure.problem;
  failure.what[sizeof failure.what - 1] = '\0';
  end_.failed = size > 0 ? failure.failed : failed::after_pe_start,
  end_.why = with_errno(failure.what);
}

void ChildWatch::take_signals() {
  signalfd_siginfo info{};
  while (::read(signals_, &info, sizeof info) == sizeof info) {
  }
  int status = 0;
  for (pid_t pid = 0; (pid = reap(status)) > 0;) {
    if (side_.is_running() && pid != child_) {
      const bool has_saved = side_.take_end(pid, status, order_.marker);
      if (!side_.is_running()) side_command_ended(has_saved);
    }
    if (pid != child_) continue;
    has_ended_ = true, end_.by_signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    end_.status = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
  }
}

// A child that has ended is looked at before it is gone. 0: none has, -1: there is none.
pid_t ChildWatch::reap(int& status) {
  siginfo_t ended{};
  if (::waitid(P_ALL, 0, &ended, WEXITED | WNOHANG | WNOWAIT) != 0) return -1;
  if (ended.si_pid == 0) return 0;
  meter_.take_end(ended.si_pid);
  return ::waitpid(ended.si_pid, &status, WNOHANG);
}

void ChildWatch::accept_connection() {
  const int connection = ::accept4(control_, nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK);
  if (connection < 0) return;
  connections_.push_back(connection);
  if (told_running_) say_running(connection), say_saved(connection);
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
      // Whoever waited for it waits no longer.
      if (gives_way_ || !notify(order_.notice_of_kill, Deadlines::patience)) terminate();
    } else if (commands[i] == 't' && !is_to_end() && !std::exchange(gives_way_, true)) {
      give_way();
    } else if (commands[i] == 'm' && !is_to_end() && !has_ended_ &&
               !std::exchange(is_moving_, true)) {
      move();
    } else if (commands[i] == 'p' && order_.checkpoint.at_shutdown) checkpoint();
    else if (commands[i] == 'K') is_killed_ = true, signal_all(SIGKILL);
    else if (commands[i] == 'h' && !std::exchange(is_hung_up_, true)) hang_up();
    else if (commands[i] == 's' && !std::exchange(is_suspended_, true)) {
      if (!notify(order_.notice_of_suspension, Deadlines::notice_of_suspension)) suspend();
    } else if (commands[i] == 'c' && std::exchange(is_suspended_, false)) resume();
    else if (commands[i] == 'l') take_limit();
    else if (commands[i] == 'u') say_usage(connection);
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
  if (order_.notice <= 0 || signal == 0 || !is_job_ || has_ended_) return false;
  ::kill(-child_, static_cast<int>(signal));
  deadlines_.set(then, boot_clock_ms() + order_.notice * 1000);
  return true;
}

// ---- methods of the site ------------------------------------------------------------------------

void ChildWatch::suspend() {
  if (is_job_ && order_.suspend.is_given()) carry_out(order_.suspend);
  else signal_all(SIGSTOP);
}

void ChildWatch::resume() {
  deadlines_.set(Deadlines::notice_of_suspension, 0);
  if (is_job_ && order_.resume.is_given()) carry_out(order_.resume);
  else signal_all(SIGCONT);
}

// Whatever the method does, the job ends: others wait for its slots.
void ChildWatch::terminate() {
  if (is_kept_) return let_finish();
  if (!is_job_ || !order_.terminate.is_given() || std::exchange(is_terminated_, true))
    return signal_all(SIGKILL);
  deadlines_.set(Deadlines::patience, boot_clock_ms() + terminate_patience_ms);
  carry_out(order_.terminate);
  signal_descendants(::getpid(), SIGCONT); // one that is suspended hears nothing
}

// For a reservation (spec/plus.md P5.11). The notice goes only to the job's own process. SIGTERM
// goes to all processes of the job.
void ChildWatch::give_way() {
  if (!notify(order_.notice_of_kill, Deadlines::notice_of_end)) ask_to_end();
}

// A terminate_method is how the site has its jobs end, and takes the place of SIGTERM.
void ChildWatch::ask_to_end() {
  if (is_kept_) return let_finish();
  if (!is_job_ || order_.terminate.is_given()) return terminate();
  signal_descendants(::getpid(), SIGTERM);
  signal_descendants(::getpid(), SIGCONT); // one that is suspended hears nothing
  deadlines_.set(Deadlines::patience,
                 boot_clock_ms() + std::max<std::int64_t>(1, order_.notice) * 1000);
}

// One that is suspended would not come to its end.
void ChildWatch::let_finish() {
  if (std::exchange(is_suspended_, false)) resume();
}

// Whoever waited for the job has gone. One that is suspended hears it, too.
void ChildWatch::hang_up() {
  if (is_kept_) return let_finish();
  signal_descendants(::getpid(), SIGHUP);
  signal_descendants(::getpid(), SIGCONT);
  deadlines_.set(Deadlines::patience, boot_clock_ms() + hang_up_patience_ms);
}

// A method is a child beside the job's process. Nobody waits for it; what it leaves behind ends
// with the job.
void ChildWatch::carry_out(const SignalMethod& method) {
  if (method.signal > 0) return signal_all(static_cast<int>(method.signal));
  // Before its exec the job's process may still be root's, whom a method of a user can't signal.
  if (complaint_ >= 0) return due_methods_.push_back(&method);
  start_beside(method.command);
}

// Where there is no process to spare, the next order tries again.
pid_t ChildWatch::start_beside(const ShepherdProcess& command) {
  const auto told = with_job_pid(command, child_);
  if (const auto beside = ::fork(); beside != 0) return beside;
  ::close(control_);
  for (const int connection : connections_) ::close(connection);
  const int nobody = ::open("/dev/null", O_WRONLY | O_CLOEXEC);
  become_step(told, order_, order_.output, order_.error, nobody);
}

// ---- what it uses -------------------------------------------------------------------------------

void ChildWatch::begin_measuring() {
  measured_before_job_ = meter_.measure(cgroup_).cpu_microseconds;
  measure_wait_ms_ = first_look_ms;
  deadlines_.set(Deadlines::measure, started_ms_ + measure_wait_ms_);
}

// More seldom as time goes by, and where there is much to look at: what it costs is counted in time
// of the processor, since on a busy machine every look would take long.
void ChildWatch::check_usage() {
  const auto began = std::clock();
  auto usage = meter_.measure(cgroup_);
  usage.cpu_microseconds -= measured_before_job_;
  if (task_limits_.take_soft(usage)) signal_descendants(::getpid(), SIGXCPU);
  if (exceeded_.empty() && !(exceeded_ = task_limits_.exceeded(usage)).empty()) signal_all(SIGKILL);
  const auto longest = task_limits_.any() ? longest_wait_with_limits_ms : longest_wait_ms;
  // At least a hundred times as long as the look took. POSIX counts in microseconds.
  measure_wait_ms_ = std::max(std::min(2 * measure_wait_ms_, longest), (std::clock() - began) / 10);
  deadlines_.set(Deadlines::measure, boot_clock_ms() + measure_wait_ms_);
}

void ChildWatch::say_usage(int connection) const {
  const auto line = print_usage_line(meter_.usage());
  if (::send(connection, line.data(), line.size(), MSG_NOSIGNAL | MSG_DONTWAIT) < 0) return;
}

// -------------------------------------------------------------------------------------------------

void ChildWatch::signal_all(int signal) {
  if (signal == SIGKILL) kill_cgroup(cgroup_), is_cgroup_killed_ = true;
  signal_descendants(::getpid(), signal);
}

void ChildWatch::check_deadlines() {
  if (!is_fenced_ && has_fence_fired(order_)) is_fenced_ = true, signal_all(SIGKILL);
  if (deadlines_.take(Deadlines::notice_of_end, boot_clock_ms())) ask_to_end();
  if (deadlines_.take(Deadlines::patience, boot_clock_ms())) terminate();
  if (deadlines_.take(Deadlines::notice_of_suspension, boot_clock_ms())) suspend();
  if (deadlines_.take(Deadlines::measure, boot_clock_ms())) check_usage();
  if (deadlines_.take(Deadlines::command, boot_clock_ms())) end_side_command();
  if (deadlines_.take(Deadlines::checkpoint, boot_clock_ms())) {
    checkpoint();
    deadlines_.set(Deadlines::checkpoint, boot_clock_ms() + order_.checkpoint.interval * 1000);
  }
  if (deadlines_.take(Deadlines::soft_limit, boot_clock_ms()) && !has_ended_)
    ::kill(-child_, SIGUSR1);
  if (deadlines_.take(Deadlines::limit, boot_clock_ms()))
    is_limit_reached_ = true, signal_all(SIGKILL);
}

void ChildWatch::end_descendants() {
  int status = 0;
  for (int round = 0; round < 200; ++round) {
    if (reap(status) < 0) return; // a subreaper without children
    if (descendants(::getpid()).empty()) break;
    signal_all(SIGKILL);
    while (reap(status) > 0) {
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
