#include "actors/agent/call_replies.hpp"

#include "core/answer/gridengine.hpp"
#include "schema/codec.hpp"

#include <utility>

namespace almanac {

DoorReply reply_with(std::int64_t connection, const CallOutput& output, const AgentActor& agent) {
  const door::Reply reply{false, door::Output{{output.content}, output.error, output.room}};
  return {connection, encode(reply), false, nullptr, caf::actor_cast<caf::strong_actor_ptr>(agent)};
}

DoorReply reply_with(std::int64_t connection, const ExitRecord& end) {
  Answer answer;
  answer.exit_code = end.exit_status;
  if (end.failed != failed::none) {
    answer.warn(Statement::said(end.reason));
    if (answer.exit_code == 0) answer.exit_code = 1;
  }
  const door::Reply reply{true, gridengine::with_lines(std::move(answer))};
  return {connection, encode(reply), true, nullptr};
}

} // namespace almanac
