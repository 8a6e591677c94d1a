#include "agent/shepherd/shepherd.hpp"

#include "agent/shepherd/bound_cores.hpp"
#include "agent/shepherd/processes.hpp"
#include "agent/shepherd/removal.hpp"
#include "agent/shepherd/child_watch.hpp"
#include "agent/shepherd/fence.hpp"
#include "agent/shepherd/progress_file.hpp"
#include "agent/shepherd/user_process.hpp"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace almanac {

namespace {

constexpr int job_is_at_fault = 100; // exit status of a step (spec/cli.md section 9.4)

// prolog and start of the parallel environment -> the job's process -> stop and epilog, each to its
// end; then the record.
class Shepherd {
public:
  Shepherd(const std::string& folder, const ShepherdOrder& order, int control, int progress,
           const std::vector<CoreName>& bound = {})
      : folder_(folder),
        bound_line_(print_bound_line(bound)),
        order_(order),
        progress_(progress),
        watch_(order, control, progress, folder + "/limit") {}

  void run() {
    ::prctl(PR_SET_CHILD_SUBREAPER, 1);
    ::signal(SIGPIPE, SIG_IGN);
    note(progress_, "shepherd " + std::to_string(::getpid()) + "\n" + bound_line_);
    watch_.begin();
    hold_input();
    if (may_begin(order_.begin_by == 0 || boot_clock_ms() < order_.begin_by)) run_steps();
    finish();
  }

private:
  // Who calls the job off before it begins has the steps behind it, too: what the site has set up
  // is taken down (spec/cli.md section 9).
  void run_steps() {
    const bool is_set_up = run_before(order_.prolog, "prolog", failed::prolog);
    const bool has_begun = is_set_up && run_before(order_.pe_start, "pe_start", failed::pe_start) &&
                           may_begin(!has_fence_fired(order_)) && run_job();
    if (has_begun) clean_up();
    else if (record_.failed == failed::killed) watch_.end_descendants(), watch_.renew_cgroup();
    else return;
    if (is_set_up) run_after(order_.pe_stop, "pe_stop", failed::pe_stop);
    run_after(order_.epilog, "epilog", failed::epilog);
  }

