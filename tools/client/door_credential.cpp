#include "tools/client/door_credential.hpp"

#include <cstdlib>
#include <munge.h>
#include <openssl/sha.h>

namespace almanac {

Result<std::string> munge_credential(std::string_view text, const std::string& munge_socket) {
  unsigned char digest[SHA256_DIGEST_LENGTH];
  ::SHA256(reinterpret_cast<const unsigned char*>(text.data()), text.size(), digest);
  const auto context = munge_ctx_create();
  if (!munge_socket.empty()) munge_ctx_set(context, MUNGE_OPT_SOCKET, munge_socket.c_str());
  char* credential = nullptr;
  const auto outcome = munge_encode(&credential, context, digest, sizeof digest);
  const char* said = munge_ctx_strerror(context);
  const std::string why = said ? said : munge_strerror(outcome);
  const std::string text_of_it = credential ? credential : "";
  std::free(credential);
  munge_ctx_destroy(context);
  if (outcome != EMUNGE_SUCCESS) return Error{"no MUNGE credential: " + why};
  return text_of_it;
}

} // namespace almanac
