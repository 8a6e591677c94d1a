// Which hooks are run, and what their outcome means for a reservation (spec/beyond.md section 8).
#pragma once

#include "core/planning/fact.hpp"
#include "core/planning/state.hpp"

#include <string>

namespace almanac::rules {

/// Something has happened to it: the site's program for that is to be run, where there is one. The
/// number of the call; 0: there is none. Of a change, `before` is as it was.
std::int64_t call_hook(State& state, HookEvent event, const Reservation& reservation,
                       const std::string& cause, const Reservation* before = nullptr);

/// With the shape and the request that it is to have.
Reservation as_proposed(const Reservation& reservation);

/// Before what is proposed is dropped: a site that was asked about it, and may have agreed, hears of that.
void tell_of_withdrawal(State& state, const Reservation& reservation);

/// It runs and is in error: the hook for that is called, and administrators get a mail.
void tell_of_error(State& state, const Reservation& reservation);

/// It begins. Where its hook must succeed, no job starts in it before.
void call_start_hook(State& state, ReservationKey key);

/// The hook that must succeed has failed a minute ago, or its outcome was lost with a master.
void call_start_hook_again(State& state, ReservationKey key);

/// A failure is told by qrstat, and administrators by mail; one of a start that must succeed is tried
/// again.
void hook_ended(State& state, const HookEnded& fact, Instant now);

/// A master that was away knows of no hook that runs: those that must succeed are called again.
void hooks_after_restart(State& state, Instant now);

} // namespace almanac::rules
