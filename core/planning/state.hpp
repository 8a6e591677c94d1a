// The planner's state: records, and what is derived from them (ledgers, indexes).
//
// Records are changed through edit_…() and add_…(), which note what has to be stored.
// The ledger is kept in step by book_…() and release_…(): a restored state books the same.
#pragma once

#include "core/admission/rewriting.hpp"
#include "core/matching/capacity_index.hpp"
#include "core/matching/closures.hpp"
#include "core/matching/instance_order.hpp"
#include "core/planning/decisions.hpp"
#include "core/job/whole_job.hpp"
#include "core/planning/waiting.hpp"
#include "core/records/task_tally.hpp"
#include "core/utilization/ledger.hpp"

#include <map>
#include <set>
#include <string>
#include <tuple>
#include <utility>

namespace almanac {

/// Some of the tasks, in the order of jobs and numbers. None may be put or erased while it is walked.
class TaskList {
public:
  using Table = std::map<TaskId, TaskPtr>;
  class Iterator {
  public:
    explicit Iterator(Table::const_iterator at) : at_(at) {}
    const Task& operator*() const { return *at_->second; }
    Iterator& operator++() { return ++at_, *this; }
    bool operator!=(const Iterator& other) const { return at_ != other.at_; }

  private:
    Table::const_iterator at_;
  };
  TaskList(Table::const_iterator first, Table::const_iterator last) : first_(first), last_(last) {}
  Iterator begin() const { return Iterator(first_); }
  Iterator end() const { return Iterator(last_); }

private:
  Table::const_iterator first_, last_;
};

class State {
public:
  // Indexes point into what they index: a copy would point into the original.
  State() = default;
  State(State&&) = default;
  State& operator=(State&&) = default;
  static Result<State> restore(Records records);

  Configuration configuration;

  const std::map<JobKey, JobPtr>& jobs() const { return jobs_; }
  const std::map<ReservationKey, Reservation>& reservations() const { return reservations_; }
  const std::map<std::string, HostState>& hosts() const { return hosts_; }
  const std::map<InstanceName, InstanceState>& instances() const { return instances_; }
  const std::map<std::string, HostKey>& host_keys() const { return host_keys_; }
  const Counters& counters() const { return counters_; }

  const Job* job(JobKey key) const;
  const Job* job_by_number(JobNumber number) const;
  const Task* task(const TaskId& id) const;
  /// Those of the job that have records.
  TaskList tasks_of(JobKey key) const;
  TaskList tasks() const { return {tasks_.begin(), tasks_.end()}; }
  const TaskList::Table& task_table() const { return tasks_; }
  const TaskTally& tally(JobKey key) const { return tallies_.of(key); }
  WholeJob whole(const Job& job) const;
  const Reservation* reservation(ReservationKey key) const;
  const Reservation* reservation_by_number(ReservationNumber number) const;
  const HostState& host(const std::string& name) const; ///< a default one where nothing is stored
  const InstanceState& instance(const InstanceName& name) const; ///< likewise
  const HostKey& host_key(const std::string& host) const;        ///< likewise
  const HostState& host_of(const QueueInstance& instance) const {
    return *host_states_[instance.host_index];
  }
  const InstanceState& condition_of(const QueueInstance& instance) const {
    return *instance_states_[position_of(configuration, instance)];
  }

  /// Keys up to this one were given by records that are lost: what comes gets others. All that is
  /// skipped between two starts of the master is at most a million keys; what is beyond is not
  /// believed.
  void skip_keys(std::int64_t highest);
  void believe_anew();                                             ///< a master has been started
  std::int64_t next_key() const { return counters_.last_key + 1; } ///< of what is added next
  Job& add_job();                                                  ///< with a new key and number
  Reservation& add_reservation();                                  ///< likewise
  Job& edit_job(JobKey key);
  /// What the task holds is booked for it, and given back, with each change.
  template <class Change> void edit(const TaskId& id, Change change) {
    auto after = std::make_shared<Task>(*tasks_.at(id));
    change(*after);
    put(std::move(after));
  }
  void put(Task task) { put(std::make_shared<const Task>(std::move(task))); }
  void erase(const TaskId& id);
  Reservation& edit_reservation(ReservationKey key);
  HostState& edit_host(const std::string& name);
  HostKey& edit_host_key(const std::string& host);
  InstanceState& edit_instance(const InstanceName& name);
  void erase_job(JobKey key);
  void erase_reservation(ReservationKey key);
  void replace_configuration(Configuration::Changed changed);
  void account(AccountingRecord record); ///< numbers it
  void send(Letter letter);              ///< numbers it; it has the time of the input
  void switch_passes(bool off);

