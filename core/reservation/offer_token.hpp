// What an offer is accepted by: "7.2f81c09ae4b7d310" (spec/beyond.md B3.34). It is a name and no
// secret: who may accept is asked all the same.
#pragma once

#include "core/base/ids.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace almanac {

struct Reservation;

struct OfferToken {
  ReservationNumber number;
  std::string transaction; ///< 16 hexadecimal digits

  static OfferToken of(const Reservation& offered);
  /// Nothing if it has not that form.
  static std::optional<OfferToken> parse(std::string_view text);
  std::string text() const;
};

/// The name of the transaction that a reservation is offered in: another one for each, also where a
/// number is given again.
std::string offer_name(const Reservation& reservation);

} // namespace almanac
