// Closing a connection of a broker at once, whatever its far end does; and what is said before.
#pragma once

#include <caf/io/broker.hpp>

#include <string>
#include <sys/socket.h>

namespace almanac {

/// CAF's close() alone lets the far end decide when the descriptor is free; what is not written yet
/// is lost. In CAF 0.17's default multiplexer a connection's id is its descriptor.
inline void close_socket(caf::io::broker* self, caf::io::connection_handle handle) {
  if (self->close(handle)) ::shutdown(static_cast<int>(handle.id()), SHUT_RDWR);
}

/// What the far end is to know before that, such as why TLS has failed: at once or not at all, and
/// not between what waits to be written.
inline void say_last(caf::io::broker* self, caf::io::connection_handle handle,
                     const std::string& bytes) {
  if (self->wr_buf(handle).empty())
    ::send(static_cast<int>(handle.id()), bytes.data(), bytes.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
}

} // namespace almanac
