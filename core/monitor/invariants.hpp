// What no crash, no lost packet and no order of events may break. Each has a number, which reports
// name.
//
// Some can be seen in the records that a master commits (is_seen_in_records()): the monitor checks
// them with every change, in simulations and on a live master. The others take somebody who sees
// all hosts, all clients and all inputs: the simulator. 20 to 24 are about people who mean harm. 27
// could be seen in the records, but that takes counting all tasks again for each start.
#pragma once

#include <cstdint>
#include <string>

namespace almanac {

enum class Invariant : std::uint8_t {
  attempts_only_grow = 1,
  starts_fit = 2,
  reservation_jobs_keep_inside = 3,
  reservations_outlive_their_jobs = 4,
  accounting_has_no_gap = 5,
  keys_are_never_reused = 6,
  grants_mean_active = 7,
  reservations_open_and_close_in_time = 8,
  proposals_expire = 9,
  an_attempt_starts_once = 10,
  one_attempt_at_a_time = 11,
  no_attempt_after_a_newer_one = 12,
  acknowledged_is_kept = 13,
  unacknowledged_is_whole_or_nothing = 14,
  starts_are_durable = 15,
  all_comes_to_rest = 16,
  the_journal_replays = 17,
  no_error_is_logged = 18,
  holds_keep_their_promise = 19,
  others_stay_untouched = 20,
  ends_have_happened = 21,
  answers_come_in_turn = 22,
  refusals_leave_nothing = 23,
  the_forbidden_is_not_heard = 24,
  changes_can_be_committed = 25,
  settled_numbers_stay = 26,
  starts_keep_quotas = 27,
  starts_keep_clear_of_maintenance = 28,
  suspended_means_stopped = 29,
  concurrent_tasks_start_together = 30,
  preempting_reservations_fit = 31,
  jobs_give_way = 32,
  loans_are_kept = 33,
  held_room_is_kept = 34,
  the_held_is_committed = 35
};
constexpr Invariant last_invariant = Invariant::the_held_is_committed;

/// Whether a live master checks it.
bool is_seen_in_records(Invariant invariant);

/// The invariant as a sentence.
const char* sentence(Invariant invariant);

struct Violation {
  Invariant invariant = Invariant::attempts_only_grow;
  std::string what; ///< which job, which host, which numbers
  /// "invariant 2 (…): …"
  std::string text() const;
};

} // namespace almanac
