// In which order jobs start, by the keys of sched_conf (spec/plus.md section 6).
//
// 1. The first key decides, and ties go to the next; the last ones to the time of submission (P6.21).
// 2. With a grouping stage the queues stand in an order of their own: by the keys before the stage,
//    then by their names. Where such a key is one of jobs, the best waiting job of a queue counts
//    (P6.22). With by_queue all jobs of a queue come before those of the next; with
//    queue_round_robin whoever asks takes the queues in turn, beginning behind the last one that had
//    one (P6.17, P6.18).
// 3. Jobs that belong to no queue stand behind all others.
#pragma once

#include "core/configuration/objects/sort_keys.hpp"
#include "core/job/job.hpp"
#include "core/policy/job_rank.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace almanac {

class Configuration;

/// Cluster queues as they are compared: by seq_no, then by name (P6.16; the order in which queues were
/// made is not known).
class QueueSequence {
public:
  explicit QueueSequence(const Configuration& configuration);
  /// Of a queue that is not there: behind all others.
  std::int64_t seq_no(const std::string& queue) const;
  std::int64_t place_of_name(const std::string& queue) const;
  /// Whether `a` stands before `b`.
  bool comes_before(const std::string& a, const std::string& b) const;

private:
  struct Place {
    std::int64_t seq_no = 0, of_name = 0;
  };
  std::map<std::string, Place> places_;
};

class JobOrder {
public:
  /// For as long as these live.
  JobOrder(const SortKeys& keys, const Configuration& configuration);

  /// Whether it matters to which queue a job belongs.
  bool knows_queues() const;
  bool takes_turns() const { return stage_ == Stage::round_robin; }
  /// Whether the order of queues depends on who waits: then each of them is counted first.
  bool counts_jobs() const { return counts_jobs_; }
  void count(const Job& job, const std::string& queue);

  /// The place of a job that belongs to the queue; "": to none. With queue_round_robin among those of
  /// its queue.
  JobRank rank_of(const Job& job, const std::string& queue) const;
  /// Of queues in their order, from 0 on.
  std::map<std::string, std::int64_t> turns() const;

  const QueueSequence& queues() const { return queues_; }

private:
  enum class Stage : std::uint8_t { none, by_queue, round_robin };
  using Values = std::vector<std::int64_t>;

  std::int64_t value_of(JobSortKey key, const Job& job, const std::string& queue) const;
  Values place_of(const std::string& queue) const;

  const SortKeys& keys_;
  const Configuration& configuration_;
  QueueSequence queues_;
  Stage stage_ = Stage::none;
  std::vector<JobSortKey> of_queues_, of_jobs_; ///< before the stage, and behind it
  bool counts_jobs_ = false;
  std::map<std::string, Values> best_; ///< of the jobs that were counted, by queue
};

} // namespace almanac
