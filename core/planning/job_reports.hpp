// What the reporting file is told of jobs (spec/cli.md C11.14): with joblog=true that they came and
// each of their steps, and what is added to the accounting file in any case.
//
// It follows from the records, as with reservations (core/reservation/reports.hpp), so whatever changes
// a job is told of. Only who wanted it no record says.
#pragma once

#include "core/base/caller.hpp"
#include "core/job/job_event.hpp"
#include "core/records/records.hpp"
#include "core/reservation/reporting_record.hpp"

#include <map>
#include <string>
#include <vector>

namespace almanac {

class JobReports : public Index {
public:
  JobReports(const Records& records, const std::string& master_host)
      : records_(records), master_host_(master_host) {}

  /// Somebody's wish, until the next take().
  void note_command(const Caller& caller);

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
  struct By {
    std::string name, host;
  };

  bool tells_of_steps() const;
  By whoever_wants() const;
  By master(const char* name) const { return {name, master_host_}; }
  void came(const Job& job);
  void went(const Job& job, const Task& before);
  void left_place(const Job& job, const Task& before, const Task& after);
  void tell(const Job& job, const Task& task, const JobEvent& event, const std::string& state,
            const By& by, const std::string& detail = "");
  ReportingRecord step(const Job& job, std::int64_t task, const JobEvent& event,
                       const std::string& state, const By& by,
                       const std::string& detail = "") const;

  const Records& records_;
  const std::string& master_host_;
  By wanted_by_;                   ///< "": nobody
  bool wants_another_try_ = false; ///< what was accounted last
  std::map<JobKey, Dropped> dropped_;
  std::vector<ReportingRecord> found_;
};

} // namespace almanac
