// A shepherd's children, one after the other, each from its fork to its end: limits, notices and
// fence of the job's own process, and what is said on the control socket meanwhile (shepherd.hpp).
//
// 1. Looked after from the beginning: what a user has named may take for ever to open.
// 2. Signals go to all processes below this one, a notice only to the job's. Where the site has a
//    method for it, that is what is done instead.
//    Commands that checkpoint the job run beside it, one at a time (checkpoints.cpp).
// 3. A child that could not begin is no error of this process: it is told in ChildEnd.
#pragma once

#include "agent/shepherd/memory_limit.hpp"
#include "agent/shepherd/side_command.hpp"
#include "agent/shepherd/usage_meter.hpp"
#include "core/execution/deadlines.hpp"
#include "core/execution/shepherd_order.hpp"
#include "core/execution/task_limits.hpp"

#include <functional>
#include <string>
#include <sys/types.h>
#include <vector>

namespace almanac {

/// `kept_step`: neither who deletes the job nor who leaves its terminal ends it.
enum class Child : std::uint8_t { step, job, kept_step };

struct ChildEnd {
  int status = 0;          ///< of exit, or 128 and the signal
  int by_signal = 0;       ///< its number
  std::int64_t failed = 0; ///< of the exit record, where it could not begin
  std::string why = {};    ///< likewise; else ""
  bool has_begun() const { return why.empty(); }
};

class ChildWatch {
public:
  /// `control` listens, `progress` is open to append to; `order` outlives this. `limit_file`: where
  /// a longer limit would stand.
  ChildWatch(const ShepherdOrder& order, int control, int progress, std::string limit_file)
      : order_(order),
        control_(control),
        progress_(progress),
        limit_file_(std::move(limit_file)),
        cgroup_(order.cgroup),
        limit_(order.limit),
        task_limits_(order.limits),
        memory_limit_(order.limits) {}

  /// Before the first child: signals of this process come to the watch.
  void begin();

  /// `become` does not return: it is called in the child, with a pipe for its complaint. `longest`:
  /// seconds after which a step is killed; 0: it may take as long as it likes.
  ChildEnd run(Child child, const std::function<void(int pipe)>& become, std::int64_t longest = 0);

  std::int64_t started_ms() const { return started_ms_; } ///< the last child
  pid_t pid() const { return child_; }                    ///< likewise, also when it is gone
  /// On command, whichever ran: it was killed or asked to end.
  bool is_to_end() const { return is_killed_ || gives_way_; }
  bool is_hung_up() const { return is_hung_up_; } ///< likewise: nobody is at its terminal
  bool is_moving() const { return is_moving_; }   ///< likewise: it will run again elsewhere
  /// Of the job's process, once it was checkpointed; 0: it never was.
  std::int64_t saved_pid() const { return saved_pid_; }
  bool is_limit_reached() const { return is_limit_reached_; }
  bool is_fenced() const { return is_fenced_; }
  /// Which limit of all processes of the job was exceeded, for people; "": none.
  const std::string& exceeded() const { return exceeded_; }
  const TaskUsage& usage() const { return meter_.usage(); } ///< of all children so far
  std::int64_t limit() const { return limit_; } ///< of the job's own process, in seconds; 0: none

  /// Ends what a child has left behind; the next one may follow.
  void end_descendants();
  void renew_cgroup();
  const std::string& cgroup() const { return cgroup_; } ///< "" where there is none

private:
  void watch();
  void take_complaint();
  void take_signals();
  pid_t reap(int& status);
  void accept_connection();
  void take_commands(int connection);
  void take_limit();
  void set_limit();
  void check_deadlines();
  void begin_measuring();
  void check_usage();
  void say_usage(int connection) const;
  bool notify(std::int64_t signal, Deadlines::Kind then);
  void suspend();
  void resume();
  void terminate();
  void give_way();
  void ask_to_end();
  void hang_up();
  void carry_out(const SignalMethod& method);
  void checkpoint();
  void move();
  void end_at_notice();
  void let_finish();
  void note_saved();
  void say_saved(int connection) const;
  bool begin_beside(const char* name, const ShepherdProcess& command, bool is_of_move);
  void end_side_command();
  void side_command_ended(bool has_saved);
  pid_t start_beside(const ShepherdProcess& command);
  void signal_all(int signal);

  const ShepherdOrder& order_;
  const int control_, progress_;
  const std::string limit_file_;
  std::string cgroup_;
  int signals_ = -1, complaint_ = -1; ///< the child's, until it has begun
  pid_t child_ = -1;
  ChildEnd end_;
  std::int64_t started_ms_ = 0;
  std::int64_t limit_ = 0;
  TaskLimits task_limits_;
  MemoryLimit memory_limit_;
  UsageMeter meter_;
  std::int64_t measured_before_job_ = 0, measure_wait_ms_ = 0;
  std::string exceeded_;
  Deadlines deadlines_;
  bool is_job_ = false, is_kept_ = false, has_ended_ = false, told_running_ = false;
  bool is_suspended_ =
      false; ///< an order to stop or to go on is carried out once, however often told
  bool is_killed_ = false, gives_way_ = false, is_moving_ = false, is_hung_up_ = false,
       is_limit_reached_ = false, is_fenced_ = false;
  bool is_cgroup_killed_ = false, is_terminated_ = false;
  SideCommand side_;
  std::int64_t saved_pid_ = 0;
  std::vector<int> connections_;
  std::vector<const SignalMethod*> due_methods_; ///< of the order, once the child has begun
};

} // namespace almanac
