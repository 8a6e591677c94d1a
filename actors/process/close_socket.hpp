// Closing a connection of a broker at once, whatever its far end does.
#pragma once

#include <caf/io/broker.hpp>

#include <sys/socket.h>

namespace almanac {

/// CAF's close() alone lets the far end decide when the descriptor is free; what is not written yet
/// is lost. In CAF 0.17's default multiplexer a connection's id is its descriptor.
inline void close_socket(caf::io::broker* self, caf::io::connection_handle handle) {
  if (self->close(handle)) ::shutdown(static_cast<int>(handle.id()), SHUT_RDWR);
}

} // namespace almanac
