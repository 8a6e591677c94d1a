#include "tools/client/seal.hpp"

#include "schema/codec.hpp"
#include "tools/client/door.hpp"

#include <cstdlib>
#include <munge.h>
#include <nettle/sha2.h>

namespace almanac {

namespace {

std::string sha256(std::string_view bytes) {
  sha256_ctx context;
  sha256_init(&context);
  sha256_update(&context, bytes.size(), reinterpret_cast<const std::uint8_t*>(bytes.data()));
  unsigned char digest[SHA256_DIGEST_SIZE];
  sha256_digest(&context, sizeof digest, digest);
  return hexadecimal({reinterpret_cast<const char*>(digest), sizeof digest});
}

} // namespace

Result<std::string> seal(std::string_view request, const std::string& binding,
                         const std::string& munge_socket) {
  door::SealedRequest sealed{{std::string(request)}, {random_nonce()}, {}};
  const auto payload = sha256(binding + sealed.nonce.content + sealed.request.content);
  const auto context = munge_ctx_create();
  if (!munge_socket.empty()) munge_ctx_set(context, MUNGE_OPT_SOCKET, munge_socket.c_str());
  char* credential = nullptr;
  const auto outcome =
      munge_encode(&credential, context, payload.data(), static_cast<int>(payload.size()));
  const char* said = munge_ctx_strerror(context);
  const std::string why = said ? said : munge_strerror(outcome);
  if (credential) sealed.credential = credential;
  std::free(credential);
  munge_ctx_destroy(context);
  if (outcome != EMUNGE_SUCCESS) return Error{"no MUNGE credential: " + why};
  return encode(sealed);
}

} // namespace almanac
