// The site's own word on a reservation: programs that must succeed before one is granted or changed
// (spec/beyond.md B8.51, B8.52).
//
// 1. What is asked about is a proposal, so its place is kept, and other requests go on. It waits for the
//    outcome of one call of the hook, which is an input.
// 2. What the site has been asked about, and perhaps agreed to, and what does not come to be then, is told
//    to it: by the hook cancel of a new reservation, and by change of one that stays as it was.
// 3. A master that was away does not know of an answer: what waited for one is given up.
#pragma once

#include "core/planning/fact.hpp"
#include "core/planning/state.hpp"

#include <optional>

namespace almanac::rules {

/// Whether a program has to agree. `event`: confirm or change.
bool site_must_agree(const State& state, HookEvent event);

/// Why what does not wait for that is refused. `option`: of the command.
Statement site_is_asked_first(HookEvent event, const char* option);

/// Keeps the reservation with its proposal, and calls the hook. The answer is what its user hears if
/// nothing comes of it; it has the number of the reservation.
Answer ask_site(State& state, Reservation proposed, HookEvent event, Instant now);

/// The outcome of the hook that a proposal waits for: it is committed, held or dropped. The answer is for who
/// asked for it. Nothing if no proposal waits for this call.
std::optional<Answer> site_answered(State& state, const HookEnded& fact, Instant now);

/// What its user hears instead of what ask_site() says where somebody has deleted it meanwhile.
Answer deleted_while_asked(ReservationNumber number);

/// A master that was away.
void give_up_questions_to_site(State& state, Instant now);

} // namespace almanac::rules
