// qrsub.
#pragma once

#include "core/planning/grant_answer.hpp"
#include "core/planning/state.hpp"
#include "core/request/command.hpp"

namespace almanac::rules {

Answer reserve(State& state, const Caller& caller, const Reserve& command, Instant now);

/// What has its place and its number, and nobody has been told of yet.
struct Granted {
  ReservationKey key;
  GrantDetails details;
  bool overrides_holds = false;
};
/// The first half of it, for what is reserved only if something else can be done, too; where the site
/// need not agree. State::take_back() undoes it.
Result<Granted, Answer> grant(State& state, const Caller& caller, const Reserve& command,
                              Instant now);
/// The other half: its hook is called, and it begins if its start has come.
Answer tell_of(State& state, const Caller& caller, const Granted& granted, Instant now);

} // namespace almanac::rules
