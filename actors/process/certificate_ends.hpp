// A daemon tells in its log when its certificates end.
#pragma once

#include "actors/process/tls_files.hpp"
#include "core/base/time.hpp"

namespace almanac {

/// Logs the warnings of a process's own certificate and its authority's.
void warn_of_ends(const TlsFiles& files, Instant now);

} // namespace almanac
