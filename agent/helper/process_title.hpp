// What `ps` prints of this process: the words it was started with, and its environment, which lie
// in one row.
#pragma once

#include <algorithm>
#include <cstring>
#include <string>
#include <unistd.h>

namespace almanac {

class Title {
public:
  Title(int argc, char** argv)
      : begin_(argv[0]), end_(argv[argc - 1] + std::strlen(argv[argc - 1])) {
    for (char** entry = environ; *entry; ++entry)
      if (*entry == end_ + 1) end_ = *entry + std::strlen(*entry);
  }
  /// Nothing reads the environment after that.
  void set(const std::string& text) {
    const auto room = static_cast<std::size_t>(end_ - begin_);
    std::memset(begin_, 0, room);
    std::memcpy(begin_, text.data(), std::min(room, text.size()));
  }

private:
  char *begin_, *end_;
};

} // namespace almanac
