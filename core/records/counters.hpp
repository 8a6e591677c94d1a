// What a cell counts: keys and numbers of its records.
#pragma once

#include "core/base/result.hpp"

#include <cstdint>

namespace almanac {

/// No backup is a million jobs old: hosts are believed that many keys, from one start of the master
/// to the next.
inline constexpr std::int64_t believable_loss = 1'000'000;

/// Of jobs and of reservations.
inline constexpr std::int64_t highest_number = 9'999'999;

struct Counters {
  std::int64_t last_key = 0;
  std::int64_t last_job_number = 0;
  std::int64_t last_reservation_number = 0;
  std::int64_t last_accounting = 0;
  bool passes_off = false; ///< nothing is started until a master is started that switches them on
  std::int64_t last_letter = 0;
  /// Keys that were given when these records, which came from a backup, were not there: tasks of
  /// such jobs may still run somewhere. From 0 to 0: none.
  std::int64_t lost_from = 0, lost_to = 0;
  std::int64_t skipped = 0; ///< of these, since the master was started
  std::int64_t last_hook = 0;
  std::int64_t last_report = 0;  ///< record of the reporting file
  std::string stopped_by{};      ///< who has switched them off; "": nobody, there were crashes
  std::string last_queue{};      ///< that had its turn; QueueRoundRobin goes on behind it
  std::int64_t last_settled = 0; ///< transaction of a reservation
};
template <class V> void describe(V& visit, Counters& c) {
  visit("last_key", c.last_key);
  visit("last_job_number", c.last_job_number);
  visit("last_reservation_number", c.last_reservation_number);
  visit("last_accounting", c.last_accounting);
  visit("passes_off", c.passes_off);
  visit("last_letter", c.last_letter);
  visit("lost_from", c.lost_from);
  visit("lost_to", c.lost_to);
  visit("skipped", c.skipped);
  visit("last_hook", c.last_hook);
  visit("last_report", c.last_report);
  visit("stopped_by", c.stopped_by);
  visit("last_queue", c.last_queue);
  visit("last_settled", c.last_settled);
}

/// Whether they can be counted on from here; they come from the store.
Outcome valid(const Counters& counters);

} // namespace almanac
