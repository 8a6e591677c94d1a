#include "tools/coallocate/line_seal.hpp"

#include "actors/trust/keyring.hpp"
#include "core/base/check.hpp"

#include <array>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <sys/stat.h>
#include <unistd.h>

namespace almanac {

namespace {

constexpr std::size_t shortest_secret = 32, longest_secret = 1024;

} // namespace

Result<std::string> read_line_secret(const std::string& file) {
  const int descriptor = ::open(file.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return Error{file + ": " + std::strerror(errno)};
  struct stat facts {};
  std::string bytes(longest_secret + 2, '\0');
  const bool is_private = ::fstat(descriptor, &facts) == 0 && S_ISREG(facts.st_mode) &&
                          (facts.st_mode & (S_IRWXG | S_IRWXO)) == 0;
  const auto count = ::read(descriptor, bytes.data(), bytes.size());
  ::close(descriptor);
  if (!is_private) return Error{file + " can be read by others than its owner: chmod go= " + file};
  if (count < 0) return Error{file + " cannot be read"};
  bytes.resize(static_cast<std::size_t>(count));
  if (bytes.ends_with('\n')) bytes.pop_back();
  if (bytes.size() < shortest_secret || bytes.size() > longest_secret)
    return Error{file + ": a secret has 32 to 1024 bytes"};
  return bytes;
}

std::string sealed_line(std::string_view line, const LineSecret& secret, std::string_view binding,
                        std::int64_t number) {
  const auto text = std::string(binding) + std::to_string(number) + "\n" + std::string(line);
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned size = 0;
  const auto* const made =
      HMAC(EVP_sha256(), secret.bytes.data(), static_cast<int>(secret.bytes.size()),
           reinterpret_cast<const unsigned char*>(text.data()), text.size(), digest.data(), &size);
  check(made != nullptr, "OpenSSL has HMAC-SHA-256");
  return std::string(line) + ";X_KEYID=" + secret.id +
         ";X_HMAC=" + to_hex({reinterpret_cast<const char*>(digest.data()), size});
}

} // namespace almanac
