// Sees what all hosts and the store of a simulated cluster do, and compares it with what must
// always hold (core/monitor/invariants.hpp).
#pragma once

#include "core/monitor/monitor.hpp"
#include "core/monitor/quota_watch.hpp"
#include "tools/simulator/chaos/broken.hpp"
#include "tools/simulator/world/virtual_world.hpp"

#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace almanac {

class Witness {
public:
  Witness(VirtualWorld& world, const std::vector<std::string>& hosts, int mutation);

  /// From now on it looks at who asked for a change and who told of an end, too.
  void expect_mischief() { looks_at_inputs_ = true; }
  /// Somebody has the keys of this host: what happens there from now on says nothing.
  void distrust(const std::string& host);

  /// Between two messages: throws what was found since the last look.
  void look();
  /// All records as they are stored, instead of what has changed.
  void full_check();
  /// Once all is healed and heard: the hosts do with each task what its record says of suspension.
  void check_suspension() const;

  const Records& records() const { return records_; }
  /// Names of jobs that had a task on a host that is not trusted.
  const std::set<std::string>& ill_fated() const { return ill_fated_; }
  Monitor& monitor() { return monitor_; }
  std::int64_t commits() const { return commits_; }
  /// True once after a batch was lost, or is there although fsync failed.
  bool take_failure() { return std::exchange(went_wrong_, false); }

private:
  void complain(Invariant invariant, std::string what);
  void begin();
  void check_scripts(const RecordSet& records) const;
  RecordSet stored() const;
  void commit(const std::vector<store::Write>& batch, MemoryJournal::Fate fate);
  void note_write(const store::Write& write);
  void apply_effects();
  void note_task(const store::Write& write);
  void note_input(const JournaledInput& journaled);
  void note_commit(const JournaledInput& journaled);
  void check_commit();
  bool may_give_way(const Task& before, Task after) const;
  template <class Fact> void note_end(const Fact& fact);
  void note_hosts(const Task& task);
  void check_owner(const store::Write& write);
  void check_kept(const store::Write& write);
  bool is_trusted(const std::string& host) const { return !distrusted_.contains(host); }
  const Task* active(const Attempt& attempt) const;
  void ordered(const std::string& host, const Attempt& attempt, bool kills);
  void mutate(Job& job) const;
  void mutate(Task& task) const;
  void mutate(Reservation& reservation) const;
  void mutate(SettledTransaction& settled) const;
  void mutate(AccountingRecord& record) const;
  void mutate(ConfigurationObject& object) const;

  static std::string named(const Attempt& attempt);
  void started(const std::string& host, Attempt attempt);
  void ended(const std::string& host, const Attempt& attempt);

  VirtualWorld& world_;
  int mutation_;
  Records records_;
  Monitor monitor_{records_};
  QuotaWatch quotas_{records_};
  std::vector<Effect> effects_; ///< of the input that is noted
  std::set<std::string> distrusted_, ill_fated_;
  std::optional<Caller> asker_; ///< of the input whose effects come next; root's own door: nobody
  Instant input_time_;          ///< of that input
  int changes_ = 0;             ///< of that input, so far
  bool is_command_ = false, looks_at_inputs_ = false;
  std::optional<TransactionKey>
      to_commit_; ///< what the input whose effects come next has to commit
  std::map<std::pair<Attempt, std::string>, int> starts_;
  std::map<TaskId, std::set<std::string>> running_;
  std::map<TaskId, std::int64_t> newest_;
  std::optional<Violation> found_;
  std::int64_t commits_ = 0;
  bool went_wrong_ = false;
};

} // namespace almanac
