// Files of DIR/root/CELL/common: those that agents keep copies of
// (core/execution/common_files.hpp), and those that the planner goes by
// (core/configuration/objects/site_file.hpp).
//
// Only regular files are shown, up to the largest size; no link is followed. Agents get those that
// everybody may read. The planner gets those that belong to root or to the master's user and that
// nobody else may write; it hears why one that is there cannot be used (unusable_site_file()). Of
// what agents do not get the log says so once, and again after it was something else.
#pragma once

#include "actors/ports/common_files.hpp"

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <sys/stat.h>
#include <vector>

namespace almanac {

class CommonFolder : public CommonFileSource {
public:
  /// What agents have copies of. `folder` belongs to the master's user.
  explicit CommonFolder(std::string folder);
  /// One file for the planner.
  CommonFolder(std::string folder, const std::string& site_file);

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

  /// Which files, and what keeps one of them from being shown.
  struct Rules {
    std::vector<std::string> names;
    std::size_t largest = 0; ///< bytes
    bool of_site = false;    ///< for the planner
  };
  CommonFolder(std::string folder, Rules rules)
      : folder_(std::move(folder)), rules_(std::move(rules)) {}

  std::string obstacle(const struct stat& facts) const;
  Result<std::string> read(int folder, const std::string& name) const;
  /// A little more than is taken, where there is more; nothing if it can't be read.
  std::optional<std::string> read_start(int file) const;
  /// False if it can't be looked at for now.
  bool look_at(int folder, const std::string& name, Known& known);
  void complain(const std::string& name, Known& known, const std::string& why) const;

  std::string folder_;
  Rules rules_;
  std::map<std::string, Known> files_;
  std::optional<std::vector<CommonFileContent>> told_;
};

} // namespace almanac
