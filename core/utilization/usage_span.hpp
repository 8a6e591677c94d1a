// What is kept of the past of an instance, a reservation or a task, so that it can be summed up what
// became of each slot-second (usage.hpp).
#pragma once

#include "core/utilization/usage.hpp"

#include <string>

namespace almanac {

enum class SpanOf : std::uint8_t { instance, reservation, task, gap };
template <> inline constexpr SpanOf last_of<SpanOf> = SpanOf::gap;

/// Slots of one instance for a time: that it had, that were granted, that a task held, or that were
/// free and kept from who waited.
struct UsageSpan {
  SpanOf of = SpanOf::instance;
  InstanceName instance;
  Window during; ///< of one that goes on: until when it would, if nothing changed
  std::int64_t slots = 0;
  Availability availability = Availability::open; ///< of an instance
  ReservationId reservation;                      ///< of a task outside, or a gap for a hold: none
  std::string owner, project, account;            ///< of a reservation
  bool given_up = false; ///< of one: it ended because it was canceled or deleted
  bool operator==(const UsageSpan&) const = default;
};
template <class V> void describe(V& visit, UsageSpan& s) {
  visit("of", s.of);
  visit("instance", s.instance);
  visit("during", s.during);
  visit("slots", s.slots);
  visit("availability", s.availability);
  visit("reservation", s.reservation);
  visit("owner", s.owner);
  visit("project", s.project);
  visit("account", s.account);
  visit("given_up", s.given_up);
}

} // namespace almanac
