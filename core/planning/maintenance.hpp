// Maintenances: hosts that are closed in a window (spec/beyond.md section 6).
//
// A maintenance is a reservation without grants and bookings. It closes its hosts like a calendar, from
// its grant on to all that would run into its window; in its window its own jobs have what is left of
// the hosts (matching/whole_hosts).
#pragma once

#include "core/planning/maintenance_moves.hpp"

#include <string>
#include <vector>

namespace almanac::rules {

/// The names of all execution hosts that these names, patterns and @groups mean, ascending; or the
/// first that means none.
Result<std::vector<std::string>, Statement> hosts_to_close(const Configuration& configuration,
                                                           const std::vector<std::string>& names);

/// What comes of a maintenance. It changes nothing.
struct MaintenancePlan {
  ReservationMoves reservations;
  std::vector<Statement> running; ///< tasks that reach into it
  std::set<JobKey> holders;       ///< jobs with holds that do
};
MaintenancePlan plan_of(const State& state, const Reservation& maintenance,
                        const Reservation* instead, bool force, Instant now);
/// Reservations that move, or cannot; tasks that reach into it; holds that move.
std::vector<Statement> statements_of(const State& state, const MaintenancePlan& plan);
/// Who may make, change and delete it: managers only.
std::optional<Answer> maintenance_obstacle(const Configuration& configuration,
                                           const Caller& caller);

/// Once the record of the maintenance is there: reservations move, holds are looked at again, and who
/// is hit is told.
void carry_out(State& state, const MaintenancePlan& plan, ReservationKey key, Instant now);

/// It has begun, ended or changed: what its hosts show, and the reservations on them.
void follow_maintenance(State& state, const std::vector<std::string>& hosts);
/// Of all hosts: queue instances may be new.
void follow_maintenance(State& state);
/// It has begun: its hosts are closed, and what may be run again leaves them (-running requeue).
void begin_maintenance(State& state, ReservationKey key);

/// Names the tasks that still run on its hosts and reach into it, in its note.
void note_running(State& state, ReservationKey key);
/// The same after a task with these grants has left its place.
void note_running(State& state, const std::vector<Grant>& left);

} // namespace almanac::rules
