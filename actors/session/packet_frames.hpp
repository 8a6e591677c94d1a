// Packets as frames of a link: a long one in parts, so that each frame is small.
#pragma once

#include "actors/messages.hpp"
#include "schema/frame_assembly.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace almanac {

/// More than any message holds: a request at a door has 1 MB, and a launch is made of one.
inline constexpr std::size_t largest_packet = 8 << 20;

/// The frames of a packet, with their heads, one after the other.
Result<std::string> frames_of(const Packet& packet);

/// Packets out of the bytes of a link. An error is its end: the far end is none of ours.
class PacketAssembly {
public:
  Result<std::vector<Packet>> take(std::string_view bytes);

private:
  /// Takes a frame; true when a packet is whole by it.
  Result<bool> add(std::string_view frame);

  FrameAssembly frames_;
  Packet packet_; ///< of which parts have come
  bool goes_on_ = false;
};

} // namespace almanac
