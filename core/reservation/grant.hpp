// The key of a reservation (RESKEY), and what is proved with it (spec/metascheduler.md section 6).
//
// 1. What the site grants is public and signed by it; who claims it proves that they have a secret,
//    or a private key. So nobody is served by what they have overheard.
// 2. A text has one form only: whatever is not printed here is refused.
#pragma once

#include "core/base/describe.hpp"
#include "core/base/ids.hpp"
#include "core/base/result.hpp"
#include "core/base/time.hpp"

#include <string>
#include <string_view>

namespace almanac {

/// What a claim is proved with: the Ed25519 key of PUBKEY, or a secret that was given once.
enum class KeyMode : std::uint8_t { private_key, secret };
template <> inline constexpr KeyMode last_of<KeyMode> = KeyMode::secret;

/// What the site says of a reservation (M6.1). Its bytes are those of schema/codec.hpp, canonical().
struct KeyGrant {
  std::int64_t version = 1;
  std::string site; ///< the cell and its store
  ReservationNumber number;
  ReservationKey incarnation; ///< is never given again, as the number is
  std::string owner;
  Instant not_before, not_after;
  KeyMode mode = KeyMode::private_key;
  std::string proves;   ///< SHA-256 of the public key, or of what names the secret; base64url
  std::string site_key; ///< which key of the site has signed it: its first bytes, base64url
};
template <class V> void describe(V& visit, KeyGrant& g) {
  visit("version", g.version);
  visit("site", g.site);
  visit("number", g.number);
  visit("incarnation", g.incarnation);
  visit("owner", g.owner);
  visit("not_before", g.not_before);
  visit("not_after", g.not_after);
  visit("mode", g.mode);
  visit("proves", g.proves);
  visit("site_key", g.site_key);
}

/// The parts of `v1.GRANT.SIGNATURE[.SECRET]` (M6.3), as bytes.
struct KeyText {
  std::string grant;     ///< at most 4096 bytes
  std::string signature; ///< 64 bytes
  std::string secret{};  ///< 32 bytes; "": there is none
};
inline constexpr std::size_t longest_key_text = 8192;
std::string print_key(const KeyText& key);
/// Of any bytes. The error says what is wrong with them, and shows none of them.
Result<KeyText> parse_key(std::string_view text);

/// What lies in the file of -reskey: the key, and with it perhaps `privkey=`, a private key.
struct KeyFile {
  KeyText key;
  std::string private_key{}; ///< 32 bytes; "": there is none
};
/// The key stands alone in a line, or behind `RESKEY=` in an answer of gmeta. Lines that begin with
/// # and other words of such an answer are passed over.
Result<KeyFile> parse_key_file(std::string_view content);

/// A claim as it is proved. Who proves it and who checks it make the same bytes of it.
struct ClaimedUse {
  std::string nonce; ///< 32 bytes, of the site
  std::string site;
  ReservationNumber number;
  ReservationKey incarnation;
  std::string digest; ///< SHA-256 of the canonical bytes of the command, 32 bytes
};
inline constexpr std::size_t nonce_bytes = 32, secret_bytes = 32, key_bytes = 32;
/// T of M6.7: the label, the nonce, the site with a zero byte behind it, number and incarnation as
/// eight bytes each (big-endian), the digest.
std::string claim_text(const ClaimedUse& use);

/// What a client proves a claim with.
struct ClaimProver {
  ClaimedUse use;          ///< without a digest:
  std::string command;     ///< its bytes
  std::string secret;      ///< of mode S; or
  std::string private_key; ///< of mode P
};

} // namespace almanac
