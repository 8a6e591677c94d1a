// A claim on a reservation, with its key (spec/metascheduler.md section 6): as a client sends it,
// and as the gate, which has the keys, found it.
#pragma once

#include "core/base/describe.hpp"
#include "core/base/ids.hpp"
#include "core/base/time.hpp"

#include <string>

namespace almanac {

/// What goes with a command. Clients say this.
struct ReservationClaim {
  std::string key;   ///< RESKEY without its secret
  std::string nonce; ///< of a challenge, in base64url
  std::string proof; ///< in base64url: a signature, or an HMAC
};
template <class V> void describe(V& visit, ReservationClaim& c) {
  visit("key", c.key);
  visit("nonce", c.nonce);
  visit("proof", c.proof);
}

enum class ClaimVerdict : std::uint8_t { proved, bad_key, bad_proof };
template <> inline constexpr ClaimVerdict last_of<ClaimVerdict> = ClaimVerdict::bad_proof;

/// What the gate makes of a claim; no client can say it.
struct CheckedClaim {
  ClaimVerdict verdict = ClaimVerdict::proved;
  std::string nonce;
  ReservationNumber number;   ///< as in the key; 0: it can't be read
  ReservationKey incarnation; ///< likewise
  Instant not_after;          ///< likewise
};
template <class V> void describe(V& visit, CheckedClaim& c) {
  visit("verdict", c.verdict);
  visit("nonce", c.nonce);
  visit("number", c.number);
  visit("incarnation", c.incarnation);
  visit("not_after", c.not_after);
}

} // namespace almanac
