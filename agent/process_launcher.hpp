// The launcher port on a real machine: spools orders, and has the helper do what needs its rights.
//
// One thread does what may block (spooling, asking, reading ends); it learns of ends through
// connections to the shepherds. Events are told from that thread. It begins with adopt(), and the
// destructor waits for it: what was ordered and not yet begun is dropped, what runs goes on.
#pragma once

#include "actors/ports/launcher.hpp"
#include "agent/adoption.hpp"
#include "agent/calls.hpp"
#include "agent/helper_client.hpp"
#include "agent/load_sensors.hpp"
#include "agent/spool.hpp"
#include "agent/watched_shepherd.hpp"

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
  void prolong(const Attempt& attempt, const Bytes& warrant, const Bytes& signature) override;
  void forget(const Attempt& attempt) override;
  void start_inherited(const Attempt& attempt, const InheritedStart& start) override;
  void write_input(const Attempt& attempt, std::int64_t call, const std::string& content,
                   bool end) override;
  void take_output(const Attempt& attempt, std::int64_t call, std::int64_t bytes) override;
  void resize(const Attempt& attempt, std::int64_t call, const TerminalSize& size) override;
  void hang_up(const Attempt& attempt, std::int64_t call) override;
  std::optional<session::Launch> order_of(const Attempt& attempt) const override;
  std::vector<Attempt> attempts_of(JobNumber job_number) const override;
  std::string nonce() const override;
  void use_sensors(const Bytes& order, const Bytes& signature) override;
  void ask_sensors() override;
  void ask_usage() override;
  std::vector<session::TaskUse> usages() const override;
  HostFacts facts() const override;
  HostLoad load() const override;
  std::int64_t lease_clock() const override;
  void keep_lease(std::int64_t asked) override;

private:
  void later(std::function<void()> work);
  void loop();
  bool do_work();
  void wake();
  void renew_nonce();
  void note_nonce(const HelperReply& reply);
  void note_usage(const Attempt& attempt);
  void note_load_values();
  void note_bound_cores();
  void keep_order(const session::Launch& order);
  void move_away(const Attempt& attempt);
  bool is_asked_to_end(session::TaskAction action,
                       const std::optional<session::Launch>& order) const;
  void tell_running(const WatchedShepherd& task);
  // Also what ended before it could be spooled.
  bool is_here(const Attempt& attempt) const {
    return order_of(attempt) || spool_.progress(attempt).noted;
  }
  bool is_first_host(const session::Launch& order) const {
    return almanac::is_first_host(order, settings_.host);
  }
  void begin_task(const session::Launch& order);
  void attach(const session::Launch& order, const InheritedStart& start);
  /// Of an interactive job that nobody has attached to yet.
  bool awaits_client(const session::Launch& order) const;
  void wait_for_client(const session::Launch& order);
  void end_unattached(const session::Launch& order);
  void hang_up_adopted(const Attempt& attempt);
  void tell_drained(const Attempt& attempt);
  void fail(const session::Launch& order, const HelperReply& why);
  void go_on(WatchedShepherd task);
  void hear(WatchedShepherd& task);
  void ended(WatchedShepherd& task);
  struct End {
    bool began = false;
    ExitRecord record;
    bool user_fault = false;
  };
  void tell(const Attempt& attempt, session::TaskPhase phase, bool began, const ExitRecord& record,
            bool user_fault = false);
  session::TaskReport stamped(session::TaskReport report) const;

  LauncherSettings settings_;
  Spool spool_;
  Events events_;
  HelperClient helper_;        ///< of the thread, once it runs
  const std::string topology_; ///< of the machine

  mutable std::mutex mutex_; // guards orders_, usages_, bound_, load_values_, work_ and nonce_
  std::map<Attempt, session::Launch> orders_;
  std::map<Attempt, TaskUsage> usages_;            ///< of those that run
  std::map<Attempt, std::vector<CoreName>> bound_; ///< cores of those that have some
  std::vector<LoadValue> load_values_;             ///< as load sensors have reported them
  std::deque<std::function<void()>> work_;
  bool stopping_ = false;
  std::string nonce_;
  std::int64_t nonce_due_ms_ = 0; ///< when the helper is asked for another one; of the thread
  int wake_file_ = -1;

  std::map<Attempt, WatchedShepherd> tasks_; // of the thread, as calls_
  Calls calls_;
  LoadSensors sensors_;         ///< of the thread, too
  std::map<Attempt, End> ends_; ///< not told before the client has all that the job wrote
  std::thread thread_;
};

} // namespace almanac
