#include "tools/simulator/chaos/hostile_line.hpp"

#include "actors/support.hpp"
#include "schema/codec.hpp"

#include <utility>

namespace almanac {

namespace {

constexpr std::int64_t silent_ms = 8000; // then a session has ended at the far end

} // namespace

HostileLine::HostileLine(VirtualWorld& world, VirtualWorld::Node& node, std::string whom,
                         Identity identity)
    : whom_(std::move(whom)), heard_at_(world.clock().milliseconds) {
  talk_->identity = std::move(identity);
  talk_->random = world.random();
  talk_->with = whom_.empty() ? session::Role::master : session::Role::agent;
  talk_->name = whom_;
  talk_->on_message = [this](const session::Message& message) { hear(message); };
  session_ = spawn_hostile_session(node.system, talk_);
  node.connect(whom_.empty() ? "master" : whom_, talk_->with, session_);
}

HostileLine::~HostileLine() { talk_->over = true, talk_->on_message = nullptr; }

void HostileLine::on_message(OnMessage on_message) { on_message_ = std::move(on_message); }

void HostileLine::hear(const session::Message& message) {
  if (const auto* welcome = std::get_if<session::Welcome>(&message)) welcome_ = *welcome;
  if (on_message_) on_message_(message);
}

void HostileLine::say(const session::Message& message) {
  say_bytes(encode(session::Envelope{message}));
}

void HostileLine::say_bytes(std::string content) {
  talk_->contents.push_back(std::move(content));
  if (always_must_end_) must_end();
  caf::anon_send(session_, Say{session::Proof{}});
}

void HostileLine::send(Packet packet) {
  talk_->packets.push_back(std::move(packet));
  caf::anon_send(session_, Say{session::Proof{}});
}

// By the number that the last thing said will have.
void HostileLine::must_end() {
  if (!talk_->fatal) talk_->fatal = talk_->said + talk_->contents.size();
}

void HostileLine::give_up() { talk_->over = true; }

bool HostileLine::is_alive(std::int64_t now) {
  if (talk_->heard != heard_) heard_ = talk_->heard, heard_at_ = now;
  if (now - heard_at_ > silent_ms) talk_->over = true;
  return !talk_->over;
}

OrderScope HostileLine::scope() const {
  return {talk_->session_id, whom_, welcome_.store_id, welcome_.term};
}

} // namespace almanac
