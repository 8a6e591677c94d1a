// Two ends of a session over a link that loses, doubles, delays and reorders packets: what one says
// the other hears once, whole and in order.
#include "actors/session/channel.hpp"
#include "actors/session/packet_frames.hpp"
#include "tests/fuzz/fuzz.hpp"

#include <deque>

using namespace almanac;

namespace {

struct End {
  Channel channel;
  std::deque<Packet> link; ///< to the other end
  std::vector<std::string> said, heard;

  void send(const std::vector<Packet>& packets) {
    link.insert(link.end(), packets.begin(), packets.end());
  }
  void say(std::string text) {
    said.push_back(text);
    send(channel.say(std::move(text)));
  }
  // A packet crosses the link as bytes.
  void hear(const Packet& packet) {
    PacketAssembly assembly;
    const auto taken = assembly.take(*frames_of(packet));
    check(taken.ok() && taken->size() == 1, "a packet is one when it arrives");
    for (auto& content : channel.hear(taken->front())) heard.push_back(std::move(content));
    send(channel.released());
  }
};

void deliver(End& from, End& to, std::size_t place, bool stays) {
  if (from.link.empty()) return;
  place %= from.link.size();
  const auto packet = from.link[place];
  if (!stays) from.link.erase(from.link.begin() + static_cast<std::ptrdiff_t>(place));
  to.hear(packet);
}

void check_order(const End& from, const End& to) {
  check(to.heard.size() <= from.said.size(), "nothing is heard that was not said");
  check(std::equal(to.heard.begin(), to.heard.end(), from.said.begin()),
        "it is heard in order, once");
}

} // namespace

// A byte for what happens, some with one more: which packet, or what is said.
int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Pieces pieces(as_text(data, size));
  End ends[2];
  while (!pieces.at_end()) {
    const auto what = pieces.byte();
    auto& one = ends[what & 1];
    auto& other = ends[~what & 1];
    switch (what >> 1 & 7) {
    case 0:
      one.say(std::string(pieces.byte(), static_cast<char>('a' + one.said.size() % 26)));
      break;
    case 1: one.send(one.channel.beat()); break;
    case 2: deliver(one, other, 0, false); break;
    case 3: deliver(one, other, pieces.byte(), false); break;
    case 4: deliver(one, other, pieces.byte(), true); break;
    case 5:
      if (!one.link.empty()) one.link.pop_front();
      break;
    case 6:
      for (auto more = pieces.byte(); more > 0; --more) one.say("x");
      break;
    case 7: one.link.clear(); break;
    }
    if (one.said.size() > 2000 || one.link.size() > 4000) break;
  }
  check_order(ends[0], ends[1]);
  check_order(ends[1], ends[0]);
  // Once the link is a good one, all arrives in two beats for each window that was waiting.
  for (int round = 0; round < 40; ++round)
    for (int i = 0; i < 2; ++i) {
      ends[i].send(ends[i].channel.beat());
      while (!ends[i].link.empty()) deliver(ends[i], ends[1 - i], 0, false);
    }
  for (int i = 0; i < 2; ++i) {
    check(ends[i].said == ends[1 - i].heard, "in the end all is heard");
    check(ends[i].channel.unacknowledged() == 0, "and both know it");
  }
  return 0;
}
