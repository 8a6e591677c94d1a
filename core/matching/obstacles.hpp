// Why something does not fit, in sentences. Where nobody reads them, none is put together: a pass
// asks about many places and tells nobody.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace almanac {

class Obstacles {
public:
  static Obstacles unwanted() {
    Obstacles obstacles;
    obstacles.wanted_ = false;
    return obstacles;
  }

  bool are_wanted() const { return wanted_; }
  void add(std::string reason) {
    if (wanted_) list_.push_back(std::move(reason));
  }
  /// `make` is called only if the reason is wanted.
  template <class Make> void add_made(Make make) {
    if (wanted_) list_.push_back(make());
  }
  const std::vector<std::string>& list() const { return list_; }

private:
  bool wanted_ = true;
  std::vector<std::string> list_;
};

} // namespace almanac