  /// Key of a job whose predecessors are all gone, and which does not know it yet; none otherwise.
  JobKey waits_for_nobody() const;
  void stop_waiting(JobKey key);
  /// Whether this input may write the job and its tasks anew, in so many bytes; a job of which it
  /// has written something counts once.
  bool may_write(JobKey key, std::int64_t bytes) {
    return touched_jobs_.contains(key) || rewriting_.has_room_for(bytes);
  }
  /// Before a job that asks for this is placed or added.
  void expect(const JobRequest& request);
  /// Notes whom a new job waits for, and in which reservation it is.
  void index(const Job& job);
  bool has_jobs(ReservationKey reservation_key) const {
    return reservation_jobs_.contains(reservation_key);
  }
  /// Keys of the jobs of a reservation, ascending.
  std::vector<JobKey> jobs_of(ReservationKey reservation_key) const;
  /// Keys of the jobs that have something booked for a task, ascending; of a reservation's jobs
  /// within it.
  std::vector<JobKey> jobs_with_bookings() const;

  /// Who waits, by classes; in step with the records after each input and each reindex().
  Waiting& waiting() { return waiting_; }
  const Waiting& waiting() const { return waiting_; }
  void reindex(JobKey job_key, Instant now);
  const InstanceOrder& instance_order() const { return instance_order_; }
  /// By position: whether something may be held there; it is neither off nor out of reach.
  const std::vector<char>& healthy() const;
  /// Brings the order of hosts up to date with what they report and with what was started.
  void refresh_order(Instant now);
  /// The order of all hosts is to be looked at: time has passed.
  void unsettle_order() { all_places_stale_ = true; }
  /// Tasks started lately on the host, in millionths of a task: each counts for what is left of
  /// load_adjustment_decay_time.
  std::int64_t started_lately(std::size_t host_index, Instant now) const;
  /// Job and task of all that hold something on the host, ascending.
  std::set<TaskId> tasks_on(const std::string& host) const;
  /// Keys of the reservations that have a part on the host, ascending.
  std::set<ReservationKey> reserved_on(const std::string& host) const;
  /// The active task whose booking ended first, at or before `now`; nothing if none has.
  std::optional<TaskId> overdue(Instant now) const;
  /// What reserved instances are like has changed: reservations are to be repaired, or it undone.
  void want_repair() { repair_wanted_ = true; }
  bool take_repair_wanted() { return std::exchange(repair_wanted_, false); }
  const Closures& closures() const { return closures_; }
  /// When a calendar opens or closes an instance next.
  Instant next_turn() const { return next_turn_; }
  void set_next_turn(Instant next) { next_turn_ = next; }
  /// Forgets what is not in the records (design.md section 3, Replay).
  void restarted(Instant now, TimeZone zone = {});
  /// The host on which the master was started; "" before it told.
  const std::string& master_host() const { return master_host_; }
  void set_master_host(const std::string& host) { master_host_ = host; }

  /// Bookings of all the cluster's jobs, holds and reservations.
  const Ledger& ledger() const { return ledger_; }
  /// The same without holds, jobs without a limit being endless; nullptr where that makes no
  /// difference that matters: where no job is taken for shorter than it may be.
  const Ledger* firm_ledger() const { return firm_ ? &*firm_ : nullptr; }
  /// Bookings of reservations alone; there where the firm ledger is.
  const Ledger* reserved_ledger() const { return reserved_ ? &*reserved_ : nullptr; }
  /// Slots booked in all queue instances together.
  const Diagram& all_slots() const { return all_slots_; }
  /// Where a resource of the cluster is; see CapacityIndex.
  const CapacityIndex& capacity_index(const Resource& resource) const;
  /// Bookings of a reservation's jobs within it.
  const Ledger& ledger_of(ReservationKey reservation_key) const;

