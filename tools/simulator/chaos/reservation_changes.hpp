// Changes of reservations, as random histories make them. Of those in two phases some are settled,
// some settled twice, and some left to their time.
//
// Its chance is its own, so that histories without it stay what they were.
#pragma once

#include "core/request/command.hpp"

#include <cstdint>
#include <optional>
#include <random>
#include <string>
#include <vector>

namespace almanac {

class ReservationChanges {
public:
  explicit ReservationChanges(std::uint64_t seed) : chance_(seed) {}

  /// What is prepared for the reservation now; nothing, half of the time.
  std::optional<PrepareReservation> prepare(ReservationNumber number);
  /// A new one as plus_reserve and metascheduler lines make it (spec/plus.md, spec/metascheduler.md): whole
  /// hosts or some slots of each, at times in front of jobs that run there. It is held, or granted at once.
  /// With a `lender` it may use the room of that one.
  PrepareReservation on_nodes(std::int64_t hosts, Instant now, ReservationNumber lender);
  /// A change of such a one: other hosts, another window, or its end.
  PrepareReservation change_on_nodes(ReservationNumber number);
  /// A line of gmeta that changes the number of its hosts, likewise held.
  std::vector<std::string> modify(ReservationNumber number);
  /// Whether somebody says the same again, as if the answer had been lost.
  bool repeats() { return dice(4) == 0; }
  /// One time of so many.
  bool is_one_of(std::int64_t times) { return dice(times) == 0; }
  /// How many jobs come into the reservation before it is settled.
  int jobs() { return static_cast<int>(dice(3)); }
  /// What else a new one asks for: spares, an end when it is idle, an offer (spec/beyond.md).
  std::vector<std::string> wishes();
  /// A line of qrsub that takes one of the hosts n1 … out of service for a time.
  std::vector<std::string> maintenance(std::int64_t hosts);
  /// A line of qralter that changes the reservation at once.
  std::vector<std::string> alter(const std::string& reservation);
  /// Commits or aborts it, or an earlier one; nothing where it is left to its time.
  std::optional<SettleReservation> settle(ReservationNumber number);

private:
  PrepareReservation named();
  std::int64_t dice(std::int64_t sides) {
    return static_cast<std::int64_t>(chance_() % static_cast<std::uint64_t>(sides));
  }

  std::mt19937_64 chance_;
  std::int64_t made_ = 0;
};

} // namespace almanac
