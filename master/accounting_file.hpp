// The accounting file in the cell's common folder, with the offset of what belongs to the store
// beside it.
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

} // namespace almanac
