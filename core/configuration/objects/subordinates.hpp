// subordinate_list of a queue: which other queues of the same host have to stand back while jobs run
// in it (spec/objects.md section 1).
//
//     NONE                              none
//     low.q,spare.q=2                   low.q is suspended while all slots are used, spare.q from 2
//     slots=4(low.q:1:sr,spare.q:2)     so many tasks that no more than 4 run in all of these queues
#pragma once

#include "core/base/result.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace almanac {

struct Subordinate {
  std::string queue;
  std::int64_t used_slots = 0; ///< from so many on it is suspended; 0: from all. Not slotwise
  std::int64_t seq_no = 0;     ///< slotwise: the highest is the first to stand back
  bool longest_first = false;  ///< slotwise, "lr": the task that has run longest, else the shortest
  bool operator==(const Subordinate&) const = default;
};

struct Subordinates {
  std::int64_t most_slots = 0; ///< of slotwise subordination; 0: whole queues are suspended
  std::vector<Subordinate> queues;

  bool is_slotwise() const { return most_slots > 0; }
  static Result<Subordinates> parse(std::string_view text);
  bool operator==(const Subordinates&) const = default;
};

} // namespace almanac
