// The world as the simulator has it: time that jumps, a store in memory, jobs that only take time.
#pragma once

#include "actors/ports/clock.hpp"
#include "actors/ports/hook_runner.hpp"
#include "actors/ports/journal.hpp"
#include "actors/ports/launcher.hpp"
#include "actors/ports/notebook.hpp"

#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <string>
#include <vector>

namespace almanac {

class VirtualClock : public Clock {
public:
  Instant now() const override { return {(milliseconds + ahead_ms) / 1000}; }
  Instant steady() const { return {milliseconds / 1000}; }
  std::int64_t ahead_ms = 0;                     ///< what the wall clock has jumped
  std::int64_t milliseconds = 1'795'176'000'000; // 20 November 2026, 12:00 UTC
};

/// Outlives the master: what was committed stays.
class MemoryJournal : public Journal {
public:
  Commit commit(const std::vector<store::Write>& batch, Term term) override;
  std::optional<std::string> get(store::Family family, const std::string& key) const override;
  void scan_from(store::Family family, const std::string& from, const Visit& visit) const override;
  std::optional<std::string> last(store::Family family) const override;
  std::shared_ptr<const Archive> snapshot() const override {
    return std::make_shared<MemoryJournal>(*this);
  }
  bool has_space() const override { return !full; }

  Term term;
  bool full = false; ///< the disk is: new work is refused
  /// What becomes of a batch. Lost: torn, for the machine goes down; unsure: it is there, but fsync
  /// failed. Either way the master ends before its next message.
  enum class Fate { durable, lost, unsure };
  Fate next_fate = Fate::durable; ///< of one batch
  std::function<void(const std::vector<store::Write>& batch, Fate fate)> on_commit;

private:
  std::map<store::Family, std::map<std::string, std::string>> families_;
};

/// The simulated master is stopped between two messages, never with a request in hand.
class IdleNotebook : public Notebook {
public:
  void note(std::string_view) override {}
  bool is_poison(const std::string&) const override { return false; }
  int crashes_over(const std::string&) const override { return 0; }
};

/// Hooks take no time, and succeed unless their program is called "false"; "cat" finds no file.
class VirtualHooks : public HookRunner {
public:
  HookOutcome run(const HookRun& run) override {
    if (run.words.empty()) return {"there is no program", ""};
    const auto& program = run.words.front();
    const bool reads = program.ends_with("/cat") && run.words.size() > 1;
    if (!reads && !program.ends_with("/false")) return {};
    const auto said =
        reads ? program + ": " + run.words[1] + ": No such file or directory\n" : std::string();
    return {program + " exited with 1", said, said};
  }
};

/// A host's spool and shepherds; outlives its agent. A job takes as long as its "sleep" or its line
/// "# sim: runs SECONDS exits CODE" says, one second otherwise. SIGTERM ends one that gives way, but
/// not where a line is "# sim: ignores SIGTERM". A load sensor says what the lines
/// "# sim: says HOST:NAME:VALUE" of its file say.
class VirtualLauncher : public Launcher {
public:
  VirtualLauncher(const VirtualClock& clock, std::string host)
      : clock_(clock), host_(std::move(host)) {}

  std::vector<session::TaskReport> adopt(Events events) override;
  void launch(const session::Launch& order) override;
  void control(const Attempt& attempt, session::TaskAction action) override;
  void prolong(const Attempt& attempt, const Bytes& warrant, const Bytes& signature) override;
  void forget(const Attempt& attempt) override;
  void start_inherited(const Attempt& attempt, const InheritedStart& start) override;
  void write_input(const Attempt&, std::int64_t, const std::string&, bool) override {}
  void take_output(const Attempt&, std::int64_t, std::int64_t) override {}
  std::optional<session::Launch> order_of(const Attempt& attempt) const override;
  std::vector<Attempt> attempts_of(JobNumber job_number) const override;
  std::int64_t lease_clock() const override { return clock_.milliseconds; }
  void keep_lease(std::int64_t asked) override { lease_ = std::max(lease_, asked); }
  HostFacts facts() const override;
  HostLoad load() const override;
  void use_sensors(const Bytes& order, const Bytes& signature) override;

  /// Told of each start and each end of a job's own process on this host.
  std::function<void(const Attempt& attempt, bool starts)> on_process;
  /// Told of each order to end what still runs of an attempt here, or to start more of it.
  std::function<void(const Attempt& attempt, bool kills)> on_order;
  /// Whether what there was of it here has ended.
  bool has_ended(const Attempt& attempt) const;
  /// Whether it is suspended.
  bool stands(const Attempt& attempt) const;
  /// The machine starts anew: what ran is gone, what was spooled is still there.
  void reboot();

  /// The agent is gone: nobody is told until the next one adopts.
  void lose_agent() { events_ = {}; }
  /// When the next job ends; Instant::never() for none. In milliseconds.
  std::int64_t next_end() const;
  /// Ends what is due.
  void advance();

  /// What is spooled, a line each.
  std::string print() const;

  /// How often each attempt was started: more than once is a bug.
  const std::map<Attempt, int>& starts() const { return starts_; }

private:
  static constexpr auto no_end = std::numeric_limits<std::int64_t>::max();
  static constexpr std::int64_t by_sigkill = 128 + 9, by_sigterm = 128 + 15; ///< exit statuses
  struct Running {
    session::Launch order;
    bool began = true, ended = false, suspended = false;
    std::int64_t started = 0, done_at = no_end; ///< milliseconds
    std::int64_t left = 0;                      ///< of its work while it is suspended, likewise
    std::int64_t limit = 0;                     ///< seconds; no limit: 0
    std::int64_t killed_at = no_end;            ///< milliseconds, of one that gives way
    std::int64_t killed_by = by_sigkill;        ///< its exit status then
    bool ignores_sigterm = false;
    ExitRecord record;
  };
  session::TaskReport report(const Running& running) const;
  void tell(const Running& running) const;
  void end(Running& running);
  void kill(Running& running, std::int64_t exit_status);
  void give_way(Running& running);
  static std::int64_t limit_at(const Running& running);
  static std::int64_t end_of(const Running& running);
  void fence(Running& running);
  std::int64_t fenced_at(const Running& running) const;

  const VirtualClock& clock_;
  std::string host_;
  Events events_;
  std::map<Attempt, Running> tasks_;
  std::map<Attempt, int> starts_;
  std::vector<std::string> sensors_; ///< files
  int boots_ = 0;
  std::int64_t lease_ = 0; ///< when the last renewal that was granted was asked for
};

} // namespace almanac
