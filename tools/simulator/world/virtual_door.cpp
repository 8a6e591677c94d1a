#include "tools/simulator/world/virtual_door.hpp"

#include "actors/support.hpp"
#include "schema/codec.hpp"
#include "schema/door/valid_reply.hpp"
#include "tools/output/escape.hpp"
#include "tools/simulator/world/virtual_node.hpp"

#include <caf/send.hpp>

namespace almanac {

namespace {

using Frames = std::vector<std::string>;

struct KeeperState {
  static inline const char* name = "keeper";
};

DoorKeeperActor::behavior_type keeper(DoorKeeperActor::stateful_pointer<KeeperState> self,
                                      VirtualWorld::OnReply take) {
  return {[self, take](const DoorReply& reply) {
    take(reply.content);
    if (reply.maker)
      return self->send(caf::actor_cast<FrameMakerActor>(reply.maker),
                        TakeFrame{reply.connection, reply.rest});
    while (reply.rest)
      if (const auto frame = reply.rest->next()) take(*frame);
      else break;
  }};
}

} // namespace

Outcome VirtualWorld::Entrance::call(door::RequestBody body, const OnFrame& on_frame) {
  door::Request request;
  request.id = "request-" + std::to_string(++world_.requests_);
  request.body = std::move(body);
  const auto frame = encode(request);
  if (frame.size() > door::largest_request) return Error{"the request is too large"};
  const auto until = world_.clock_.milliseconds + world_.patience_ms_;
  while (world_.clock_.milliseconds < until) {
    if (try_once(frame, until, on_frame)) return Done{};
    world_.wait_ms(200);
  }
  return Error{"the master does not answer"};
}

bool VirtualWorld::Entrance::try_once(const std::string& frame, std::int64_t until,
                                      const OnFrame& on_frame) {
  const auto it = world_.nodes_.find("");
  if (it == world_.nodes_.end()) return false;
  auto* node = it->second.get();
  auto frames = std::make_shared<Frames>();
  const VirtualWorld::OnReply take = [frames](const std::string& content) {
    frames->push_back(content);
  };
  const auto hand = node->system.spawn(keeper, take);
  caf::send_as(hand, node->master->gate, DoorFrame{world_.requests_, caller_, frame});
  world_.agenda_.touch(node->seat);
  const auto answered = world_.knocks_answered_;
  while (frames->empty() || !decode<door::Reply>(frames->back())->done) {
    if (!world_.nodes_.contains("") || world_.nodes_[""].get() != node) return false;
    if (!world_.step(until)) return false;
  }
  world_.most_overtaken_ = std::max(world_.most_overtaken_, world_.knocks_answered_ - answered);
  for (const auto& reply : *frames) {
    auto decoded = decode<door::Reply>(reply);
    check(decoded.ok(), "the gate's answers can be read");
    if (std::holds_alternative<door::Busy>(decoded->body)) return false;
    check(door::valid_reply(decoded->body).ok(), "the gate's answers can be worked with");
    escape(decoded->body);
    on_frame(decoded->body);
  }
  return true;
}

bool VirtualWorld::knock(const Caller& caller, const std::string& frame, OnReply on_reply) {
  auto* master = node("");
  if (!master) return false;
  const OnReply take = [this, on_reply = std::move(on_reply)](const std::string& content) {
    ++knocks_answered_;
    on_reply(content);
  };
  const auto hand = master->system.spawn(keeper, take);
  caf::send_as(hand, master->master->gate, DoorFrame{++requests_, caller, frame});
  return true;
}

} // namespace almanac
