#include "agent/shepherd/shepherd.hpp"

#include "agent/processes.hpp"
#include "agent/removal.hpp"
#include "agent/shepherd/fence.hpp"
#include "agent/shepherd/task_progress.hpp"
#include "agent/shepherd/user_process.hpp"

#include <cerrno>
#include <csignal>
#include <ctime>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>

namespace almanac {

namespace {

constexpr int job_is_at_fault = 100; // exit status of a step (spec/cli.md section 9.4)

// prolog and start of the parallel environment -> the job's process -> stop and epilog, each to its
// end; then the record.
class Shepherd {
public:
  Shepherd(std::string folder, ShepherdOrder order, int control, int progress)
      : folder_(std::move(folder)),
        order_(std::move(order)),
        control_(control),
        progress_(progress) {}

  void run() {
    ::prctl(PR_SET_CHILD_SUBREAPER, 1);
    ::signal(SIGPIPE, SIG_IGN);
    note("shepherd " + std::to_string(::getpid()) + "\n");
    block_child_signals();
    if (!order_.cgroup.empty() && !make_cgroup(order_.cgroup)) order_.cgroup.clear();
    if (may_begin(is_in_time()) && run_before(order_.prolog, "prolog", failed::prolog) &&
        run_before(order_.pe_start, "pe_start", failed::pe_start) &&
        may_begin(!has_fence_fired()) && run_job()) {
      take_end_of_job();
      run_after(order_.pe_stop, "pe_stop", failed::pe_stop);
      run_after(order_.epilog, "epilog", failed::epilog);
    }
    finish();
  }

private:
  bool note(const std::string& text) {
    return ::write(progress_, text.data(), text.size()) == static_cast<ssize_t>(text.size());
  }

  bool is_forgotten() const {
    struct stat facts {};
    return ::fstat(progress_, &facts) == 0 && facts.st_nlink == 0;
  }

  void block_child_signals() {
    sigset_t set;
    sigemptyset(&set);
    for (const int signal : {SIGCHLD, SIGTERM, SIGINT, SIGHUP}) sigaddset(&set, signal);
    ::sigprocmask(SIG_BLOCK, &set, nullptr);
    signals_ = ::signalfd(-1, &set, SFD_NONBLOCK | SFD_CLOEXEC);
  }

  // Forks and looks after the child to its end, from the beginning: what a user has named may take
  // for ever to open. The child calls `become` with a pipe for its complaint. False if it could not
  // begin.
  template <class Become> bool run_child(Become become) {
    int pipe[2];
    if (::pipe2(pipe, O_CLOEXEC) != 0) return not_begun(failed::before_job, "can't make a pipe");
    ended_ = begun_ = by_signal_ = false;
    started_ms_ = boot_clock_ms();
    child_ = fork_into(order_.cgroup);
    if (child_ == 0) {
      ::close(pipe[0]);
      ::close(control_);
      become(pipe[1]);
    }
    ::close(pipe[1]);
    complaint_ = pipe[0];
    if (child_ > 0) watch();
    else not_begun(failed::before_job, "can't fork");
    ::close(complaint_);
    return begun_;
  }

  bool not_begun(std::int64_t failed, const std::string& what) {
    record_.failed = failed;
    record_.reason = what + ": " + std::strerror(errno);
    return false;
  }

  // The end of the pipe is an exec, or a death before it.
  void take_complaint() {
    ChildFailure failure;
    const auto size = ::read(complaint_, &failure, sizeof failure);
    if (size < 0 && errno == EINTR) return;
    ::close(std::exchange(complaint_, -1));
    if (size == 0) {
      begun_ = true;
      if (limits_count_) note(started_line);
      return tell_running();
    }
    errno = failure.problem;
    failure.what[sizeof failure.what - 1] = '\0';
    not_begun(size > 0 ? failure.failed : failed::before_job, failure.what);
  }

  void tell_running() {
    if (std::exchange(told_running_, true)) return;
    for (const int connection : connections_) say_running(connection);
  }

  void say_running(int connection) {
    if (::send(connection, "running\n", 8, MSG_NOSIGNAL) < 0) return; // it will see the end
  }

  // What was held up for longer than the lease lasts may run elsewhere.
  bool may_begin(bool in_time) {
    fenced_ = !in_time;
    if (fenced_) record_fence();
    return in_time;
  }

  bool is_in_time() const { return order_.begin_by == 0 || boot_clock_ms() < order_.begin_by; }

  bool has_fence_fired() const {
    return order_.fence > 0 && boot_clock_ms() >= fence_at_ms(order_);
  }

  void record_fence() {
    record_.failed = failed::rescheduled;
    record_.reason = "the host was cut off from the master for " + std::to_string(order_.fence) +
                     " s: the job may run elsewhere";
  }

  // False if the user's process could not begin.
  bool run_job() {
    if (!note(starting_line))
      return not_begun(failed::before_job, "can't write " + progress_file(folder_));
    limits_count_ = true;
    const bool begun = run_child([this](int pipe) { become_user_process(order_, pipe); });
    limits_count_ = false;
    return begun;
  }

