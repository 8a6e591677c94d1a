// What to do when an agent registers: its list of tasks against what the master knows.
// Source: design.md section 5, Reconciliation.
#pragma once

#include "core/job/attempt.hpp"

#include <string>
#include <vector>

namespace almanac {

/// A task that the master has given to a host.
struct WantedTask {
  Attempt attempt;
  bool is_master = true; ///< the job's script runs here; otherwise a part of a parallel job
  bool running = false;  ///< it has been reported as running before
};

/// A task that the agent has.
struct ReportedTask {
  Attempt attempt;
  std::string store_id;
  Term term;
  bool ended = false; ///< nothing of it runs any more
  bool over = false;  ///< the master's records know how it came to its end
};

struct Reconciliation {
  std::vector<Attempt> send_again; ///< never started there: the same attempt, once more
  std::vector<Attempt> lost;       ///< started there, and gone
  std::vector<Attempt> forget;     ///< ours, and ended or known to be over
  std::vector<Attempt> doubtful;   ///< ours, and unknown to records that must be old: left alone
  std::vector<Attempt> foreign;    ///< of another store or a later term: left alone
};

/// `same_spool`: boot and spool are those that were known before.
Reconciliation reconcile(const std::vector<WantedTask>& wanted,
                         const std::vector<ReportedTask>& reported, bool same_spool,
                         const std::string& store_id, Term term);

} // namespace almanac
