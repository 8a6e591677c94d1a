// How a process of a task ended: its own, or one of qrsh -inherit.
#pragma once

#include "core/job/exit_record.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace almanac {

/// Of one task, its own process included; what others used counts as that one's.
inline constexpr std::size_t most_processes_told = 200;

struct ProcessEnd {
  std::string host;        ///< "": the task's own process
  std::int64_t number = 0; ///< from 1, of those of qrsh -inherit on that host; 0: the task's own
  ExitRecord record;

  bool is_own() const { return number == 0; }
  /// What accounting calls it: "1.node02"; "" for the task's own.
  std::string pe_task() const {
    return is_own() ? "" : std::to_string(number) + "." + host.substr(0, host.find('.'));
  }
};
template <class V> void describe(V& visit, ProcessEnd& p) {
  visit("host", p.host);
  visit("number", p.number);
  visit("record", p.record);
}

} // namespace almanac
