#include "core/reservation/offer_token.hpp"

#include "core/base/fingerprint.hpp"
#include "core/reservation/reservation.hpp"
#include "core/text/numbers.hpp"
#include "core/text/ranges.hpp"

#include <algorithm>

namespace almanac {

namespace {

constexpr std::string_view digits = "0123456789abcdef";
constexpr std::size_t length = 16;

} // namespace

std::string offer_name(const Reservation& reservation) {
  Fingerprint digest;
  digest.add(reservation.owner.user);
  digest.add_number(static_cast<std::uint64_t>(reservation.key.value));
  digest.add_number(static_cast<std::uint64_t>(reservation.submitted.seconds));
  std::string name;
  for (std::size_t i = 0; i < length; ++i)
    name += digits[(digest.value() >> (4 * (length - 1 - i))) & 15];
  return name;
}

OfferToken OfferToken::of(const Reservation& offered) {
  return {offered.number, offered.proposed.front().transaction};
}

std::optional<OfferToken> OfferToken::parse(std::string_view text) {
  const auto dot = text.find('.');
  if (dot == std::string_view::npos) return std::nullopt;
  const auto number = parse_number(text.substr(0, dot));
  const auto name = text.substr(dot + 1);
  const bool is_name = name.size() == length && std::all_of(name.begin(), name.end(), [](char c) {
                         return digits.find(c) != std::string_view::npos;
                       });
  if (!number || *number < 1 || *number > most_slots || !is_name) return std::nullopt;
  return OfferToken{{*number}, std::string(name)};
}

std::string OfferToken::text() const { return to_string(number) + "." + transaction; }

} // namespace almanac
