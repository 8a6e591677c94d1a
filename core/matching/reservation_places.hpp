// Where a reservation can lie, and what is wrong with where it lies.
// Source: spec/reservations.md section 9.
#pragma once

#include "core/matching/assignment.hpp"

#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace almanac {

/// Those that a record names may be gone by now; then they are no place.
enum class NamedQueues { must_be_there, may_be_gone };
Result<Demand, Statement> demand_of_reservation(const Snapshot& state, const Caller& owner,
                                                const ReservationRequest& request,
                                                NamedQueues queues = NamedQueues::must_be_there);

/// The same demand, with which the site's own conditions on hosts are asked, if it is one for hosts and
/// there are any (spec/plus.md section 7).
Demand asking_site(Demand demand, Window window, Instant now);

/// Queue instances without a lasting obstacle that their calendar leaves open in the window; why
/// the others are none.
struct Candidates {
  std::vector<const QueueInstance*> healthy, unhealthy;
};
Candidates reservation_candidates(const Snapshot& state, const Demand& demand, Window window,
                                  Obstacles& obstacles);

struct Found {
  std::optional<Assignment> assignment;
  bool on_unhealthy = false;
  Obstacles obstacles;
};
/// Healthy instances first, the others only for a later start (ruling in spec/rulings.md); of both
/// those that are preferred, in their order. The site's own conditions are asked. `obstacles`: how they
/// are to be told, empty.
Found find_place(const Snapshot& state, const Demand& demand, Window window, Instant now,
                 const std::vector<InstanceName>& preferred = {}, const Obstacles& obstacles = {});
/// The same, with those that are to be spared last.
Found find_place_sparing(const Snapshot& state, const Demand& demand, Window window, Instant now,
                         const std::set<InstanceName>& spared);
/// The same as if nothing were held for waiting jobs.
Found find_place_over_holds(const Snapshot& state, const Demand& demand, Window window, Instant now,
                            const Obstacles& obstacles = {});
/// What is held for waiting jobs of containers that are booked here, too, at the same time.
struct OneHold {
  JobKey job;
  Window window;
};
std::vector<OneHold> holds_beside(const Snapshot& state, const std::vector<Booking>& bookings,
                                  Window window);
/// Whether it finds one.
bool has_place(const Snapshot& state, const Demand& demand, Window window, Instant now);

/// All that is wrong: "reserved queue q@h is disabled", in the order of the grants.
std::vector<Statement> health(const Snapshot& state, const Reservation& reservation);

} // namespace almanac
