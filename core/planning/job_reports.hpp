// What the reporting file is told of jobs (spec/cli.md C11.13): with joblog=true that they came and
// each of their steps, and what is added to the accounting file in any case.
//
// It follows from the records alone, as with reservations (core/reservation/reports.hpp), so whatever
// changes a job is told of.
#pragma once

#include "core/records/records.hpp"
#include "core/reservation/reporting_record.hpp"

#include <map>
#include <vector>

namespace almanac {

class JobReports : public Index {
public:
  explicit JobReports(const Records& records) : records_(records) {}

  using Index::changed;
  void rebuild(const Records&) override {}
  bool agrees(const Records&) const override { return true; }
  void changed(const Job* before, const Job* after) override;
  void changed(const Task* before, const Task* after) override;
  void appended(const AccountingRecord& record) override;

  /// In their order, without number and time.
  std::vector<ReportingRecord> take();

private:
  // Tasks that left the queue without a place, and what is told of them.
  struct Dropped {
    std::int64_t tasks = 0;
    ReportingRecord report;
  };

  bool tells_of_steps() const;
  void came(const Job& job);
  ReportingRecord step(const Job& job, const Task* task, const std::string& event,
                       const std::string& message) const;

  const Records& records_;
  std::map<JobKey, Dropped> dropped_;
  std::vector<ReportingRecord> found_;
};

} // namespace almanac
