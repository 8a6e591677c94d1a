#include "tools/client/door_credential.hpp"

#include <cstdlib>
#include <munge.h>
#include <openssl/sha.h>

namespace almanac {

namespace {

std::string sha256(std::string_view text) {
  unsigned char digest[SHA256_DIGEST_LENGTH];
  ::SHA256(reinterpret_cast<const unsigned char*>(text.data()), text.size(), digest);
  std::string digits;
  for (const unsigned char byte : digest)
    digits += "0123456789abcdef"[byte >> 4], digits += "0123456789abcdef"[byte & 15];
  return digits;
}

} // namespace

Result<std::string> munge_credential(std::string_view text, const std::string& munge_socket) {
  const auto payload = sha256(text);
  const auto context = munge_ctx_create();
  if (!munge_socket.empty()) munge_ctx_set(context, MUNGE_OPT_SOCKET, munge_socket.c_str());
  char* credential = nullptr;
  const auto outcome =
      munge_encode(&credential, context, payload.data(), static_cast<int>(payload.size()));
  const char* said = munge_ctx_strerror(context);
  const std::string why = said ? said : munge_strerror(outcome);
  const std::string content = credential ? credential : "";
  std::free(credential);
  munge_ctx_destroy(context);
  if (outcome != EMUNGE_SUCCESS) return Error{"no MUNGE credential: " + why};
  return content;
}

} // namespace almanac
