#include "core/monitor/invariants.hpp"

namespace almanac {

const char* sentence(Invariant invariant) {
  switch (invariant) {
  case Invariant::attempts_only_grow: return "the attempts of a task are numbered upwards";
  case Invariant::starts_fit: return "nothing starts on more slots than a queue instance has";
  case Invariant::reservation_jobs_keep_inside:
    return "a job of a reservation holds only what the reservation holds";
  case Invariant::reservations_outlive_their_jobs: return "no job outlives its reservation";
  case Invariant::accounting_has_no_gap: return "accounting records follow each other by number";
  case Invariant::keys_are_never_reused: return "what is gone does not come back";
  case Invariant::grants_mean_active: return "a task holds slots exactly while it is sent or runs";
  case Invariant::reservations_open_and_close_in_time:
    return "reservations begin and end when they are due";
  case Invariant::proposals_expire: return "what is held for a transaction expires";
  case Invariant::an_attempt_starts_once: return "no attempt is started twice on a host";
  case Invariant::one_attempt_at_a_time: return "no task runs twice at a time";
  case Invariant::no_attempt_after_a_newer_one: return "no attempt starts after a newer one";
  case Invariant::acknowledged_is_kept:
    return "what was acknowledged is neither lost nor doubled: a job is in qstat or, once for each "
           "task, in qacct";
  case Invariant::unacknowledged_is_whole_or_nothing:
    return "a request without an answer is wholly there or not at all";
  case Invariant::starts_are_durable: return "nothing starts that is not in the store";
  case Invariant::all_comes_to_rest: return "once all is healed, all that waits and runs ends";
  case Invariant::the_journal_replays: return "the journal replays to the records that are stored";
  case Invariant::no_error_is_logged: return "no error is logged";
  case Invariant::holds_keep_their_promise:
    return "what is held for a job starts when it was promised, or later for a cause that is "
           "recorded";
  case Invariant::others_stay_untouched:
    return "what a user asks for changes nothing that belongs to others, and shows none of it";
  case Invariant::ends_have_happened:
    return "a task ends when its own hosts say so, and is ended where somebody may want it";
  case Invariant::answers_come_in_turn: return "nobody's requests keep others from their answers";
  case Invariant::refusals_leave_nothing: return "a refusal leaves nothing in the store";
  case Invariant::the_forbidden_is_not_heard:
    return "who says what is forbidden, or who they are not, is heard no longer";
  case Invariant::changes_can_be_committed:
    return "what runs in a reservation fits into it, and into the change that is prepared for it";
  case Invariant::settled_numbers_stay:
    return "the number of a settled transaction is not given again while that is remembered";
  case Invariant::starts_keep_quotas:
    return "nothing starts that takes more of a resource quota set than its limits allow";
  case Invariant::starts_keep_clear_of_maintenance:
    return "nothing starts that could run into a maintenance, but what runs inside it";
  case Invariant::suspended_means_stopped:
    return "what is suspended does not run, and what is not goes on";
  case Invariant::concurrent_tasks_start_together:
    return "of an array with -tcon y no task starts while another has never started";
  case Invariant::preempting_reservations_fit:
    return "no more is granted to a reservation that preempts jobs than all that does not give way "
           "leaves";
  case Invariant::jobs_give_way:
    return "where a reservation that preempts jobs has begun, none goes on that it has no room for";
  case Invariant::loans_are_kept:
    return "a reservation lends what it has and its jobs do not, and no room is granted twice by "
           "it";
  case Invariant::held_room_is_kept:
    return "what a reservation holds, granted or only prepared, is given to nobody else";
  case Invariant::the_held_is_committed:
    return "what is prepared and has not lapsed is committed when its requester says so";
  }
  return "";
}

bool is_seen_in_records(Invariant invariant) {
  return invariant < Invariant::an_attempt_starts_once ||
         invariant == Invariant::holds_keep_their_promise ||
         invariant == Invariant::changes_can_be_committed ||
         invariant == Invariant::settled_numbers_stay ||
         invariant == Invariant::starts_keep_clear_of_maintenance ||
         (invariant >= Invariant::concurrent_tasks_start_together &&
          invariant != Invariant::the_held_is_committed);
}

std::string Violation::text() const {
  return "invariant " + std::to_string(static_cast<int>(invariant)) + " (" + sentence(invariant) +
         "): " + what;
}

} // namespace almanac
