// The files of DIR/root/CELL/common that agents keep copies of (core/execution/common_files.hpp).
//
// Only regular files that everybody may read are shown, up to the largest size; no link is followed.
// Of what is left out the log says so once, and again after it was something else.
#pragma once

#include "actors/ports/common_files.hpp"

#include <array>
#include <cstdint>
#include <map>
#include <string>

namespace almanac {

class CommonFolder : public CommonFileSource {
public:
  /// `folder` belongs to the master's user.
  explicit CommonFolder(std::string folder) : folder_(std::move(folder)) {}

  std::optional<std::vector<CommonFileContent>> look() override;

private:
  /// What of a file changes with it: inode, size, mode, times of change. All 0: there is none.
  using Sight = std::array<std::int64_t, 5>;
  struct Known {
    Sight sight{};
    bool settled = false; ///< a change since would have another time
    std::optional<CommonFileContent> content;
    std::string complaint; ///< the last one that was logged
  };

  /// False if it can't be looked at for now.
  bool look_at(int folder, const std::string& name, Known& known);
  void complain(const std::string& name, Known& known, const std::string& why) const;

  std::string folder_;
  std::map<std::string, Known> files_;
  std::optional<std::vector<CommonFileContent>> told_;
};

} // namespace almanac
