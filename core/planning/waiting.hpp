// Who waits, by classes: jobs that the search for a place can't tell apart, first in first out.
//
// 1. Derived from the jobs' records alone, in step with them: State says what has changed. A job that
//    waits for its execution time does so until somebody asks who is startable().
// 2. A class is dirty when a job of it may have become startable; a pass looks at those alone.
// 3. Jobs for which something is held stand apart, in the order of their rank (the negated
//    priority, or what the keys of sched_conf make of the job).
#pragma once

#include "core/answer/statement.hpp"
#include "core/configuration/configuration.hpp"
#include "core/job/job.hpp"
#include "core/policy/priority.hpp"
#include "core/policy/job_rank.hpp"
#include "core/records/task_tally.hpp"

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>

namespace almanac {

struct ClassRequest;
class Snapshot;

/// What a job takes up beside what it asks for, and what it takes to let go of those it waits for.
std::int64_t bytes_beside(const std::vector<JobKey>& predecessors, std::size_t ranges_left);

class Waiting {
public:
  struct Class {
    std::set<JobKey> jobs;    ///< those that may be placed and have no holds
    std::int64_t members = 0; ///< all jobs of the class, with those that run or are held
    bool dirty = false;
    std::shared_ptr<const ClassRequest> wanted; ///< what they ask for, made when first asked
    Party party;                                ///< whose tickets they have
    /// The cluster queue that they belong to, found when first asked; "": none suits them.
    std::optional<std::string> queue;
  };

  /// The job's record has changed; nullptr: it is gone.
  void refresh(const Configuration& configuration, JobKey key, const Job* job,
               const TaskTally& tally, Instant now);
  /// Any waiting job may fit now.
  void disturb();
  /// What is held may have to move, since something was lost; `cause` says what.
  void unsettle(std::optional<Statement> cause);
  /// Only what is held for these jobs.
  void unsettle(Statement cause, const std::set<JobKey>& holders);
  /// Booked time until `end` has been given back.
  void note_early_end(Instant end) { freed_until_ = std::max(freed_until_, end); }
  /// Names may mean something else from now on.
  void forget_class_requests();
  /// Jobs whose execution time has come; they are to be refreshed.
  std::vector<JobKey> startable(Instant now) const;

  /// Jobs of which a task has rested for long enough.
  std::vector<JobKey> rested(Instant now) const;

  std::map<std::string, Class>& classes() { return classes_; }
  const std::map<std::string, Class>& classes() const { return classes_; }
  /// The class of a job, whether the job is among those that may be placed or not.
  Class& class_of(JobKey key) { return *members_.at(key).home; }
  const Class& class_of(JobKey key) const { return *members_.at(key).home; }
  /// The job asks for something else from now on.
  void leave_class(JobKey key);

  /// Holders that have to be looked at: all of them after a loss or an early end.
  std::set<JobKey>& unsettled() { return unsettled_; }
  /// True once after time was given back that lies behind `now`.
  bool take_early_ends(Instant now);
  const std::optional<Statement>& cause() const { return cause_; }
  void settle();

  /// Ranks of the holders; the lowest rank is the highest priority.
  const std::set<std::pair<JobRank, JobKey>>& holders() const { return ranked_; }
  void rank(JobKey key, JobRank rank);
  /// As it was given last.
  const JobRank& rank_of(JobKey key) const { return members_.at(key).rank; }
  /// All holds together.
  std::int64_t holds() const { return holds_; }
  /// Holders whose time has come.
  std::vector<JobKey> due(Instant now) const;

  Instant next_hold_start() const {
    return hold_starts_.empty() ? Instant::never() : hold_starts_.begin()->first;
  }

  /// Whether it is what the records make of it. Costs as much as to make it anew; for tests and the
  /// simulator.
  bool agrees(const Snapshot& state, Instant now) const;

  /// What the jobs of that user take up, in bytes.
  std::int64_t kept_bytes_of(const std::string& user) const;

  bool in_a_pass = false; ///< the last slice left something to look at
  Instant next_sweep;     ///< when all classes are looked at again, whatever has happened

private:
  struct Member {
    Class* home = nullptr;
    bool is_in = false;                    ///< among the home's jobs
    Instant execution_time;                ///< > 0: waits for it
    Instant rest_end = Instant::never();   ///< of the first task that rests
    Instant hold_start = Instant::never(); ///< the first
    std::int64_t holds = 0;
    JobRank rank;
    std::int64_t bytes = 0;  ///< that it takes up
    std::int64_t beside = 0; ///< bytes_beside()
    std::string user;
    bool is_like(const Member& other) const;
  };
  void take_out(JobKey key, Member& member);
  void find_home(const Job& job, Member& member);
  bool has_members_of(const Waiting& other) const;
  bool has_classes_of(const Waiting& other) const;
  bool is_home_of(const Job& job, const Class& home) const;

  std::map<std::string, Class> classes_;
  std::map<JobKey, Member> members_;
  std::set<std::pair<Instant, JobKey>> later_, rests_, hold_starts_;
  std::set<std::pair<JobRank, JobKey>> ranked_;
  std::set<JobKey> unsettled_;
  std::map<std::string, std::int64_t> kept_;
  std::int64_t holds_ = 0;
  Instant freed_until_;
  std::optional<Statement> cause_;
};

/// How many more tasks the job may have running, as far as the limits of arrays go; those that wait
/// count only. None where all have to start at once, and not all may.
std::int64_t startable_tasks(const Configuration& configuration, const Job& job,
                             const TaskTally& tally);

/// What makes two waiting jobs equal for the search.
std::string class_name(const Job& job);

} // namespace almanac