  // Runs a command of the site to its end, and says with which status.
  int run_step(const ShepherdProcess& step, std::int64_t code) {
    if (step.arguments.empty()) return 0;
    const bool of_pe = code == failed::pe_start || code == failed::pe_stop;
    const auto& output = of_pe ? order_.pe_output : order_.output;
    const auto& error = of_pe ? order_.pe_error : order_.error;
    const auto before = record_;
    why_no_step_.clear();
    if (run_child([&](int pipe) { become_step(step, order_, output, error, pipe); }))
      return status_;
    why_no_step_ = std::exchange(record_, before).reason;
    return 127;
  }

  void step_failed(const ShepherdProcess& step, const char* name, std::int64_t code, int status) {
    record_.failed = code, record_.step_status = status;
    // The user can end what runs as the user: that says nothing about this host.
    if (by_signal_ && step.as.uid == order_.job.as.uid) record_.step_status = job_is_at_fault;
    record_.reason = why_no_step_.empty()
                         ? std::string(name) + " exited with " + std::to_string(status)
                         : std::string(name) + ": " + why_no_step_;
  }

  // True if the next step may follow.
  bool run_before(const ShepherdProcess& step, const char* name, std::int64_t code) {
    const int status = run_step(step, code);
    if (killed_) record_.failed = failed::killed, record_.reason = "killed";
    else if (status != 0) step_failed(step, name, code, status);
    return !killed_ && status == 0;
  }

  // What failed first is what is told.
  void run_after(const ShepherdProcess& step, const char* name, std::int64_t code) {
    const int status = run_step(step, code);
    if (status != 0 && record_.failed == failed::none) step_failed(step, name, code, status);
  }

  void watch() {
    ::fcntl(control_, F_SETFL, O_NONBLOCK);
    while (!ended_ || complaint_ >= 0) {
      std::vector<pollfd> files{{signals_, POLLIN, 0}, {control_, POLLIN, 0}};
      if (complaint_ >= 0) files.push_back({complaint_, POLLIN, 0});
      const auto fixed = files.size();
      for (const int connection : connections_) files.push_back({connection, POLLIN, 0});
      ::poll(files.data(), files.size(), next_timeout());
      if (complaint_ >= 0 && files[2].revents) take_complaint();
      if (files[0].revents) take_signals();
      if (files[1].revents) accept_connection();
      for (std::size_t i = fixed; i < files.size(); ++i)
        if (files[i].revents) take_commands(files[i].fd);
      check_limits();
    }
  }

  void take_signals() {
    signalfd_siginfo info{};
    while (::read(signals_, &info, sizeof info) == sizeof info) {
    }
    for (;;) {
      int status = 0;
      const auto pid = ::waitpid(-1, &status, WNOHANG);
      if (pid <= 0) return;
      if (pid == child_) child_ended(status);
    }
  }

  void child_ended(int status) {
    ended_ = true;
    by_signal_ = WIFSIGNALED(status);
    status_ = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
  }

  void take_end_of_job() {
    kill_at_ms_ = stop_at_ms_ = 0;
    record_.wallclock = (boot_clock_ms() - started_ms_) / 1000;
    record_.exit_status = status_;
    record_.ended = ::time(nullptr);
    if (limit_reached_)
      record_.failed = failed::run_time_limit,
      record_.reason = "the run-time limit of " + std::to_string(order_.limit) + " s is reached";
    else if (killed_) record_.failed = failed::killed, record_.reason = "killed";
    else if (fenced_) record_fence();
    // What the job left behind ends before the epilog begins.
    end_descendants();
    if (std::exchange(cgroup_killed_, false)) renew_cgroup();
  }

  // Newer kernels (seen with 6.18) also kill who is born later into a group that was killed.
  void renew_cgroup() {
    remove_cgroup(order_.cgroup);
    if (!order_.cgroup.empty() && !make_cgroup(order_.cgroup)) order_.cgroup.clear();
  }

  void accept_connection() {
    const int connection = ::accept4(control_, nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK);
    if (connection < 0) return;
    connections_.push_back(connection);
    if (told_running_) say_running(connection);
  }

  void take_commands(int connection) {
    char commands[64];
    const auto size = ::read(connection, commands, sizeof commands);
    if (size == 0 || (size < 0 && errno != EAGAIN && errno != EINTR)) {
      std::erase(connections_, connection);
      ::close(connection);
      return;
    }
    for (ssize_t i = 0; i < size; ++i) {
      if (commands[i] == 'k') kill_with_notice();
      else if (commands[i] == 'K') killed_ = true, signal_all(SIGKILL);
      else if (commands[i] == 's') suspend_with_notice();
      else if (commands[i] == 'c') stop_at_ms_ = 0, signal_all(SIGCONT);
    }
  }

  // Only the job's own process is told, and only while there is one.
  bool notify(std::int64_t signal) {
    if (order_.notice <= 0 || signal == 0 || !limits_count_) return false;
    ::kill(-child_, static_cast<int>(signal));
    return true;
  }

