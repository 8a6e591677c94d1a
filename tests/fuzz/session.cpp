// What the far end of a session sends, in each stage that a handshake with an honest peer reaches:
// bytes, frames, packets, envelopes, and what the table, the handshake and the orders' check make
// of them. Who has no key proves nothing.
#include "actors/session/channel.hpp"
#include "actors/session/packet_frames.hpp"
#include "actors/session/protocol.hpp"
#include "actors/trust/order.hpp"
#include "schema/codec.hpp"
#include "tests/fuzz/fuzz.hpp"
#include "tests/fuzz/record_mutation.hpp"

#include <algorithm>
#include <cstring>
#include <optional>

using namespace almanac;

namespace {

std::string nonce(std::size_t size) { return std::string(size, 'n'); }

Identity agent(const SigningKey& master_key, const std::string& name) {
  const auto key = SigningKey::generate();
  const auto ticket = sign_ticket(master_key, "cell", name, key.public_key(), 1, {});
  return {"cell",
          name,
          session::Role::agent,
          key,
          ticket.ticket,
          ticket.signature,
          master_key.public_key()};
}

struct Cell {
  SigningKey master_key = SigningKey::generate();
  Identity master{"cell", "master", session::Role::master,  master_key,
                  {},     {},       master_key.public_key()};
  Identity h1 = agent(master_key, "h1"), h2 = agent(master_key, "h2");
};

// One end that is real, as far as it needs no actor, and the keys of the honest peer.
class Session {
public:
  Session(const Cell& cell, Listener listener, Stage wanted)
      : listener_(listener),
        own_(listener == Listener::master ? cell.master : cell.h1),
        other_(listener == Listener::agent ? cell.master : cell.h2),
        hand_(own_, nonce, "tls"),
        far_(other_, nonce, "tls") {
    const bool begins = listener == Listener::agent || listener == Listener::caller;
    begins ? begin(wanted) : accept(wanted);
  }

  /// False: it has ended.
  bool take(const session::Message& message) {
    const auto next = after(listener_, stage_, message);
    if (!next) return false;
    stage_ = *next;
    return std::visit([this](const auto& one) { return act(one); }, message);
  }

private:
  void begin(Stage wanted) {
    stage_ = Stage::challenge;
    const auto hello = hand_.begin(other_.role, other_.name);
    if (wanted == Stage::challenge) return;
    const auto proof = hand_.answer(*far_.challenge(hello));
    check(proof.ok() && far_.finish(*proof).ok(), "an honest handshake succeeds");
    stage_ = Stage::welcome;
    if (wanted == Stage::welcome) return;
    check(hand_.enter(far_.welcome({{7}, "store", {}})).ok(), "an honest handshake succeeds");
    open(listener_ == Listener::agent && wanted == Stage::list ? Stage::list : Stage::open);
  }

  void accept(Stage wanted) {
    stage_ = Stage::hello;
    if (wanted == Stage::hello) return;
    const auto challenge = hand_.challenge(far_.begin(own_.role, own_.name));
    stage_ = Stage::proof;
    if (wanted == Stage::proof) return;
    check(hand_.finish(*far_.answer(*challenge)).ok(), "an honest handshake succeeds");
    check(far_.enter(hand_.welcome({{7}, "store", {}})).ok(), "an honest handshake succeeds");
    open(listener_ == Listener::master && wanted == Stage::list ? Stage::list : Stage::open);
  }

  void open(Stage stage) {
    stage_ = stage;
    const OrderScope scope{hand_.session_id(), own_.name, "store", {7}};
    check(hand_.session_id() == far_.session_id(), "both have heard the same");
    seal_.emplace(other_.key, scope);
    orders_.emplace(hand_.peer_key(), scope);
  }

