#include "actors/session/packet_frames.hpp"

#include "schema/codec.hpp"
#include "schema/link_frame.hpp"

#include <utility>

namespace almanac {

namespace {

constexpr std::size_t largest_part = 256 << 10;

} // namespace

Result<std::string> frames_of(const Packet& packet) {
  if (packet.content.size() > largest_packet)
    return Error{"a message of " + std::to_string(packet.content.size()) +
                 " bytes is longer than any link takes"};
  std::string bytes;
  std::string_view left = packet.content;
  bool more = true;
  while (more) {
    const auto part = left.substr(0, largest_part);
    left.remove_prefix(part.size());
    more = !left.empty();
    bytes += door::framed(
        encode(LinkFrame{packet.sequence, packet.acknowledged, {std::string(part)}, more}));
  }
  return bytes;
}

Result<std::vector<Packet>> PacketAssembly::take(std::string_view bytes) {
  const auto frames = frames_.take(bytes);
  if (!frames) return frames.error();
  std::vector<Packet> packets;
  for (const auto& frame : *frames) {
    const auto whole = add(frame);
    if (!whole) return whole.error();
    if (*whole) packets.push_back(std::exchange(packet_, {}));
  }
  return packets;
}

Result<bool> PacketAssembly::add(std::string_view bytes) {
  const auto frame = decode<LinkFrame>(bytes);
  if (!frame) return frame.error();
  if (goes_on_ && frame->sequence != packet_.sequence)
    return Error{"a part of one packet in the middle of another"};
  if (packet_.content.size() + frame->content.content.size() > largest_packet)
    return Error{"a packet that is longer than any message"};
  packet_.sequence = frame->sequence, packet_.acknowledged = frame->acknowledged;
  packet_.content += frame->content.content;
  goes_on_ = frame->more;
  return !goes_on_;
}

} // namespace almanac
