// OpenSSL tells why a call failed by way of the thread's error queue, and wants it empty before
// each call (SSL_get_error(3)). CAF 0.17.6 leaves what a failed connection has put there, and all
// its connections share one thread: an agent that was killed, or a stranger's bytes at the port,
// brought down every session that spoke next. CAF gets these two in place of OpenSSL's, for a
// program's own symbols come first; they empty the queue and pass the call on.
#include "actors/process/tls_errors.hpp"

#include <dlfcn.h>
#include <openssl/err.h>
#include <openssl/ssl.h>

namespace almanac {

namespace {

template <class Function> Function* of_openssl(const char* name) {
  return reinterpret_cast<Function*>(::dlsym(RTLD_NEXT, name));
}

} // namespace

bool tls_errors_are_kept_apart() { return of_openssl<decltype(SSL_read)>("SSL_read") != nullptr; }

} // namespace almanac

extern "C" int SSL_read(SSL* connection, void* bytes, int count) {
  static auto* const next = almanac::of_openssl<decltype(SSL_read)>("SSL_read");
  ERR_clear_error();
  return next(connection, bytes, count);
}

extern "C" int SSL_write(SSL* connection, const void* bytes, int count) {
  static auto* const next = almanac::of_openssl<decltype(SSL_write)>("SSL_write");
  ERR_clear_error();
  return next(connection, bytes, count);
}
