// The folder in which an agent keeps its copies of the cell's common files: DIR/common_files, which
// belongs to the half that talks. In DIR/CELL/common, which does not, there are links to them
// (helper/own_folders.hpp).
#pragma once

#include "actors/ports/common_files.hpp"

#include <string>

namespace almanac {

class CopiesFolder : public CommonFileCopies {
public:
  explicit CopiesFolder(std::string folder) : folder_(std::move(folder)) {}

  std::vector<CommonFileVersion> all() const override;
  Outcome write(const std::string& name, const std::string& content) override;
  Outcome remove(const std::string& name) override;

private:
  std::string path_of(const std::string& name) const { return folder_ + "/" + name; }

  std::string folder_;
};

} // namespace almanac
