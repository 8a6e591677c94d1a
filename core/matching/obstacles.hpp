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

  /// With all that is too little of any container, who has it and until when (spec/beyond.md section
  /// 3, rule 1).
  static Obstacles in_full() {
    Obstacles obstacles;
    obstacles.in_full_ = true;
    return obstacles;
  }

  /// Also where there is a place: why others are none (spec/reservations.md R6.39).
  Obstacles of_ruled_out() const {
    auto obstacles = *this;
    obstacles.beside_a_place_ = true;
    return obstacles;
  }

  bool are_wanted() const { return wanted_; }
  bool are_wanted_beside_a_place() const { return beside_a_place_; }
  bool are_in_full() const { return in_full_; }
  void add(Statement reason) {
    if (wanted_) list_.push_back(std::move(reason));
  }
  /// `make` is called only if the reason is wanted.
  template <class Make> void add_made(Make make) {
    if (wanted_) list_.push_back(make());
  }
  const std::vector<Statement>& list() const { return list_; }

private:
  bool wanted_ = true, in_full_ = false, beside_a_place_ = false;
  std::vector<Statement> list_;
};

} // namespace almanac
