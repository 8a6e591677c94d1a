#include "actors/process/addresses.hpp"

#include <sys/socket.h>

namespace almanac {

Result<Addresses> look_up(const std::string& host, const std::string& port, int flags) {
  addrinfo wanted{};
  wanted.ai_socktype = SOCK_STREAM;
  wanted.ai_flags = flags | (port.empty() ? 0 : AI_NUMERICSERV);
  addrinfo* list = nullptr;
  const bool is_all = host.empty() && (flags & AI_PASSIVE) != 0;
  const int problem = ::getaddrinfo(is_all ? nullptr : host.c_str(),
                                    port.empty() ? nullptr : port.c_str(), &wanted, &list);
  if (problem != 0) return Error{::gai_strerror(problem)};
  return Addresses(list);
}

} // namespace almanac
