// One frame of a link between daemons: a packet of a session, or a part of a long one. Its content
// is an Envelope (schema/session_messages.hpp).
#pragma once

#include "schema/session_messages.hpp"

namespace almanac {

struct LinkFrame {
  std::uint64_t sequence = 0;
  std::uint64_t acknowledged = 0;
  Bytes content;
  bool more = false; ///< the packet goes on in the next frame
};
template <class V> void describe(V& visit, LinkFrame& f) {
  visit("sequence", f.sequence);
  visit("acknowledged", f.acknowledged);
  visit("content", f.content);
  visit("more", f.more);
}

} // namespace almanac
