// What the reporting file is told of queue instances and hosts (spec/cli.md C11.15): states that have
// changed, what is used of consumables, and load values.
//
// It follows from the records alone, as with jobs (job_reports.hpp). Nothing is kept or counted while
// nobody wants to be told.
#pragma once

#include "core/matching/offered_values.hpp"
#include "core/matching/snapshot.hpp"
#include "core/reservation/reporting_record.hpp"

#include <map>
#include <set>
#include <string>
#include <vector>

namespace almanac {

class PlaceReports : public Index {
public:
  explicit PlaceReports(const Records& records) : records_(records) {}

  using Index::changed;
  void rebuild(const Records& records) override;
  bool agrees(const Records& records) const override;
  void reconfigured(const Records& records, ChangedKinds kinds) override;
  void changed(const Task* before, const Task* after) override;
  void changed(const InstanceState* before, const InstanceState* after) override;
  void changed(const HostState* before, const HostState* after) override;

  /// Since the last call, each place once, as it is now: instances before hosts, by their names.
  std::vector<ReportingRecord> take(const Snapshot& state);

private:
  bool is_told() const { return records_.configuration().global().writes_reports; }
  void count(const Task& task, std::int64_t sign);
  void add_states(const Snapshot& state, std::vector<ReportingRecord>& found) const;
  void add_consumables(const Snapshot& state, std::vector<ReportingRecord>& found) const;
  void add_loads(const Snapshot& state, std::vector<ReportingRecord>& found) const;

  const Records& records_;
  bool counts_ = false;                                ///< somebody wants to know what is used
  UsedAmounts used_;                                   ///< by tasks, if so
  std::map<Container, std::set<std::string>> touched_; ///< of which consumables
  // As they were when they changed first.
  std::map<InstanceName, InstanceState> instances_;
  std::map<std::string, HostState> hosts_;
};

} // namespace almanac
