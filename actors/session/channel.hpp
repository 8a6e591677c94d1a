// Numbered packets over a link that may lose, double or delay them.
//
// What is said arrives once and in order: a packet is repeated until it is acknowledged, one that
// overtook others waits for them. At most `window` packets are on their way, the others wait here:
// only so many that a far side which acknowledges nothing does not fill the memory.
#pragma once

#include "actors/messages.hpp"

#include <deque>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace almanac {

class Channel {
public:
  static constexpr std::size_t window = 256;
  /// What is kept of packets that came too early; the others are repeated by who sent them.
  static constexpr std::size_t most_early_bytes = 16 << 20;

  /// What may lie here unacknowledged: more than the scripts of a few hundred jobs that a host gets
  /// at once.
  static constexpr std::size_t most_unacknowledged_bytes = 256u << 20;
  static constexpr std::size_t most_unacknowledged = 65'536;
  /// Who can wait says more while it is less.
  static constexpr std::size_t room = 4u << 20;

  /// Takes content to send; returns the packets that may go now.
  std::vector<Packet> say(std::string content);
  /// Takes a packet; returns what is next by it, in order. Acknowledged packets are let go.
  std::vector<std::string> hear(const Packet& packet);
  /// The packets that acknowledgements have made room for since the last call.
  std::vector<Packet> released();
  /// What a beat sends: what has waited for its acknowledgement since the last beat, or a heartbeat
  /// unless all that was heard has been acknowledged by something that was sent since then.
  std::vector<Packet> beat();

  std::size_t unacknowledged() const { return sent_.size() + waiting_.size(); }
  std::size_t unacknowledged_bytes() const { return unacknowledged_bytes_; }
  /// Why there is no sense in going on, where the far side acknowledges too little.
  std::optional<std::string> overload() const;
  bool has_room() const { return waiting_.empty() && unacknowledged_bytes_ < room; }

private:
  Packet pack(const std::pair<std::uint64_t, std::string>& item) const {
    return {item.first, heard_, item.second};
  }

  std::uint64_t next_ = 1;
  std::uint64_t heard_ = 0;
  std::uint64_t at_last_beat_ = 0;
  bool has_spoken_ = false; ///< since the last beat and since anything was heard
  std::deque<std::pair<std::uint64_t, std::string>> sent_;
  std::deque<std::string> waiting_;
  std::size_t unacknowledged_bytes_ = 0;       ///< of both
  std::map<std::uint64_t, std::string> early_; ///< heard before what comes first
  std::size_t early_bytes_ = 0;
};

} // namespace almanac
