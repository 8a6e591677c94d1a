// What the master asks of who claims a reservation with its key: a number that is used once
// (spec/metascheduler.md M6.6).
#pragma once

#include "core/base/describe.hpp"
#include "core/base/ids.hpp"
#include "core/base/time.hpp"

#include <string>

namespace almanac {

/// A nonce that was given out, and has not come back.
struct ClaimChallenge {
  std::string nonce; ///< 32 bytes of the gate, in base64url
  ReservationNumber number;
  Instant until;        ///< it counts up to this second
  std::int64_t uid = 0; ///< of who asked for it: it is nobody else's
};
template <class V> void describe(V& visit, ClaimChallenge& c) {
  visit("nonce", c.nonce);
  visit("number", c.number);
  visit("until", c.until);
  visit("uid", c.uid);
}
inline std::string key_of(const ClaimChallenge& challenge) { return challenge.nonce; }

/// How long one counts.
inline constexpr Duration challenge_time{60};
/// So many at once: each of a user, and of the cell.
inline constexpr std::size_t most_challenges_of_user = 64, most_challenges = 4096;

} // namespace almanac
