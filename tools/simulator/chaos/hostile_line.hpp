// A session of a hostile agent with a master or another agent, and what its owner knows of it.
#pragma once

#include "actors/trust/order.hpp"
#include "schema/session_messages.hpp"
#include "tools/simulator/chaos/hostile_session.hpp"
#include "tools/simulator/world/virtual_node.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>

namespace almanac {

class HostileLine {
public:
  using OnMessage = std::function<void(const session::Message& message)>;

  /// Calls an agent, or the master where `whom` is "", from this node and with these keys.
  HostileLine(VirtualWorld& world, VirtualWorld::Node& node, std::string whom, Identity identity);
  HostileLine(const HostileLine&) = delete;
  HostileLine& operator=(const HostileLine&) = delete;
  ~HostileLine(); ///< the actor lives on for a while, and tells nobody

  /// Hears what the far end says, a welcome as well.
  void on_message(OnMessage on_message);

  void say(const session::Message& message);
  void say_bytes(std::string content);
  /// A packet as it is; nothing that comes later can be told from it.
  void send(Packet packet);
  /// The far end has to end the session for what was said last. Once for all: for all of it.
  void must_end();
  void always_must_end() { always_must_end_ = true; }
  void give_up();
  void mute(bool is_mute) { talk_->mute = is_mute; }

  bool is_open() const { return talk_->open; }
  /// Whether it still leads somewhere, `now` in milliseconds of the world.
  bool is_alive(std::int64_t now);
  /// The far end went on talking after it had to end the session.
  bool is_heard_too_long() const { return talk_->heard_after; }

  const std::string& whom() const { return whom_; }
  const std::string& name() const { return talk_->identity.name; } ///< in which it was opened
  const session::Welcome& welcome() const { return welcome_; }
  /// In which orders would be signed.
  OrderScope scope() const;
  /// An order is said: whether it is not the first one.
  bool orders_again() { return std::exchange(has_ordered_, true); }

private:
  void hear(const session::Message& message);

  std::shared_ptr<Conversation> talk_ = std::make_shared<Conversation>();
  SessionActor session_;
  std::string whom_;
  session::Welcome welcome_;
  OnMessage on_message_;
  bool always_must_end_ = false, has_ordered_ = false;
  std::int64_t heard_ = 0, heard_at_ = 0;
};

} // namespace almanac
