#include "actors/trust/claim_proof.hpp"

#include "actors/trust/keyring.hpp"
#include "actors/trust/wiped.hpp"
#include "core/base/check.hpp"

#include <openssl/crypto.h>
#include <openssl/evp.h>

#include <utility>

namespace almanac {

namespace {

constexpr std::size_t digest_bytes = 32;

const unsigned char* input_of(std::string_view bytes) {
  return reinterpret_cast<const unsigned char*>(bytes.data());
}
unsigned char* output_in(std::string& bytes) {
  return reinterpret_cast<unsigned char*>(bytes.data());
}

} // namespace

std::string digest_of(std::string_view bytes) {
  std::string digest(digest_bytes, '\0');
  unsigned size = 0;
  check(EVP_Digest(bytes.data(), bytes.size(), output_in(digest), &size, EVP_sha256(), nullptr) ==
            1,
        "SHA-256 is there");
  return digest;
}

std::string hmac_of(std::string_view key, std::string_view bytes) {
  std::string code(digest_bytes, '\0');
  std::size_t size = 0;
  const auto* made = EVP_Q_mac(nullptr, "HMAC", nullptr, "SHA256", nullptr, key.data(), key.size(),
                               input_of(bytes), bytes.size(), output_in(code), code.size(), &size);
  check(made && size == code.size(), "HMAC-SHA-256 is there");
  return code;
}

bool same_bytes(std::string_view a, std::string_view b) {
  return a.size() == b.size() && CRYPTO_memcmp(a.data(), b.data(), a.size()) == 0;
}

Result<std::string> prove(ClaimProver prover) {
  const Wiped secret(std::move(prover.secret)), private_key(std::move(prover.private_key));
  prover.use.digest = digest_of(prover.command);
  const auto text = claim_text(prover.use);
  if (!secret.bytes().empty()) return hmac_of(secret.bytes(), text);
  if (private_key.bytes().empty())
    return Error{"a claim is proved with a secret or a private key, and there is none"};
  const Wiped digits(to_hex(private_key.bytes()));
  const auto key = SigningKey::parse(digits.bytes());
  if (!key) return key.error();
  return key->sign(text);
}

bool proves(const ClaimedUse& use, KeyMode mode, std::string_view key, std::string_view proof) {
  const auto text = claim_text(use);
  if (mode == KeyMode::private_key) return verify_signature(key, text, proof);
  return same_bytes(hmac_of(key, text), proof);
}

std::string name_of_key(KeyMode mode, std::string_view key) {
  if (mode == KeyMode::private_key) return digest_of(key);
  return digest_of(hmac_of(key, "almanac-secret-id")); // says nothing of the secret
}

} // namespace almanac
