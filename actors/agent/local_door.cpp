#include "actors/agent/local_door.hpp"

#include "core/answer/gridengine.hpp"
#include "schema/codec.hpp"
#include "schema/door_objection.hpp"

#include <caf/send.hpp>
#include <utility>

namespace almanac {

namespace {

constexpr std::int64_t ask_again_ms = 200;

void reply(const caf::strong_actor_ptr& keeper, DoorReply reply) {
  caf::anon_send(caf::actor_cast<DoorKeeperActor>(keeper), std::move(reply));
}

} // namespace

void LocalDoor::answer(const caf::strong_actor_ptr& keeper, std::int64_t connection,
                       door::ReplyBody body) {
  reply(keeper, {connection, encode(door::Reply{true, std::move(body)}), true, nullptr});
}

void LocalDoor::say_nothing(const caf::strong_actor_ptr& keeper, std::int64_t connection) {
  reply(keeper, {connection, {}, true, nullptr});
}

LocalDoor::Asked LocalDoor::take(const DoorFrame& frame, const caf::strong_actor_ptr& keeper,
                                 bool is_registered) {
  if (auto request = decode<door::Request>(frame.content)) { // else the master says what is wrong
    if (auto refusal = door::objection(request->body)) {
      answer(keeper, frame.connection, gridengine::with_lines(std::move(*refusal)));
      return {};
    }
    if (auto* inherit = std::get_if<door::Inherit>(&request->body))
      return Inherit{request->id, std::move(*inherit)};
    if (auto* attach = std::get_if<door::Attach>(&request->body))
      return Attach{request->id, std::move(*attach)};
    if (auto* input = std::get_if<door::InheritInput>(&request->body)) return std::move(*input);
  }
  if (!is_registered) {
    answer(keeper, frame.connection, door::Busy{ask_again_ms});
    return {};
  }
  relayed_[frame.connection] = keeper;
  return session::Relay{frame.connection, frame.caller, {frame.content}};
}

void LocalDoor::answered(const session::RelayAnswer& answer) {
  const auto it = relayed_.find(answer.connection);
  if (it == relayed_.end()) return;
  const auto read = decode<door::Reply>(answer.frame.content);
  const bool last = !read || read->done;
  reply(it->second, {answer.connection, answer.frame.content, last, nullptr});
  if (last) relayed_.erase(it);
}

void LocalDoor::master_lost() {
  for (const auto& [connection, keeper] : std::exchange(relayed_, {}))
    answer(keeper, connection, door::Busy{ask_again_ms});
}

} // namespace almanac
