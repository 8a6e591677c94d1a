#include "actors/session/channel.hpp"

#include <utility>

namespace almanac {

std::vector<Packet> Channel::say(std::string content) {
  unacknowledged_bytes_ += content.size();
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

std::vector<std::string> Channel::hear(const Packet& packet) {
  for (; !sent_.empty() && sent_.front().first <= packet.acknowledged; sent_.pop_front())
    unacknowledged_bytes_ -= sent_.front().second.size();
  if (packet.sequence <= heard_ || packet.sequence > heard_ + window) return {};
  const bool is_next = packet.sequence == heard_ + 1;
  if (!is_next && early_bytes_ + packet.content.size() > most_early_bytes) return {};
  if (early_.try_emplace(packet.sequence, packet.content).second)
    early_bytes_ += packet.content.size();
  std::vector<std::string> contents;
  for (auto next = early_.find(heard_ + 1); next != early_.end(); next = early_.find(heard_ + 1)) {
    early_bytes_ -= next->second.size();
    contents.push_back(std::move(next->second));
    early_.erase(next);
    ++heard_;
  }
  if (!contents.empty()) has_spoken_ = false;
  return contents;
}

std::optional<std::string> Channel::overload() const {
  if (unacknowledged() <= most_unacknowledged && unacknowledged_bytes_ <= most_unacknowledged_bytes)
    return std::nullopt;
  return "it takes too little: " + std::to_string(unacknowledged()) + " messages with " +
         std::to_string(unacknowledged_bytes_) + " bytes are not acknowledged";
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
