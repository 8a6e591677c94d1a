// A file that a command reads without being asked for it: it holds the command up by neither its size nor
// its kind.
#pragma once

#include "core/base/result.hpp"

#include <string>

namespace almanac {

class SmallFile {
public:
  /// Bytes; agents keep no longer copies of the cell's common files (core/execution/common_files.hpp).
  static constexpr std::size_t longest = 64 << 10;

  explicit SmallFile(const std::string& path);
  ~SmallFile();
  SmallFile(const SmallFile&) = delete;
  SmallFile& operator=(const SmallFile&) = delete;

  bool is_missing() const;
  /// All that it holds. The error does not name the file: what the system says, that it is no plain
  /// file, or that it is too long.
  Result<std::string> read() const;

private:
  int file_, error_; ///< of open(2)
};

} // namespace almanac
