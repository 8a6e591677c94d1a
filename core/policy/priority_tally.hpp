// What the requests of all jobs add to the scale of priorities (spec/scheduling.md section 3), kept
// in step job by job.
#pragma once

#include "core/policy/priority.hpp"
#include "core/records/records.hpp"

#include <cstdint>
#include <map>

namespace almanac {

/// Of all jobs that wait or run.
class PriorityTally : public Index {
public:
  /// What urgencies mean is looked up in the configuration of these records.
  explicit PriorityTally(const Records& records) : records_(records) {}

  using Index::changed;
  void rebuild(const Records& records) override;
  bool agrees(const Records& records) const override;
  void reconfigured(const Records& records, ChangedKinds kinds) override;
  void changed(const Job* before, const Job* after) override;

  /// False where urgencies change with time.
  bool knows_urgencies() const;
  /// Where it does not know them, each job is asked.
  UrgencyRange urgencies(Instant now) const;
  /// Whether tickets make a difference.
  bool has_tickets() const;

private:
  struct Counts {
    std::map<std::int64_t, std::int64_t> by_urgency; ///< of the requested resources
    std::int64_t with_deadline = 0, with_tickets = 0;
    bool operator==(const Counts&) const = default;
  };
  void count(const JobRequest& request, std::int64_t sign);

  const Records& records_;
  Counts counts_;
};

} // namespace almanac
