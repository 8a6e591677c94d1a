// What an agent needs of its machine: spool, shepherds, processes.
//
// Threads: adopt() is called first, once, and may take a while. After that every function may be
// called from any thread, by several at a time; each returns at once. What comes of it is told
// through Events, from any thread, perhaps before the function has returned.
//
// Orders are carried out in the order in which they were given. What concerns an attempt that is not
// here does nothing; only a process that cannot be started is told to have ended.
#pragma once

#include "core/job/exit_record.hpp"
#include "schema/session_messages.hpp"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace almanac {

/// A process for a job's part, started by qrsh -inherit.
struct InheritedStart {
  std::int64_t call = 0; ///< chosen by the caller
  std::vector<std::string> command;
  std::vector<Attribute> environment;
  std::string directory;
  bool input = false; ///< it reads what write_input() brings; else /dev/null
  /// Of the agent of the task's first host: its number of the call, and its signature over what is
  /// to be run (schema/warrant.hpp).
  std::int64_t number = 0;
  Bytes proof{};
  /// No process of its own: the job's, which is interactive, begins now, and its streams are those of
  /// the call. Once in the life of an attempt.
  bool attaches = false;
  TerminalSize terminal{0, 0}; ///< of who attaches
};

class Launcher {
public:
  struct Events {
    std::function<void(session::TaskReport)> report; ///< spooled, running, ended
    std::function<void(std::int64_t call, std::string content, bool error)> output;
    std::function<void(std::int64_t call, ExitRecord record)> call_ended;
    /// So many bytes more of its input may come: what is sent beyond that may be lost.
    std::function<void(std::int64_t call, std::int64_t bytes)> input_room{};
  };

  virtual ~Launcher() = default;

  /// Starts to watch what lies in the spool; reports each task found there. Before anything else.
  virtual std::vector<session::TaskReport> adopt(Events events) = 0;
  /// Spools durably, then starts; an interactive job waits for who attaches, and is reported as
  /// spooled. A repetition for the same attempt does nothing and reports
  /// nothing until the attempt is forgotten, whatever became of it: that was reported before.
  virtual void launch(const session::Launch& order) = 0;
  virtual void control(const Attempt& attempt, session::TaskAction action) = 0;
  /// The master's word that the job's own process may run for longer (LimitWarrant).
  virtual void prolong(const Attempt& attempt, const Bytes& warrant, const Bytes& signature) = 0;
  /// Ends what still runs of the attempt and removes its spool.
  virtual void forget(const Attempt& attempt) = 0;
  /// A process within the attempt's part on this host.
  virtual void start_inherited(const Attempt& attempt, const InheritedStart& start) = 0;
  /// Standard input of such a process; `end`: there is no more.
  virtual void write_input(const Attempt& attempt, std::int64_t call, const std::string& content,
                           bool end) = 0;
  /// So many bytes of such a process's output have been read by whoever asked for it: only a little
  /// more than what has been taken is told.
  virtual void take_output(const Attempt& attempt, std::int64_t call, std::int64_t bytes) = 0;
  /// Whoever sits at its terminal has another size now.
  virtual void resize(const Attempt&, std::int64_t, const TerminalSize&) {}
  /// Whoever asked for the process has gone: it hears SIGHUP, and ends.
  virtual void hang_up(const Attempt&, std::int64_t) {}
  /// The order that an attempt was launched with; nothing if it is not spooled here.
  virtual std::optional<session::Launch> order_of(const Attempt& attempt) const = 0;
  /// Attempts of the job with this number, newest first.
  virtual std::vector<Attempt> attempts_of(JobNumber job_number) const = 0;

  /// Milliseconds of a clock that goes on while the machine sleeps.
  virtual std::int64_t lease_clock() const = 0;
  /// The master has granted what was asked for at that time: tasks with a fence go on.
  virtual void keep_lease(std::int64_t asked) = 0;

  /// What the master's warrants for this host have to name; "" where nobody looks at them.
  virtual std::string nonce() const { return {}; }
  /// Which load sensors run here: a SensorOrder, signed by the master; empty for none.
  virtual void use_sensors(const Bytes&, const Bytes&) {}
  /// Has them report; load() says what they have reported.
  virtual void ask_sensors() {}
  /// Has it measured what the tasks here use; usages() says it a moment later.
  virtual void ask_usage() {}
  /// Of the tasks that run, as was heard last; none where nothing is measured.
  virtual std::vector<session::TaskUse> usages() const { return {}; }
  virtual HostFacts facts() const = 0;
  virtual HostLoad load() const = 0;
};

} // namespace almanac
