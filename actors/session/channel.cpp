#include "actors/session/channel.hpp"

#include <utility>

namespace almanac {

std::vector<Packet> Channel::say(std::string content) {
  waiting_.push_back(std::move(content));
  return released();
}

std::vector<Packet> Channel::released() {
  std::vector<Packet> packets;
  while (!waiting_.empty() && sent_.size() < window) {
    sent_.emplace_back(next_++, std::move(waiting_.front()));
    waiting_.pop_front();
    packets.push_back(pack(sent_.back()));
  }
  has_spoken_ = has_spoken_ || !packets.empty();
  return packets;
}

std::optional<std::string> Channel::hear(const Packet& packet) {
  while (!sent_.empty() && sent_.front().first <= packet.acknowledged) sent_.pop_front();
  if (packet.sequence == 0 || packet.sequence != heard_ + 1) return std::nullopt;
  ++heard_;
  has_spoken_ = false;
  return packet.content;
}

std::vector<Packet> Channel::beat() {
  std::vector<Packet> packets;
  if (!sent_.empty() && sent_.front().first <= at_last_beat_)
    for (const auto& item : sent_) packets.push_back(pack(item));
  at_last_beat_ = next_ - 1;
  if (packets.empty() && !std::exchange(has_spoken_, false)) packets.push_back({0, heard_, {}});
  return packets;
}

} // namespace almanac
