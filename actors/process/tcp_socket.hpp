// Sockets of TCP, as doors and links make them.
#pragma once

#include "core/base/result.hpp"

#include <cstdint>
#include <string>

namespace almanac {

/// A listening socket; port 0 chooses one, address "" is all of this machine's.
Result<int> listen_at(const std::string& address, std::uint16_t port);
/// A connected socket; waits for some seconds.
Result<int> dial(const std::string& host, const std::string& port);

std::uint16_t port_of(int socket);
/// The far end's address in numbers; nothing when it has gone.
std::string far_address(int socket);
std::string near_address(int socket);

} // namespace almanac
