// Files that a thread waits for, each with what to do once it is ready.
#pragma once

#include <functional>
#include <poll.h>
#include <utility>
#include <vector>

namespace almanac {

class ReadyFiles {
public:
  /// `events` as poll(2) names them. A file that is not open is left out.
  void add(int file, short events, std::function<void()> then) {
    if (file < 0) return;
    files_.push_back({file, events, 0});
    thens_.push_back(std::move(then));
  }

  /// Waits for no longer than this, then does what is to be done, in the order of add().
  void wait(int longest_ms) {
    ::poll(files_.data(), files_.size(), longest_ms);
    for (std::size_t i = 0; i < files_.size(); ++i)
      if (files_[i].revents) thens_[i]();
  }

private:
  std::vector<pollfd> files_;
  std::vector<std::function<void()>> thens_;
};

} // namespace almanac
