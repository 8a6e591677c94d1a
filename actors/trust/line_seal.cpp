#include "actors/trust/line_seal.hpp"

#include "actors/trust/keyring.hpp"
#include "core/base/check.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <sys/stat.h>
#include <unistd.h>

namespace almanac {

namespace {

constexpr std::size_t shortest_secret = 32, longest_secret = 1024;
constexpr std::string_view key_token = ";X_KEYID=", digits_token = ";X_HMAC=";
constexpr std::size_t digest_digits = 64;

std::string seal_of(std::string_view line, const LineSecret& secret, std::string_view binding,
                    std::int64_t number) {
  const auto text = std::string(binding) + std::to_string(number) + "\n" + std::string(line);
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned size = 0;
  const auto& key = secret.bytes.bytes();
  const auto* const made =
      HMAC(EVP_sha256(), key.data(), static_cast<int>(key.size()),
           reinterpret_cast<const unsigned char*>(text.data()), text.size(), digest.data(), &size);
  check(made != nullptr, "OpenSSL has HMAC-SHA-256");
  return to_hex({reinterpret_cast<const char*>(digest.data()), size});
}

} // namespace

Result<Wiped> read_line_secret(const std::string& file) {
  const int descriptor = ::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor < 0) return Error{file + ": " + std::strerror(errno)};
  struct stat facts {};
  std::string bytes(longest_secret + 2, '\0');
  const bool is_private = ::fstat(descriptor, &facts) == 0 && S_ISREG(facts.st_mode) &&
                          (facts.st_mode & (S_IRWXG | S_IRWXO)) == 0;
  const auto count = is_private ? ::read(descriptor, bytes.data(), bytes.size()) : 0;
  ::close(descriptor);
  if (!is_private) return Error{file + " can be read by others than its owner: chmod go= " + file};
  if (count < 0) return Error{file + " cannot be read"};
  bytes.resize(static_cast<std::size_t>(count));
  if (bytes.ends_with('\n')) bytes.pop_back();
  Wiped secret(std::move(bytes));
  if (secret.bytes().size() < shortest_secret || secret.bytes().size() > longest_secret)
    return Error{file + ": a secret has 32 to 1024 bytes"};
  return secret;
}

std::string sealed_line(std::string_view line, const LineSecret& secret, std::string_view binding,
                        std::int64_t number) {
  return std::string(line) + std::string(key_token) + secret.id + std::string(digits_token) +
         seal_of(line, secret, binding, number);
}

std::optional<OpenedLine> opened_line(std::string_view line, const std::vector<LineSecret>& secrets,
                                      std::string_view binding, std::int64_t number) {
  const auto digits_at = line.rfind(digits_token), key_at = line.rfind(key_token);
  if (digits_at == std::string_view::npos || key_at == std::string_view::npos || key_at > digits_at)
    return std::nullopt;
  const auto digits = line.substr(digits_at + digits_token.size());
  const auto id_at = key_at + key_token.size();
  const auto id = line.substr(id_at, digits_at - id_at);
  const auto bare = line.substr(0, key_at);
  const auto found = std::find_if(secrets.begin(), secrets.end(),
                                  [&](const LineSecret& secret) { return secret.id == id; });
  // Who asks for a secret that is not there waits as long as for one that is.
  static const LineSecret nobodys{"", Wiped(std::string(shortest_secret, '\0'))};
  const bool is_known = found != secrets.end();
  const auto expected = seal_of(bare, is_known ? *found : nobodys, binding, number);
  if (digits.size() != digest_digits ||
      CRYPTO_memcmp(digits.data(), expected.data(), digest_digits) != 0 || !is_known)
    return std::nullopt;
  return OpenedLine{std::string(id), std::string(bare)};
}

} // namespace almanac
