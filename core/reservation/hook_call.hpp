// A hook that is to be run: what has happened to which reservation, and with which program (spec/beyond.md
// section 8).
//
// It is kept with the change that it tells of until its outcome is known: it is run at least once.
#pragma once

#include "core/base/attribute.hpp"
#include "core/configuration/objects/hook_command.hpp"
#include "core/configuration/objects/reservation_hooks.hpp"
#include "core/reservation/reservation.hpp"

#include <string>
#include <vector>

namespace almanac {

/// What a change has replaced, or is to replace.
struct HookBefore {
  std::string name;
  Window window;
  std::vector<Grant> grants;
};
template <class V> void describe(V& visit, HookBefore& b) {
  visit("name", b.name);
  visit("window", b.window);
  visit("grants", b.grants);
}

struct HookCall {
  std::int64_t sequence = 0;
  HookEvent event = HookEvent::confirm;
  std::string command; ///< "[user@host]/path arguments", as the configuration had it
  Duration timeout;
  Instant at;
  ReservationKey reservation;
  ReservationNumber number;
  std::string name, owner; ///< of the reservation
  std::string cause;       ///< a sentence
  Window window;
  std::string state; ///< its letter
  std::int64_t slots = 0;
  bool is_awaited = false;    ///< somebody waits for its outcome: it goes first
  ReservationNumber series{}; ///< that the reservation is of; 0: none
  std::vector<Grant> grants{};
  std::vector<HookBefore> before{}; ///< one, of a change of what was granted
};
template <class V> void describe(V& visit, HookCall& c) {
  visit("sequence", c.sequence);
  visit("event", c.event);
  visit("command", c.command);
  visit("timeout", c.timeout);
  visit("at", c.at);
  visit("reservation", c.reservation);
  visit("number", c.number);
  visit("name", c.name);
  visit("owner", c.owner);
  visit("cause", c.cause);
  visit("window", c.window);
  visit("state", c.state);
  visit("slots", c.slots);
  visit("is_awaited", c.is_awaited);
  visit("series", c.series);
  visit("grants", c.grants);
  visit("before", c.before);
}

/// What its process finds in its environment, and nothing else is there.
std::vector<Attribute> hook_environment(const HookCall& call, std::int64_t attempt);
/// The program and its arguments, with $ar_id, $ar_name, $owner and $event replaced, and where it is run.
/// No words where the command is none.
HookCommand hook_command(const HookCall& call);

} // namespace almanac
