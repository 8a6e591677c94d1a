// The rows of qstat's lists of jobs: which ones, in which order, and how finely they are cut
// (spec/cli.md section 6).
#pragma once

#include "core/base/result.hpp"
#include "core/job/accounting_record.hpp"
#include "schema/door/replies.hpp"

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

namespace almanac {

/// A row; it points into the frames that it was made of.
struct JobRow {
  enum class Kind { running, pending, finished };

  const door::JobLines* job = nullptr;
  const JobLine* line = nullptr;
  Kind kind = Kind::pending;
  std::string instance; ///< where it runs, with the slots that follow; "" for what waits
  std::int64_t slots = 0;
  std::string tasks;
  std::string role; ///< MASTER or SLAVE, with -g t
};

/// -g d: a row for each task that waits. -g t: a row for each process of a parallel job.
struct JobGrouping {
  bool each_task = false, each_slot = false;
};

/// Running ones first; then by priority and number (C6.32).
std::vector<JobRow> job_rows(const std::vector<door::Lines>& frames, JobGrouping grouping);

/// What runs, by where: of a parallel row its part on each instance.
class RowsByInstance {
public:
  explicit RowsByInstance(const std::vector<JobRow>& rows);
  /// In the order of the rows; none where nothing runs.
  const std::vector<JobRow>& on(const std::string& instance) const;

private:
  std::unordered_map<std::string, std::vector<JobRow>> rows_;
};

/// The letters of -s: p, r, s, z or f, h, a, and h with u, o, s, d, j, a.
class JobStates {
public:
  /// The error says what is no letter.
  static Result<JobStates> parse(const std::string& text);
  bool wants(const JobRow& row) const;
  bool wants_finished() const { return finished_; }

private:
  bool pending_ = true, running_ = true, suspended_ = false, finished_ = false;
  std::string holds_; ///< as of JobLine; of what waits only what has one of them; "": all
  bool only_held_ = false;
};

/// Tasks that are over as lines of a job each, in the state z.
door::Lines finished_lines(const std::vector<AccountingRecord>& records);

} // namespace almanac
