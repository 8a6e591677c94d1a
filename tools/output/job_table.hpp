// Jobs as the table of qstat, for people and for programs that read columns (spec/cli.md sections 6.1
// and 6.5, client contract C6).
#pragma once

#include "tools/output/colour.hpp"
#include "tools/output/job_rows.hpp"

#include <iosfwd>
#include <string>
#include <vector>

namespace almanac {

/// What more than the usual columns is shown.
struct JobColumns {
  bool priority = false, urgency = false, extended = false; ///< -pri, -urg, -ext
  bool requests = false;                                    ///< -r: lines below each job
  bool roles = false;                                       ///< -g t: MASTER or SLAVE, not slots
  bool tasks = false;                                       ///< -t: of parallel tasks
  std::size_t queue_width = 30, number_width = 7;
  Colour colour = Colour::none; ///< of states
};

class JobTable {
public:
  enum class Queue { shown, hidden };
  JobTable(std::ostream& out, const JobColumns& columns, Queue queue, std::string indent = "")
      : out_(out), columns_(columns), queue_(queue), indent_(std::move(indent)) {}

  void print_heading();
  void print(const JobRow& row);

private:
  std::string cells(const JobRow& row) const;
  void print_requests(const JobRow& row);

  std::ostream& out_;
  const JobColumns& columns_;
  Queue queue_;
  std::string indent_;
};

/// With its heading; nothing at all where there is no row (C6).
void print_jobs(std::ostream& out, const std::vector<JobRow>& rows, const JobColumns& columns);

/// Wide enough for the highest number: 7, more from 10,000,000 on (D2).
std::size_t number_width(const std::vector<JobRow>& rows);
/// The width of the column of queues as SGE_LONG_QNAMES says it: a number of at least 10, or -1 for
/// the longest name; 30 for anything else, and where it is not set.
std::size_t queue_width(const std::string* long_names, const std::vector<JobRow>& rows);

} // namespace almanac