  bool act(const session::Hello& hello) { return hand_.challenge(hello).ok(); }
  bool act(const session::Challenge& challenge) {
    check(!hand_.answer(challenge).ok(), "who has no key is nobody");
    return false;
  }
  bool act(const session::Proof& proof) {
    check(!hand_.finish(proof).ok(), "who has no key is nobody");
    return false;
  }
  bool act(const session::Welcome& welcome) {
    check(!hand_.enter(welcome).ok(), "who has no key is nobody");
    return false;
  }
  bool act(const session::SignedOrder& order) {
    check(!orders_->open(order).ok(), "an order is signed by the peer");
    // And if it were: what it holds is opened once, and judged as every message.
    const auto read = decode<session::Order>(order.order.content);
    const auto envelope =
        decode<session::Envelope>(read ? read->message.content : order.order.content);
    if (!envelope) return false;
    const auto honest = seal_->sign(envelope->body);
    const auto opened = orders_->open(honest);
    check(opened.ok() && opened->index() == envelope->body.index(), "an honest order is opened");
    check(!orders_->open(honest).ok(), "an order is opened once");
    return is_order(*opened) && after(listener_, Stage::ordered, *opened) && act_ordered(*opened);
  }
  bool act_ordered(const session::Message& order) {
    if (const auto* start = std::get_if<session::PeerStart>(&order))
      check(!check_peer(own_, "h2", start->attempt, start->credential, start->signature).ok(),
            "a credential is signed by the master");
    return true;
  }
  template <class Other> bool act(const Other&) { return true; }

  Listener listener_;
  Stage stage_ = Stage::hello;
  const Identity& own_;
  const Identity& other_;
  Handshake hand_, far_;
  std::optional<OrderSeal> seal_;
  std::optional<OrderCheck> orders_;
};

[[maybe_unused]] std::vector<Packet> packets_of(std::string_view bytes) {
  PacketAssembly assembly;
  auto packets = assembly.take(bytes);
  return packets ? *packets : std::vector<Packet>();
}

} // namespace

// A byte for who listens and in which stage, one for how large the pieces are, and the link's
// bytes.
int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const Cell cell;
  Pieces pieces(as_text(data, size));
  const auto choice = pieces.byte();
  const std::size_t piece = 1 + pieces.byte() * 16;
  Session session(cell, listeners[choice & 3], stages[(choice >> 2) % stages.size()]);
  Channel channel;
  PacketAssembly assembly;
  for (auto bytes = pieces.rest(); !bytes.empty();
       bytes.remove_prefix(std::min(piece, bytes.size()))) {
    const auto packets = assembly.take(bytes.substr(0, piece));
    if (!packets) return 0;
    for (const auto& packet : *packets)
      for (const auto& content : channel.hear(packet)) {
        const auto envelope = decode<session::Envelope>(content);
        if (!envelope || !session.take(envelope->body)) return 0;
      }
  }
  return 0;
}

#ifdef ALMANAC_FUZZ
// Most of the time one packet is changed: a field of its message, its number or its place.
extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                               std::size_t limit, unsigned seed) {
  RecordMutation mutation(seed);
  if (size < 2 || mutation.below(4) == 0) return LLVMFuzzerMutate(data, size, limit);
  auto packets = packets_of(as_text(data + 2, size - 2));
  if (packets.empty()) return LLVMFuzzerMutate(data, size, limit);
  auto& packet = packets[mutation.below(packets.size())];
  switch (mutation.below(6)) {
  case 0: std::swap(packet, packets[mutation.below(packets.size())]); break;
  case 1: packet.sequence += mutation.below(5) - 2; break;
  case 2: packet.acknowledged = mutation.below(1000); break;
  case 3: packets.push_back({packets.size() + 1, 0, packet.content}); break;
  default:
    if (auto envelope = decode<session::Envelope>(packet.content)) {
      mutation.change(*envelope);
      packet.content = encode(*envelope);
    } else packet.content = mutation.any_bytes(std::move(packet.content));
  }
  std::string input{static_cast<char>(data[0]), static_cast<char>(data[1])};
  for (const auto& one : packets) input += *frames_of(one);
  if (mutation.below(8) == 0) input[0] = static_cast<char>(mutation.below(256));
  if (input.size() > limit) return LLVMFuzzerMutate(data, size, limit);
  std::memcpy(data, input.data(), input.size());
  return input.size();
}
#endif
