// What a site gives to those who may claim its reservations, and how it checks their claims
// (spec/metascheduler.md section 6).
//
// 1. A secret is drawn before the planner hears of the reservation, since the planner draws nothing,
//    and lies in the store sealed with the cell's key: AES-256-GCM over what was drawn, with site and
//    owner as what goes with it. The secret itself is made of that and of number and incarnation
//    (HKDF), so what was sealed for one reservation is no secret of another one.
// 2. Keys of the site sign for a year. An older one checks what it has signed as long as it is there.
#pragma once

#include "actors/trust/keyring.hpp"
#include "core/request/reservation_claim.hpp"
#include "core/reservation/grant.hpp"
#include "core/reservation/reservation.hpp"

#include <functional>
#include <string>
#include <vector>

namespace almanac {

/// It signs from `since` until the next one does.
struct SiteKey {
  Instant since;
  SigningKey key;
};

/// The keys of a cell. `keys` ascend, and there is at least one; `sealing` has 32 bytes.
struct SiteKeys {
  std::vector<SiteKey> keys;
  std::string sealing;
};

class ReservationKeys {
public:
  using Random = std::function<std::string(std::size_t)>;
  /// `site` says which cell and store this is.
  ReservationKeys(std::string site, SiteKeys keys, Random random);
  ~ReservationKeys();
  ReservationKeys(const ReservationKeys&) = delete;
  ReservationKeys& operator=(const ReservationKeys&) = delete;

  /// A nonce, in base64url.
  std::string draw_nonce() const;
  /// A new secret for a reservation of this user, sealed.
  std::string draw_secret(const Caller& owner) const;

  /// RESKEY of a reservation; the error says why there is none.
  Result<std::string> text(const Reservation& reservation, Instant now) const;

  /// The grant of a claim, as the client says: to look the reservation up with. Nothing of it counts
  /// before check() has said so. An error: it can't be read.
  static Result<KeyGrant> said_by(const ReservationClaim& claim);
  /// What becomes of the claim. `command`: what is proved; `found`: the reservation with the
  /// incarnation of the grant, or nullptr.
  CheckedClaim check(const ReservationClaim& claim, const std::string& command,
                     const Reservation* found) const;

private:
  std::string seal(const std::string& drawn, const Caller& owner) const;
  Result<std::string> open(const Reservation& reservation) const;
  const SiteKey& key_at(Instant now) const;

  std::string site_;
  SiteKeys keys_;
  Random random_;
};

/// The keys from `now` on: those that signed something that may still be claimed, since the oldest
/// reservation came at `oldest`; that of today, and the next one, made with `make` where it is not
/// there yet.
std::vector<SiteKey> rotated(std::vector<SiteKey> keys, Instant now, Instant oldest,
                             const std::function<SigningKey()>& make);
inline constexpr Duration site_key_time{365LL * 86'400};

} // namespace almanac
