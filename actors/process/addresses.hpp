// The addresses of a host, as the C library finds them.
#pragma once

#include "core/base/result.hpp"

#include <memory>
#include <netdb.h>
#include <string>

namespace almanac {

struct FreeAddresses {
  void operator()(addrinfo* list) const { ::freeaddrinfo(list); }
};
/// At least one.
using Addresses = std::unique_ptr<addrinfo, FreeAddresses>;

/// For TCP. `port`: a number, or "" for none; `flags`: of getaddrinfo(3), such as AI_NUMERICHOST,
/// without which it may wait for a name server for half a minute. With AI_PASSIVE the host "" is
/// all addresses of this machine. The error does not name the host.
Result<Addresses> look_up(const std::string& host, const std::string& port, int flags = 0);

} // namespace almanac