  /// For a task of a job that is not there yet.
  void book(const Task& task, ReservationKey within);
  void unbook(const Task& task, ReservationKey within);
  /// Others may have it now.
  void release(const Task& task, ReservationKey within);
  /// What is held for a job, in addition to what already is.
  void hold(JobKey job_key, Hold hold);
  /// Keeps the first `count` holds of the job.
  void keep_holds(JobKey job_key, std::size_t count);
  /// What is held for a job instead of what was; the ledger is left alone.
  void set_holds(JobKey job_key, std::vector<Hold> holds);
  /// Takes holds out of the ledger for a while, and puts them back.
  void suspend(const Hold& hold);
  void resume(const Hold& hold);
  void suspend(const std::vector<Hold>& holds);
  void resume(const std::vector<Hold>& holds);
  /// For a question about one job: nothing is held for it until it is put back.
  void set_aside(const Job& job);
  void put_back(const Job& job);
  bool is_aside(JobKey job_key) const { return aside_ == job_key; }
  void book(const Reservation& reservation);
  void release(const Reservation& reservation);

  /// What was changed since the last call, in a fixed order.
  std::vector<Effect> take_effects(Instant now);
  std::uint64_t digest() const;
  Records records() const;
  /// Of jobs and tasks there are many: whoever needs them has jobs() and tasks().
  Records records_but_jobs() const;

private:
  void forget_waits(const Job& job);
  Ledger& ledger_for(ReservationKey within);
  void put(TaskPtr task);
  void touch(JobKey key);
  void changed(const Task* before, const Task* after);
  void split_ledgers();
  void fill_firm_ledgers();
  void rebuild_instance_order();
  void rebuild_all_slots();
  void count_slots(const std::vector<Booking>& bookings, Window window, std::int64_t sign);
  void count_slots(const Reservation& reservation, std::int64_t sign);
  void give_up(const Hold& hold);
  void note_start(const Task& task, bool is_there);
  void note_place(const Reservation& reservation, bool is_there);

  // Records are shared with whoever took them as effects: the first edit of an input makes a copy.
  // What was there before lives on until the effects are taken, since rules may still look at it.
  std::map<JobKey, JobPtr> jobs_;
  TaskList::Table tasks_;
  TaskTallies tallies_;
  std::vector<std::shared_ptr<const void>> before_;
  std::map<ReservationKey, Reservation> reservations_;
  std::map<JobNumber, JobKey> job_numbers_;
  std::map<ReservationNumber, ReservationKey> reservation_numbers_;
  std::map<JobKey, std::set<JobKey>> successors_;
  std::map<ReservationKey, std::set<JobKey>> reservation_jobs_;
  std::map<JobKey, std::size_t> waits_; ///< for how many jobs that are there, by job
  std::set<JobKey> free_;               ///< who waits for none that is there
  Rewriting rewriting_;
  std::map<std::string, std::set<ReservationKey>> reserved_on_; ///< reservations, by host
  std::map<JobKey, std::int64_t> booked_tasks_;                 ///< how many, by job
  std::map<std::string, HostState> hosts_;
  std::map<InstanceName, InstanceState> instances_;
  std::map<std::string, HostKey> host_keys_;
  Counters counters_;
  Ledger ledger_;
  std::optional<Ledger> firm_, reserved_;
  Diagram all_slots_;
  Waiting waiting_;
  InstanceOrder instance_order_;
  mutable std::vector<char> healthy_; ///< empty: to be looked at again
  mutable std::map<Resource, CapacityIndex>
      capacity_indexes_;                              ///< by what is booked; made when asked for
  std::vector<const HostState*> host_states_;         ///< by the index of the host
  std::vector<const InstanceState*> instance_states_; ///< by position
  std::set<std::pair<Instant, TaskId>> ends_;         ///< of bookings
  /// Of the tasks on each host, by its index.
  std::vector<std::set<std::pair<Instant, TaskId>>> starts_;
  std::set<std::size_t> stale_places_; ///< hosts whose order is to be looked at
  bool all_places_stale_ = true;
  bool repair_wanted_ = true;
  Closures closures_;
  Instant next_turn_;
  std::string master_host_;
  bool reindex_all_ = false;
  JobKey aside_; ///< whose holds are out of the ledger; none: nobody's
  std::map<ReservationKey, Ledger> private_ledgers_;

  std::set<JobKey> changed_jobs_, touched_jobs_; ///< the latter with those of changed tasks
  std::set<TaskId> changed_tasks_;
  std::set<ReservationKey> changed_reservations_;
  std::set<std::string> changed_hosts_, changed_keys_;
  std::set<InstanceName> changed_instances_;
  bool counters_changed_ = false;
  std::vector<Effect> other_effects_;
};

/// What a task takes of what reservations count on: all time, unless it is ended within what is
/// booked for it. Of the task alone: what its job asks for may be altered while it runs.
Window firm_window(const Task& task);

} // namespace almanac
