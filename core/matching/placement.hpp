// Whether one waiting job can have its place now, and why not.
//
// Source: spec/scheduling.md sections 5 to 7. The earliest place of a job is in earliest.hpp.
#pragma once

#include "core/matching/assignment.hpp"
#include "core/matching/class_request.hpp"

#include <optional>

namespace almanac {

struct Placement {
  Assignment assignment;
  Window window;
};

/// Why nothing of the job can be looked at now, before any place is searched.
std::optional<Statement> obstacle(const Snapshot& state, const Job& job, Instant now);
/// The same for a job that is not there yet, with the tasks of it that have their place.
std::optional<Statement> obstacle(const Snapshot& state, const Job& job, const TaskTally& tally,
                                  Instant now);

/// What a job that starts now may take: without a limit it keeps clear of all reservations but those
/// that it gives way to.
Supply present_supply(const Snapshot& state, const ClassRequest& wanted);

/// A place from now on. `everywhere`: also where no slot can be free, for the sake of the obstacles.
std::optional<Placement> place_now(const Snapshot& state, const Job& job,
                                   const ClassRequest& wanted, bool everywhere, Instant now,
                                   Obstacles& obstacles);

/// Whether what is held is free at its time, and where it is held nothing is off.
bool is_still_there(const Snapshot& state, const ClassRequest& wanted, const Hold& hold);

} // namespace almanac