  void kill_with_notice() {
    if (killed_) return;
    killed_ = true;
    if (notify(order_.notice_of_kill)) kill_at_ms_ = boot_clock_ms() + order_.notice * 1000;
    else signal_all(SIGKILL);
  }

  void suspend_with_notice() {
    if (notify(order_.notice_of_suspension)) stop_at_ms_ = boot_clock_ms() + order_.notice * 1000;
    else signal_all(SIGSTOP);
  }

  void signal_all(int signal) {
    if (signal == SIGKILL) kill_cgroup(order_.cgroup), cgroup_killed_ = true;
    signal_descendants(::getpid(), signal);
  }

  int next_timeout() const {
    std::int64_t next = -1;
    const auto consider = [&](std::int64_t at_ms) {
      const auto left = std::max<std::int64_t>(0, at_ms - boot_clock_ms());
      next = next < 0 ? left : std::min(next, left);
    };
    if (limits_count_ && order_.limit > 0 && !limit_reached_)
      consider(started_ms_ + order_.limit * 1000);
    if (limits_count_ && order_.soft_limit > 0 && !soft_limit_told_)
      consider(started_ms_ + order_.soft_limit * 1000);
    if (order_.fence > 0 && !fenced_)
      consider(std::max(fence_at_ms(order_), boot_clock_ms() + 100));
    if (kill_at_ms_ > 0) consider(kill_at_ms_);
    if (stop_at_ms_ > 0) consider(stop_at_ms_);
    return next < 0 ? -1 : static_cast<int>(std::min<std::int64_t>(next, 3'600'000));
  }

  void check_limits() {
    if (!limits_count_) return;
    if (!fenced_ && has_fence_fired()) fenced_ = true, signal_all(SIGKILL);
    if (kill_at_ms_ > 0 && boot_clock_ms() >= kill_at_ms_) kill_at_ms_ = 0, signal_all(SIGKILL);
    if (stop_at_ms_ > 0 && boot_clock_ms() >= stop_at_ms_) stop_at_ms_ = 0, signal_all(SIGSTOP);
    const auto elapsed = boot_clock_ms() - started_ms_;
    if (order_.soft_limit > 0 && !soft_limit_told_ && elapsed >= order_.soft_limit * 1000)
      soft_limit_told_ = true, ::kill(-child_, SIGUSR1);
    if (order_.limit > 0 && !limit_reached_ && elapsed >= order_.limit * 1000)
      limit_reached_ = true, signal_all(SIGKILL);
  }

  void end_descendants() {
    for (int round = 0; round < 200; ++round) {
      if (::waitpid(-1, nullptr, WNOHANG) < 0) return; // a subreaper without children
      if (descendants(::getpid()).empty()) break;
      signal_all(SIGKILL);
      while (::waitpid(-1, nullptr, WNOHANG) > 0) {
      }
      ::usleep(2'000);
    }
  }

  // Whatever is left ends; then the record is written.
  void finish() {
    end_descendants();
    // Only now: what the whole family used.
    rusage usage{};
    ::getrusage(RUSAGE_CHILDREN, &usage);
    const auto microseconds = [](const timeval& time) {
      return static_cast<std::int64_t>(time.tv_sec) * 1'000'000 + time.tv_usec;
    };
    record_.user_microseconds = microseconds(usage.ru_utime),
    record_.system_microseconds = microseconds(usage.ru_stime);
    record_.maxrss_kib = usage.ru_maxrss;
    record_.minor_faults = usage.ru_minflt, record_.major_faults = usage.ru_majflt;
    record_.blocks_in = usage.ru_inblock, record_.blocks_out = usage.ru_oublock;
    record_.voluntary_switches = usage.ru_nvcsw, record_.involuntary_switches = usage.ru_nivcsw;
    remove_cgroup(order_.cgroup);
    remove_as_user(order_.remove_after, ids_of(order_.job.as), patience_s);
    // Nobody else knows the end: who can't write it keeps trying, as long as somebody may read it.
    while (!(note(print_end(record_)) && ::fsync(progress_) == 0) && !is_forgotten()) ::sleep(1);
  }

  const std::string folder_;
  ShepherdOrder order_;
  const int control_, progress_;
  ExitRecord record_;
  pid_t child_ = -1;
  int signals_ = -1;
  int complaint_ = -1; ///< the child's, until it has begun
  std::int64_t started_ms_ = 0;
  std::int64_t kill_at_ms_ = 0, stop_at_ms_ = 0; ///< after a notification; 0: none is due
  int status_ = 0;                               ///< of the child that ended last
  std::string why_no_step_;                      ///< of a step that could not begin
  bool limits_count_ = false;                    ///< the job's own process runs, or begins
  bool begun_ = false, told_running_ = false, by_signal_ = false;
  bool ended_ = false, killed_ = false, cgroup_killed_ = false, limit_reached_ = false,
       soft_limit_told_ = false, fenced_ = false;
  std::vector<int> connections_;
};

} // namespace

void run_shepherd(const std::string& folder, const ShepherdOrder& order, int control,
                  int progress) {
  Shepherd(folder, order, control, progress).run();
}

} // namespace almanac
