// Which doors there are: those that a directory names (design.md section 7, Finding the door).
#pragma once

#include "core/base/result.hpp"

#include <string>
#include <vector>

namespace almanac {

struct DoorAddress {
  std::string path;         ///< of a Unix door; empty: a TCP door
  std::string host, port;   ///< of a TCP door
  std::string munge_socket; ///< where munged listens, "" for the library's default
  std::string authority{}; ///< of a TCP door: the file with the certificate of the cell's authority

  std::string print() const { return path.empty() ? host + ":" + port : path; }
};

/// The Unix door of the directory first (a master's or an agent's), then those of its file `doors`,
/// with lines of the form
///     tcp HOST:PORT [SOCKET OF MUNGED]
/// whose masters prove who they are by a certificate of the authority in `doors.pem` beside it.
/// Empty if there are none. The error names file, line and what is expected.
Result<std::vector<DoorAddress>> doors_of(const std::string& directory);

/// Whether there are any, or a file that should name some.
bool names_doors(const std::string& directory);

} // namespace almanac
