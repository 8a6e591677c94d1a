// The files that the exporter writes in the cell's common folder: accounting, with the offset of
// what belongs to the store beside it, and schedule.
#pragma once

#include "actors/master/exporter.hpp"

#include <string>

namespace almanac {

class AccountingFile : public ExportFile {
public:
  explicit AccountingFile(std::string path) : path_(std::move(path)) {}
  std::int64_t recover() override;
  bool append(const std::string& lines, std::int64_t sequence) override;

private:
  std::string path_;
};

/// schedule: lines in the order of the runs.
class ScheduleTraceFile : public ScheduleFile {
public:
  explicit ScheduleTraceFile(std::string path) : path_(std::move(path)) {}
  void append(const std::vector<std::string>& lines) override;

private:
  std::string path_;
};

} // namespace almanac
