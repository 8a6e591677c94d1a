// Watches that no start takes a counter of an enabled resource quota set above its limit (invariant
// 27).
//
// It counts for itself, from the records alone: after an input it looks once at all tasks for the
// counters that the tasks meet which started in it. What runs already is not judged: a limit that is
// lowered leaves it alone. Nor are exclusive resources, which are no amounts.
// Source: spec/quotas.md sections 3 and 4.
#pragma once

#include "core/monitor/invariants.hpp"
#include "core/records/records.hpp"

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace almanac {

/// Follows records that decided effects are applied to.
class QuotaWatch : public Index {
public:
  explicit QuotaWatch(const Records& records) : records_(records) {}

  using Index::changed;
  void rebuild(const Records&) override { started_.clear(); }
  bool agrees(const Records&) const override { return true; }
  void changed(const Task* before, const Task* after) override;
  /// All effects of an input are applied: what is wrong with what has started in it.
  std::optional<Violation> settle();

private:
  struct Use {
    std::string counter; ///< "A/1 slots ann/////"
    std::int64_t amount = 0, limit = 0;
  };
  std::vector<Use> uses_of(const Task& task) const;

  const Records& records_;
  std::set<TaskId> started_; ///< in this input
};

} // namespace almanac
