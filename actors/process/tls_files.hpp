// Where a process of a cell has its certificate, its key and the cell's authority (PEM).
#pragma once

#include <string>

namespace almanac {

struct TlsFiles {
  std::string certificate, key, authority;
};

} // namespace almanac
