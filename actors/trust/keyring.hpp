// Ed25519 keys and signatures, and SHA-256: OpenSSL's, behind values.
#pragma once

#include "core/base/result.hpp"

#include <memory>
#include <string>
#include <string_view>

struct evp_pkey_st;

namespace almanac {

/// A private key. Keep it in files that only their owner reads.
class SigningKey {
public:
  static SigningKey generate();
  /// From the 64 hexadecimal digits that print() gives.
  static Result<SigningKey> parse(std::string_view text);
  std::string print() const;

  const std::string& public_key() const { return public_; } ///< 32 bytes
  std::string sign(std::string_view bytes) const;           ///< 64 bytes

private:
  std::string private_, public_;
  std::shared_ptr<evp_pkey_st> key_; ///< made once: that takes as long as to sign
};

bool verify_signature(std::string_view public_key, std::string_view bytes,
                      std::string_view signature);

/// From now on no signature that this process made, or has verified, is worked out again: for
/// processes of one thread in which all parties speak (simulations), a third of whose time it was.
void remember_signatures();

std::string to_hex(std::string_view bytes);
Result<std::string> from_hex(std::string_view digits);
/// In hexadecimal digits.
std::string sha256(std::string_view bytes);
/// From the system's generator.
std::string random_bytes(std::size_t count);

} // namespace almanac
