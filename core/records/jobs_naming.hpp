// Waiting jobs that asked for a reservation by a queue that is not there yet: qsub -q R123 (spec/plus.md
// P5.2).
#pragma once

#include "core/records/groups.hpp"
#include "core/records/index.hpp"

#include <vector>

namespace almanac {

class JobsNaming : public ComparedIndex<JobsNaming> {
public:
  using Index::changed;
  bool operator==(const JobsNaming&) const = default;
  void rebuild(const Records& records) override;
  void changed(const Job* before, const Job* after) override;

  /// Ascending.
  std::vector<JobKey> of(ReservationNumber number) const { return jobs_.of(number); }

private:
  void count(const Job& job, bool is_there);

  Groups<ReservationNumber, JobKey> jobs_;
};

} // namespace almanac
