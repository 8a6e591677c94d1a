// Keeps the errors of one TLS connection from another.
#pragma once

namespace almanac {

/// Whether OpenSSL's own calls were found behind ours. It must be called once by whatever uses
/// CAF's TLS: thereby the linker takes in what stands before those calls.
bool tls_errors_are_kept_apart();

} // namespace almanac
