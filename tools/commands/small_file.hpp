// A small text file that a program reads: options, names of hosts, settings. Neither its size nor
// its kind (a named pipe) can hold the program up.
#pragma once

#include "core/base/result.hpp"

#include <cstddef>
#include <string>

namespace almanac {

class SmallFile {
public:
  /// Bytes; agents keep no longer copies of the cell's common files
  /// (core/execution/common_files.hpp).
  static constexpr std::size_t usual_longest = 64 << 10;

  explicit SmallFile(const std::string& path, std::size_t longest = usual_longest);
  ~SmallFile();
  SmallFile(const SmallFile&) = delete;
  SmallFile& operator=(const SmallFile&) = delete;

  bool is_missing() const;
  /// All that it holds. The error does not name the file: what the system says, that it is no plain
  /// file, or that it is too long.
  Result<std::string> read() const;
  /// The same, and an error where others than root and this process's user may write it.
  Result<std::string> read_closed() const;
  /// Whether others than its owner may do anything with it: nothing secret belongs in it.
  bool is_open_to_others() const;

private:
  const std::size_t longest_;
  int file_, error_; ///< of open(2)
};

} // namespace almanac
