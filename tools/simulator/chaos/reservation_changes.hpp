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
  std::int64_t dice(std::int64_t sides) {
    return static_cast<std::int64_t>(chance_() % static_cast<std::uint64_t>(sides));
  }

  std::mt19937_64 chance_;
  std::int64_t made_ = 0;
};

} // namespace almanac
