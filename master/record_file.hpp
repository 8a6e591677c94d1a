// A file of records in the cell's common folder, accounting or reporting, with the offset of what
// belongs to the store beside it.
#pragma once

#include "actors/master/exporter.hpp"

#include <string>

namespace almanac {

class RecordFile : public ExportFile {
public:
  /// `path` ends with the name of the file, which the manual page of its fields has, too.
  explicit RecordFile(std::string path) : path_(std::move(path)) {}
  std::int64_t recover() override;
  bool append(const std::string& lines, std::int64_t sequence) override;

private:
  std::string name() const;

  std::string path_;
};

} // namespace almanac
