#include "actors/trust/keyring.hpp"

#include <openssl/evp.h>
#include <openssl/rand.h>

#include <memory>
#include <set>

namespace almanac {

namespace {

using Key = std::unique_ptr<EVP_PKEY, decltype(&EVP_PKEY_free)>;
using DigestContext = std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)>;

const unsigned char* bytes_of(std::string_view bytes) {
  return reinterpret_cast<const unsigned char*>(bytes.data());
}

// Good signatures, with whose and of what.
class GoodSignatures {
public:
  bool on = false;

  void add(std::string_view public_key, std::string_view bytes, std::string_view signature) {
    if (!on) return;
    if (known_.size() == most) known_.clear();
    known_.emplace(entry(public_key, bytes, signature));
  }
  bool have(std::string_view public_key, std::string_view bytes, std::string_view signature) const {
    return on && known_.contains(entry(public_key, bytes, signature));
  }

private:
  static constexpr std::size_t most = 4096;
  static std::string entry(std::string_view public_key, std::string_view bytes,
                           std::string_view signature) {
    std::string text(signature); // first, for they differ the most
    return text.append(public_key).append(bytes);
  }
  std::set<std::string> known_;
};

GoodSignatures& good_signatures() {
  static GoodSignatures signatures;
  return signatures;
}

} // namespace

void remember_signatures() { good_signatures().on = true; }

SigningKey SigningKey::generate() {
  auto key = parse(to_hex(random_bytes(32)));
  check(key.ok(), "32 random bytes make a key");
  return *key;
}

Result<SigningKey> SigningKey::parse(std::string_view text) {
  auto bytes = from_hex(text);
  if (!bytes || bytes->size() != 32) return Error{"a signing key has 64 hexadecimal digits"};
  SigningKey result;
  result.private_ = *bytes;
  result.key_ = {EVP_PKEY_new_raw_private_key(EVP_PKEY_ED25519, nullptr, bytes_of(result.private_),
                                              result.private_.size()),
                 EVP_PKEY_free};
  std::size_t size = 32;
  result.public_.resize(size);
  if (!result.key_ ||
      EVP_PKEY_get_raw_public_key(
          result.key_.get(), reinterpret_cast<unsigned char*>(result.public_.data()), &size) != 1)
    return Error{"not a signing key"};
  return result;
}

std::string SigningKey::print() const { return to_hex(private_); }

std::string SigningKey::sign(std::string_view bytes) const {
  const DigestContext context(EVP_MD_CTX_new(), EVP_MD_CTX_free);
  std::string signature(64, '\0');
  std::size_t size = signature.size();
  const bool done =
      EVP_DigestSignInit(context.get(), nullptr, nullptr, nullptr, key_.get()) == 1 &&
      EVP_DigestSign(context.get(), reinterpret_cast<unsigned char*>(signature.data()), &size,
                     bytes_of(bytes), bytes.size()) == 1;
  check(done && size == signature.size(), "a valid key signs");
  good_signatures().add(public_, bytes, signature);
  return signature;
}

bool verify_signature(std::string_view public_key, std::string_view bytes,
                      std::string_view signature) {
  if (public_key.size() != 32 || signature.size() != 64) return false;
  if (good_signatures().have(public_key, bytes, signature)) return true;
  const Key key(EVP_PKEY_new_raw_public_key(EVP_PKEY_ED25519, nullptr, bytes_of(public_key),
                                            public_key.size()),
                EVP_PKEY_free);
  const DigestContext context(EVP_MD_CTX_new(), EVP_MD_CTX_free);
  const bool good =
      key && EVP_DigestVerifyInit(context.get(), nullptr, nullptr, nullptr, key.get()) == 1 &&
      EVP_DigestVerify(context.get(), bytes_of(signature), signature.size(), bytes_of(bytes),
                       bytes.size()) == 1;
  if (good) good_signatures().add(public_key, bytes, signature);
  return good;
}

std::string to_hex(std::string_view bytes) {
  constexpr char digits[] = "0123456789abcdef";
  std::string text;
  for (const unsigned char byte : bytes) text += digits[byte >> 4], text += digits[byte & 15];
  return text;
}

Result<std::string> from_hex(std::string_view digits) {
  const auto value = [](char c) {
    return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
  };
  if (digits.size() % 2) return Error{"an odd number of hexadecimal digits"};
  std::string bytes;
  for (std::size_t i = 0; i < digits.size(); i += 2) {
    const auto high = value(digits[i]), low = value(digits[i + 1]);
    if (high < 0 || low < 0) return Error{"not a hexadecimal digit"};
    bytes += static_cast<char>(high << 4 | low);
  }
  return bytes;
}

std::string sha256(std::string_view bytes) {
  // Looked up once: to find it takes as long as a short digest.
  static EVP_MD* const method = EVP_MD_fetch(nullptr, "SHA256", nullptr);
  unsigned char digest[EVP_MAX_MD_SIZE];
  unsigned size = 0;
  check(EVP_Digest(bytes.data(), bytes.size(), digest, &size, method, nullptr) == 1,
        "SHA-256 is there");
  return to_hex({reinterpret_cast<const char*>(digest), size});
}

std::string random_bytes(std::size_t count) {
  std::string bytes(count, '\0');
  check(RAND_bytes(reinterpret_cast<unsigned char*>(bytes.data()), static_cast<int>(count)) == 1,
        "the system gives random bytes");
  return bytes;
}

} // namespace almanac
