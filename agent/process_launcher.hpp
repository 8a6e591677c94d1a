// The launcher port on a real machine: spools orders, and has the helper do what needs its rights.
//
// One thread does what may block (spooling, asking, reading ends); it learns of ends through
// connections to the shepherds. Events are told from that thread. It begins with adopt(), and the
// destructor waits for it: what was ordered and not yet begun is dropped, what runs goes on.
#pragma once

#include "actors/ports/launcher.hpp"
#include "agent/helper_client.hpp"
#include "agent/spool.hpp"

#include <condition_variable>
#include <deque>
#include <map>
#include <mutex>
#include <thread>

namespace almanac {

struct LauncherSettings {
  std::string host;
  std::string nonce;   ///< of the helper, the first one
  std::string address; ///< where other agents reach this one; see set_address()
};

class ProcessLauncher : public Launcher {
public:
  ProcessLauncher(LauncherSettings settings, Spool spool, HelperClient helper);
  ~ProcessLauncher() override;

  /// Before anybody asks for facts().
  void set_address(std::string address) { settings_.address = std::move(address); }

  std::vector<session::TaskReport> adopt(Events events) override;
  void launch(const session::Launch& order) override;
  void control(const Attempt& attempt, session::TaskAction action) override;
  void forget(const Attempt& attempt) override;
  void start_inherited(const Attempt& attempt, const InheritedStart& start) override;
  void write_input(const Attempt& attempt, std::int64_t call, const std::string& content,
                   bool end) override;
  void take_output(const Attempt& attempt, std::int64_t call, std::int64_t bytes) override;
  std::optional<session::Launch> order_of(const Attempt& attempt) const override;
  std::vector<Attempt> attempts_of(JobNumber job_number) const override;
  std::string nonce() const override;
  HostFacts facts() const override;
  HostLoad load() const override;
  std::int64_t lease_clock() const override;
  void keep_lease(std::int64_t asked) override;

private:
  // One shepherd: of a task (call 0) or of a process of qrsh -inherit.
  struct Watched {
    Attempt attempt;
    std::int64_t call = 0;
    std::int64_t helpers_call = 0; ///< its number at the helper: that of who has ordered it
    int connection = -1;
    int progress = -1; ///< what the shepherd writes down
    bool running = false;
    bool ended = false;
    int output = -1, error = -1;      ///< the reading ends of what it writes; of calls alone
    std::int64_t untaken = 0;         ///< bytes that were told and not yet read by who asked
    std::optional<ExitRecord> record; ///< of a call that has ended, until its output is told
    int input = -1;                   ///< the writing end of its standard input
    std::string input_left;           ///< not written yet
    bool input_ends = false;          ///< nothing more comes
  };
  void later(std::function<void()> work);
  void loop();
  void wake();
  void renew_nonce();
  void note_nonce(const HelperReply& reply);
  static void close_files(Watched& watched);
  void hear(Watched& watched);
  void ended(Watched& watched);
  void tell(const Attempt& attempt, session::TaskPhase phase, bool began, const ExitRecord& record,
            bool user_fault = false);
  session::TaskReport stamped(session::TaskReport report) const;
  std::optional<session::TaskReport> adopt_one(const Attempt& attempt, bool rebooted);
  void note_reboot(const Attempt& attempt, const TaskProgress& progress);
  void go_on(Watched watched);
  void keep_order(const session::Launch& order);
  // Also what ended before it could be spooled.
  bool is_here(const Attempt& attempt) const {
    return order_of(attempt) || spool_.progress(attempt).noted;
  }
  void begin_task(const session::Launch& order);
  void fail(const session::Launch& order, const HelperReply& why);
  TaskProgress progress_of(const Watched& watched) const;
  bool is_first_host(const session::Launch& order) const {
    return order.parts.front().host == settings_.host;
  }
  Outcome start_call(const session::Launch& order, const InheritedStart& start);
  void send_output(Watched& watched);
  void send_piece(Watched& watched, int& file, bool error);
  void pass_input_on(Watched& watched);
  void send_command(const Watched& watched, const char* command);

  LauncherSettings settings_;
  Spool spool_;
  Events events_;
  HelperClient helper_; ///< of the thread, once it runs

  mutable std::mutex mutex_; // guards orders_, work_ and nonce_
  std::map<Attempt, session::Launch> orders_;
  std::deque<std::function<void()>> work_;
  bool stopping_ = false;
  std::string nonce_;
  std::int64_t nonce_due_ms_ = 0; ///< when the helper is asked for another one; of the thread
  int wake_file_ = -1;

  std::map<std::pair<Attempt, std::int64_t>, Watched> watched_; // of the thread
  std::thread thread_;
};

} // namespace almanac
