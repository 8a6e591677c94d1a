#include "actors/trust/reservation_key.hpp"

#include "actors/trust/claim_proof.hpp"
#include "actors/trust/wiped.hpp"
#include "core/base/check.hpp"
#include "core/text/base64url.hpp"
#include "schema/codec.hpp"

#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/kdf.h>
#include <openssl/params.h>

#include <algorithm>
#include <memory>
#include <utility>

namespace almanac {

namespace {

constexpr std::size_t iv_bytes = 12, tag_bytes = 16;
constexpr std::size_t sealed_bytes = iv_bytes + secret_bytes + tag_bytes;
constexpr std::string_view secret_label = "almanac-reservation-secret";

using CipherContext = std::unique_ptr<EVP_CIPHER_CTX, decltype(&EVP_CIPHER_CTX_free)>;
using Kdf = std::unique_ptr<EVP_KDF, decltype(&EVP_KDF_free)>;
using KdfContext = std::unique_ptr<EVP_KDF_CTX, decltype(&EVP_KDF_CTX_free)>;

const unsigned char* bytes_of(std::string_view bytes) {
  return reinterpret_cast<const unsigned char*>(bytes.data());
}
unsigned char* bytes_in(std::string& bytes, std::size_t at = 0) {
  return reinterpret_cast<unsigned char*>(bytes.data() + at);
}
int length(std::string_view bytes) { return static_cast<int>(bytes.size()); }

std::string parts_of_secret(const std::vector<std::string>& parts) {
  std::string text(secret_label);
  for (const auto& part : parts) text += '\0', text += part;
  return text;
}

std::string name_of(const SigningKey& key) {
  constexpr std::size_t enough = 9;
  return print_base64url(digest_of(key.public_key()).substr(0, enough));
}

// Of a reservation that is not granted yet, what is proposed.
Window window_of_key(const Reservation& reservation) {
  const bool is_new = reservation.phase == ReservationPhase::proposed;
  return is_new && !reservation.proposed.empty() ? reservation.proposed.front().shape.window
                                                 : reservation.shape.window;
}

// HKDF-SHA-256: one secret for each reservation.
std::string derived(const std::string& drawn, std::string info) {
  const Kdf kdf(EVP_KDF_fetch(nullptr, "HKDF", nullptr), EVP_KDF_free);
  const KdfContext context(kdf ? EVP_KDF_CTX_new(kdf.get()) : nullptr, EVP_KDF_CTX_free);
  check(context != nullptr, "HKDF is there");
  std::string method = "SHA256", key = drawn, secret(secret_bytes, '\0');
  const OSSL_PARAM parameters[] = {
      OSSL_PARAM_construct_utf8_string(OSSL_KDF_PARAM_DIGEST, method.data(), 0),
      OSSL_PARAM_construct_octet_string(OSSL_KDF_PARAM_KEY, key.data(), key.size()),
      OSSL_PARAM_construct_octet_string(OSSL_KDF_PARAM_INFO, info.data(), info.size()),
      OSSL_PARAM_construct_end()};
  const bool done = EVP_KDF_derive(context.get(), bytes_in(secret), secret.size(), parameters) == 1;
  OPENSSL_cleanse(key.data(), key.size());
  check(done, "HKDF makes a secret");
  return secret;
}

std::string goes_with(const std::string& site, const Caller& owner) {
  return parts_of_secret({site, owner.user, std::to_string(owner.uid)});
}

} // namespace

ReservationKeys::ReservationKeys(std::string site, SiteKeys keys, Random random)
    : site_(std::move(site)), keys_(std::move(keys)), random_(std::move(random)) {
  almanac::check(!keys_.keys.empty() && keys_.sealing.size() == key_bytes, "a site has its keys");
}

ReservationKeys::~ReservationKeys() { OPENSSL_cleanse(keys_.sealing.data(), keys_.sealing.size()); }

std::string ReservationKeys::draw_nonce() const { return print_base64url(random_(nonce_bytes)); }

std::string ReservationKeys::draw_secret(const Caller& owner) const {
  const Wiped drawn(random_(secret_bytes));
  return seal(drawn.bytes(), owner);
}

std::string ReservationKeys::seal(const std::string& drawn, const Caller& owner) const {
  auto sealed = random_(iv_bytes);
  sealed.resize(sealed_bytes);
  const auto with = goes_with(site_, owner);
  const CipherContext context(EVP_CIPHER_CTX_new(), EVP_CIPHER_CTX_free);
  int size = 0;
  const bool done =
      EVP_EncryptInit_ex(context.get(), EVP_aes_256_gcm(), nullptr, bytes_of(keys_.sealing),
                         bytes_of(sealed)) == 1 &&
      EVP_EncryptUpdate(context.get(), nullptr, &size, bytes_of(with), length(with)) == 1 &&
      EVP_EncryptUpdate(context.get(), bytes_in(sealed, iv_bytes), &size, bytes_of(drawn),
                        length(drawn)) == 1 &&
      EVP_EncryptFinal_ex(context.get(), bytes_in(sealed, iv_bytes + secret_bytes), &size) == 1 &&
      EVP_CIPHER_CTX_ctrl(context.get(), EVP_CTRL_GCM_GET_TAG, tag_bytes,
                          bytes_in(sealed, iv_bytes + secret_bytes)) == 1;
  almanac::check(done, "AES-256-GCM seals");
  return print_base64url(sealed);
}

Result<std::string> ReservationKeys::open(const Reservation& reservation) const {
  auto sealed = parse_base64url(reservation.sealed_secret);
  if (!sealed || sealed->size() != sealed_bytes)
    return Error{"advance reservation " + to_string(reservation.number) + " has no secret"};
  const auto with = goes_with(site_, reservation.owner);
  const CipherContext context(EVP_CIPHER_CTX_new(), EVP_CIPHER_CTX_free);
  std::string drawn(secret_bytes, '\0');
  unsigned char last[tag_bytes];
  int size = 0;
  const bool done =
      EVP_DecryptInit_ex(context.get(), EVP_aes_256_gcm(), nullptr, bytes_of(keys_.sealing),
                         bytes_of(*sealed)) == 1 &&
      EVP_DecryptUpdate(context.get(), nullptr, &size, bytes_of(with), length(with)) == 1 &&
      EVP_DecryptUpdate(context.get(), bytes_in(drawn), &size, bytes_in(*sealed, iv_bytes),
                        secret_bytes) == 1 &&
      EVP_CIPHER_CTX_ctrl(context.get(), EVP_CTRL_GCM_SET_TAG, tag_bytes,
                          bytes_in(*sealed, iv_bytes + secret_bytes)) == 1 &&
      EVP_DecryptFinal_ex(context.get(), last, &size) == 1;
  const Wiped held(std::move(drawn));
  if (!done)
    return Error{"the secret of advance reservation " + to_string(reservation.number) +
                 " was sealed with another key of this cell"};
  return derived(held.bytes(), parts_of_secret({site_, to_string(reservation.number),
                                                to_string(reservation.key)}));
}

const SiteKey& ReservationKeys::key_at(Instant now) const {
  const auto* found = &keys_.keys.front();
  for (const auto& one : keys_.keys)
    if (one.since <= now) found = &one;
  return *found;
}

Result<std::string> ReservationKeys::text(const Reservation& reservation, Instant now) const {
  const auto& public_key = reservation.request.public_key;
  const auto mode = public_key.empty() ? KeyMode::secret : KeyMode::private_key;
  auto key = public_key.empty() ? open(reservation) : parse_base64url(public_key);
  if (!key) return key.error();
  const Wiped held(std::move(*key));
  const auto& site_key = key_at(now).key;
  const auto window = window_of_key(reservation);
  const KeyGrant grant{1,
                       site_,
                       reservation.number,
                       reservation.key,
                       reservation.owner.user,
                       window.start,
                       window.end,
                       mode,
                       print_base64url(name_of_key(mode, held.bytes())),
                       name_of(site_key)};
  const auto bytes = canonical(grant);
  return print_key(
      {bytes, site_key.sign(bytes), mode == KeyMode::secret ? held.bytes() : std::string()});
}

Result<KeyGrant> ReservationKeys::said_by(const ReservationClaim& claim) {
  const auto key = parse_key(claim.key);
  if (!key) return key.error();
  return decode_canonical<KeyGrant>(key->grant);
}

CheckedClaim ReservationKeys::check(const ReservationClaim& claim, const std::string& command,
                                    const Reservation* found) const {
  CheckedClaim checked;
  checked.verdict = ClaimVerdict::bad_key;
  // It is written down with the command: of another length it was never given out.
  const auto nonce = parse_base64url(claim.nonce);
  const bool may_be_ours = nonce && nonce->size() == nonce_bytes;
  if (may_be_ours) checked.nonce = claim.nonce;
  const auto text = parse_key(claim.key);
  const auto grant = said_by(claim);
  if (!text || !grant) return checked;
  checked.number = grant->number, checked.incarnation = grant->incarnation;
  checked.not_after = grant->not_after;
  const auto signer = std::find_if(keys_.keys.begin(), keys_.keys.end(), [&](const SiteKey& one) {
    return name_of(one.key) == grant->site_key;
  });
  if (signer == keys_.keys.end() || grant->version != 1 || grant->site != site_ ||
      !verify_signature(signer->key.public_key(), text->grant, text->signature))
    return checked;
  if (!found || found->key != grant->incarnation || found->number != grant->number) return checked;
  const auto& public_key = found->request.public_key;
  const auto mode = public_key.empty() ? KeyMode::secret : KeyMode::private_key;
  auto key = public_key.empty() ? open(*found) : parse_base64url(public_key);
  if (!key) return checked;
  const Wiped held(std::move(*key));
  if (mode != grant->mode || print_base64url(name_of_key(mode, held.bytes())) != grant->proves)
    return checked;
  checked.verdict = ClaimVerdict::bad_proof;
  const auto proof = parse_base64url(claim.proof);
  if (!may_be_ours || !proof) return checked;
  const ClaimedUse use{*nonce, site_, grant->number, grant->incarnation, digest_of(command)};
  if (proves(use, mode, held.bytes(), *proof)) checked.verdict = ClaimVerdict::proved;
  return checked;
}

std::vector<SiteKey> rotated(std::vector<SiteKey> keys, Instant now, Instant oldest,
                             const std::function<SigningKey()>& make) {
  if (keys.empty()) keys.push_back({now, make()});
  // After a long time without a master a new one begins today.
  if (keys.back().since + site_key_time <= now) keys.push_back({now, make()});
  if (keys.back().since <= now) keys.push_back({keys.back().since + site_key_time, make()});
  const auto signs_no_more = [&](std::size_t i) {
    return i + 1 < keys.size() && keys[i + 1].since <= std::min(now, oldest);
  };
  std::size_t gone = 0;
  while (signs_no_more(gone)) ++gone;
  keys.erase(keys.begin(), keys.begin() + static_cast<std::ptrdiff_t>(gone));
  return keys;
}

} // namespace almanac