  // The agent closes a client's input once all of it is in the pipe, which may be while a prolog
  // runs: it stays there for the job.
  void hold_input() {
    if (order_.interaction == Interaction::streams && !order_.input.empty())
      input_ = ::open(order_.input.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  }

  bool is_forgotten() const {
    struct stat facts {};
    return ::fstat(progress_, &facts) == 0 && facts.st_nlink == 0;
  }

  // Nothing else comes after it.
  bool fail(std::int64_t failed, const std::string& reason) {
    record_.failed = failed, record_.reason = reason;
    return false;
  }

  // What was held up for longer than the lease lasts may run elsewhere.
  bool may_begin(bool in_time) { return in_time || record_fence(); }

  bool record_fence() {
    return fail(failed::rescheduled, "the host was cut off from the master for " +
                                         std::to_string(order_.fence) +
                                         " s: the job may run elsewhere");
  }

  // False if the user's process could not begin.
  bool run_job() {
    if (!note(progress_, starting_line))
      return fail(failed::after_pe_start,
                  "can't write " + folder_ + "/progress: " + std::strerror(errno));
    const auto end =
        watch_.run(Child::job, [this](int pipe) { become_user_process(order_, pipe); });
    if (input_ >= 0) ::close(std::exchange(input_, -1));
    if (!end.has_begun())
      return watch_.is_hung_up() || has_lost_terminal()
                 ? fail(failed::killed, "its client has gone")
                 : fail(end.failed, end.why);
    record_end(end);
    return true;
  }

  // A terminal is there for as long as somebody is at it; who goes may not have been heard of yet.
  bool has_lost_terminal() const {
    return order_.interaction == Interaction::terminal && ::access(order_.input.c_str(), F_OK) != 0;
  }

  void record_end(const ChildEnd& end) {
    record_.wallclock = (boot_clock_ms() - watch_.started_ms()) / 1000;
    record_.exit_status = end.status, record_.signal = end.by_signal;
    record_.ended = ::time(nullptr);
    if (watch_.is_limit_reached())
      fail(failed::run_time_limit,
           "the run-time limit of " + std::to_string(watch_.limit()) + " s is reached");
    else if (!watch_.exceeded().empty()) fail(failed::killed, watch_.exceeded());
    else if (watch_.is_to_end() || watch_.is_moving()) fail(failed::killed, "killed");
    else if (watch_.is_hung_up()) fail(failed::killed, "its client has gone");
    else if (watch_.is_fenced()) record_fence();
    record_.checkpoint_pid = watch_.saved_pid();
    // What the job left behind ends before the epilog begins.
    watch_.end_descendants();
    watch_.renew_cgroup();
  }

  // Runs a command of the site to its end. Before the job, who deletes it ends what runs as its
  // user.
  ChildEnd run_step(const ShepherdProcess& step, std::int64_t code, Child child) {
    if (step.arguments.empty()) return {};
    const bool of_pe = code == failed::pe_start || code == failed::pe_stop;
    const auto& output = of_pe ? order_.pe_output : order_.output;
    const auto& error = of_pe ? order_.pe_error : order_.error;
    auto end = watch_.run(child, [&](int pipe) { become_step(step, order_, output, error, pipe); });
    if (!end.has_begun()) end.status = 127;
    return end;
  }

  void step_failed(const ShepherdProcess& step, const std::string& name, std::int64_t code,
                   const ChildEnd& end) {
    fail(code,
         name + (end.has_begun() ? " exited with " + std::to_string(end.status) : ": " + end.why));
    // The user can end what runs as the user: that says nothing about this host.
    const bool by_user = end.by_signal > 0 && step.as.uid == order_.job.as.uid;
    record_.step_status = by_user ? job_is_at_fault : end.status;
  }

  // True if the next step may follow.
  bool run_before(const ShepherdProcess& step, const char* name, std::int64_t code) {
    const bool is_users = step.as.self || step.as.uid == order_.job.as.uid;
    const auto end = run_step(step, code, is_users ? Child::step : Child::kept_step);
    if (watch_.is_to_end() || watch_.is_moving()) fail(failed::killed, "killed");
    else if (watch_.is_hung_up()) fail(failed::killed, "its client has gone");
    else if (end.status != 0) step_failed(step, name, code, end);
    return record_.failed == failed::none;
  }

  // What failed first is what is told.
  void run_after(const ShepherdProcess& step, const char* name, std::int64_t code) {
    const auto end = run_step(step, code, Child::kept_step);
    if (end.status != 0 && record_.failed == failed::none) step_failed(step, name, code, end);
  }

  // What was saved of it is of no use any more, unless it will run again.
  void clean_up() {
    const auto& steps = order_.checkpoint;
    const bool asks_for_another_try = record_.failed == failed::none && record_.exit_status == 99;
    if (steps.cleaning.arguments.empty() || asks_for_another_try || watch_.is_moving() ||
        watch_.is_fenced())
      return;
    const auto cleaning = with_job_pid(steps.cleaning, watch_.pid()); // nothing else ran since
    const auto become = [&](int pipe) {
      become_step(cleaning, order_, order_.output, order_.error, pipe);
    };
    const auto end = watch_.run(Child::kept_step, become, steps.longest);
    if (end.status != 0 || !end.has_begun())
      std::fprintf(stderr, "task %s: clean_command ended with %d %s\n", order_.marker.c_str(),
                   end.status, end.why.c_str());
    watch_.end_descendants();
    watch_.renew_cgroup();
  }

  // Whatever is left ends; then the record is written.
  void finish() {
    watch_.end_descendants();
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
    const auto& measured = watch_.usage();
    record_.memory_kib_seconds = measured.memory_kib_seconds, record_.io_bytes = measured.io_bytes;
    record_.io_wait_microseconds = measured.io_wait_microseconds;
    // Whoever was there for too short a time to be seen had its memory nevertheless.
    record_.maxvmem_bytes = std::max(measured.maxvmem_bytes, record_.maxrss_kib * 1024);
    remove_cgroup(watch_.cgroup());
    remove_as_user(order_.remove_after, ids_of(order_.job.as), patience_s);
    // Nobody else knows the end: who can't write it keeps trying, as long as somebody may read it.
    while (!(note(progress_, print_end(record_)) && ::fsync(progress_) == 0) && !is_forgotten())
      ::sleep(1);
  }

  const std::string& folder_;
  const std::string bound_line_;
  const ShepherdOrder& order_;
  const int progress_;
  int input_ = -1; ///< that of a client, until the job's process has it
  ChildWatch watch_;
  ExitRecord record_;
};

} // namespace

void run_shepherd(const std::string& folder, const ShepherdOrder& order, int control,
                  int progress) {
  if (order.binding.empty()) return Shepherd(folder, order, control, progress).run();
  auto bound = order;
  const BoundCores cores(bound, folder);
  Shepherd(folder, bound, control, progress, cores.names()).run();
}

} // namespace almanac
