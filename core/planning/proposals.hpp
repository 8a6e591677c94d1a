// What is proposed for a reservation: whether it may be asked for, and the shape that was found.
#pragma once

#include "core/matching/reservation_places.hpp"
#include "core/planning/state.hpp"
#include "core/request/command.hpp"

#include <optional>

namespace almanac::rules {

/// Whether everybody whom the request lets in or keeps out may be named.
std::optional<Statement> users_obstacle(const Configuration& configuration,
                                        const ReservationRequest& request);

/// Why a request, as a change leaves it, cannot be kept: a stored record with it would be set
/// aside.
std::optional<Statement> change_obstacle(const ReservationRequest& request);

/// A start of less than a minute ago is now (spec/plus.md P3.14).
void begin_now(ReservationRequest& request, Instant now);

/// Why nothing can be done any more with a reservation whose record is still there.
Statement is_over_already(const Reservation& reservation);

/// Where no room of other reservations is looked at, a request that names them is refused.
enum class OthersRoom { not_used, used };
/// Everything that can be said before looking for capacity.
std::optional<Answer> simple_obstacle(const State& state, const Caller& caller,
                                      const ReservationRequest& request, bool is_new,
                                      OthersRoom room = OthersRoom::not_used);

/// Why one more can't be there beside so many that are planned: of all, or of the caller.
std::optional<Answer> number_obstacle(const State& state, const Caller& caller,
                                      std::int64_t planned);

/// Why so many bytes more can't be kept of what the caller reserves and has settled.
std::optional<Answer> budget_obstacle(const State& state, const Caller& caller, std::int64_t more);

/// Why the owner can't have so many slots for so long ahead of now, instead of what `own` has, if
/// that is given. Managers may have what they want, and may give it to anybody. What adds nothing
/// is never too much (spec/beyond.md section 10). `planned`: slots times seconds that come beside
/// it.
std::optional<Answer> slot_hours_obstacle(const State& state, const Caller& caller,
                                          const Caller& owner, const Shape& next,
                                          const Reservation* own, Instant now,
                                          std::int64_t planned = 0);

/// A place for a new reservation or a new shape of `own`, which is set free for the search; there
/// it takes what it has first. A new one uses room of the others that it names only where it has
/// to.
struct Prepared {
  std::optional<Answer> refusal;
  Shape shape;
  bool on_unhealthy = false;
};
Prepared find_shape(State& state, const Caller& owner, const ReservationRequest& request,
                    const Reservation* own, Instant now);

/// What an assignment promises to those whom the request names.
Shape shape_of(const Configuration& configuration, const ReservationRequest& request, Window window,
               const Assignment& assignment);

/// Whether it says that the site's own conditions on hosts are in the way (spec/plus.md section 7).
bool is_of_policy(AnswerCode code);
/// Every reason why there is no place.
Answer no_place(const Found& found);
/// A warning of how long a job may run in the window, where DURATION_OFFSET takes a tenth of it or
/// more (spec/reservations.md R3.19).
std::optional<Statement> little_time_left(const State& state, Window window);
/// Why the caller may not reserve in this way (spec/reservations.md R9.15).
std::optional<Answer> override_obstacle(const State& state, const Caller& caller,
                                        const Reserve& command);

/// A place for a new reservation, as the command says that it is to be looked for. `ruled_out`:
/// with what is in the way of other places also where there is one.
Found find_for(const Snapshot& state, const Reserve& command, const Demand& demand, Window window,
               Instant now, bool ruled_out = false);
/// The same as a shape.
Prepared find_shape(const State& state, const Caller& owner, const Reserve& command, Instant now);

/// A new reservation that has a number and nothing else yet.
Reservation new_reservation(State& state, const Caller& caller, const ReservationRequest& request,
                            Instant now);

} // namespace almanac::rules
