// A change of a reservation as qralter asks for it: what it comes to, and what is in its way
// (spec/beyond.md section 12).
//
// It is found on the state as it is, and changes nothing: a command carries it out, a question
// tells of it.
#pragma once

#include "core/planning/maintenance.hpp"
#include "core/planning/series_jobs.hpp"
#include "core/planning/state.hpp"
#include "core/request/command.hpp"

#include <optional>
#include <vector>

namespace almanac::rules {

struct ReservationChange {
  ReservationKey key;
  ReservationRequest request; ///< what it asks for from now on
  bool reshapes = false;      ///< window, place or users are given
  Shape shape;                ///< the present one unless it reshapes
  bool on_unhealthy = false;
  std::optional<MaintenancePlan> maintenance; ///< of one that gets another window
  bool alone = true;        ///< of an occurrence: it alone is changed, not its series
  bool starts_asap = false; ///< -a asap: when it starts was looked for

  struct EndOfTask {
    TaskId task;
    Instant ended_at; ///< 0: by its limit
    Statement what;   ///< where it is earlier than before
    bool is_earlier = false;
    bool at_once = false; ///< it has no room in fewer slots
    bool again = false;   ///< then it waits again
  };
  std::vector<EndOfTask> ends;
  std::vector<HeldJob> held;
  /// What was granted at first, where hosts that are not heard are left.
  std::vector<Grant> original;
};

struct FoundChange {
  std::optional<Answer> refusal;
  std::optional<ReservationChange> change; ///< also of a refusal that -f passes over
};

/// `with_series`: its series is changed, too, and what becomes of jobs that name it is found there.
FoundChange find_change(const State& state, const Caller& caller, const AlterReservation& command,
                        Instant now, bool with_series = false);

/// What the site has agreed to, with what has happened meanwhile: its place is kept, but jobs that
/// came since then may be in its way.
FoundChange find_asked_change(const State& state, const Reservation& asked, Instant now);

/// What becomes of jobs in it, where they give way.
std::vector<Statement> consequences(const State& state, const ReservationChange& change);

} // namespace almanac::rules
