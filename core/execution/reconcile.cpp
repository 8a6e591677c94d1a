#include "core/execution/reconcile.hpp"

#include <algorithm>
#include <set>

namespace almanac {

Reconciliation reconcile(const std::vector<WantedTask>& wanted,
                         const std::vector<ReportedTask>& reported, bool same_spool,
                         const std::string& store_id, Term term) {
  Reconciliation result;
  std::set<Attempt> known, present;
  for (const auto& task : wanted) known.insert(task.attempt);
  for (const auto& task : reported) {
    present.insert(task.attempt);
    if (known.contains(task.attempt)) continue;
    const bool ours = task.store_id == store_id && task.term <= term;
    if (!ours) result.foreign.push_back(task.attempt);
    else if (task.over || task.ended) result.forget.push_back(task.attempt);
    else result.doubtful.push_back(task.attempt); // records from a backup do not know it
  }
  for (const auto& task : wanted) {
    if (present.contains(task.attempt)) continue;
    if (task.running && (task.is_master || !same_spool)) result.lost.push_back(task.attempt);
    else result.send_again.push_back(task.attempt);
  }
  return result;
}

} // namespace almanac
