// Why something does not fit. Where nobody reads it, no statement is made: a pass asks about many
// places and tells nobody.
#pragma once

#include "core/answer/statement.hpp"

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
  void add(Statement reason) {
    if (wanted_) list_.push_back(std::move(reason));
  }
  /// `make` is called only if the reason is wanted.
  template <class Make> void add_made(Make make) {
    if (wanted_) list_.push_back(make());
  }
  const std::vector<Statement>& list() const { return list_; }

private:
  bool wanted_ = true;
  std::vector<Statement> list_;
};

} // namespace almanac
