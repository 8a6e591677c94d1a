// What comes of an input: changes of records, and an answer for who asked. Nothing leaves before all
// of it is durable.
#pragma once

#include "core/answer/answer.hpp"
#include "core/records/effect.hpp"

#include <optional>
#include <string>
#include <vector>

namespace almanac {

struct Decisions {
  std::optional<Answer> answer;
  /// Its site is asked first: the answer counts only if nothing comes of that.
  ReservationKey awaits;
  ReservationKey answers; ///< the answer is for whoever waits for what the site says of this one
  std::vector<Effect> effects;
  bool pass_wanted = false;             ///< something may start now
  Duration gather;                      ///< the pass may wait so long for others of its kind
  Instant next_turn = Instant::never(); ///< a pass is due then: a calendar turns, or a series rolls
  std::vector<std::string> schedule;    ///< lines of the schedule trace
  std::vector<std::string> warnings;    ///< for the log: what an operator should look at
};

} // namespace almanac
