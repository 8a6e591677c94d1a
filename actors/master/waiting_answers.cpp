#include "actors/master/waiting_answers.hpp"

#include "schema/codec.hpp"

#include <algorithm>
#include <utility>

namespace almanac {

namespace {

constexpr std::size_t most_waiting = 64;
constexpr std::int64_t come_again_ms = 200;

} // namespace

WaitingAnswers::Taken WaitingAnswers::take(const DoorReply& reply) {
  if (!waiting_.empty() && waiting_.front().is_wanted &&
      waiting_.front().reply.connection == reply.connection) {
    waiting_.front() = {reply, false, false};
    return {{}, true};
  }
  const bool waits = std::any_of(waiting_.begin(), waiting_.end(), [&](auto& other) {
    return other.reply.connection == reply.connection;
  });
  if (!reply.rest && !waits) return {Frame{reply.connection, reply.content}, false};
  if (waiting_.size() >= most_waiting) // who is told so asks again
    return {Frame{reply.connection, encode(door::Reply{true, door::Busy{come_again_ms}})}, false};
  waiting_.push_back({reply, false, false});
  return {{}, waiting_.size() == 1};
}

std::variant<WaitingAnswers::Frame, WaitingAnswers::Wanted> WaitingAnswers::next() {
  auto& [reply, has_begun, is_wanted] = waiting_.front();
  if (has_begun && reply.maker) {
    is_wanted = true;
    return Wanted{reply.maker, {reply.connection, std::move(reply.rest)}};
  }
  Frame frame{reply.connection, {}};
  if (!std::exchange(has_begun, true)) frame.content = std::move(reply.content);
  else if (auto content = reply.rest->next()) frame.content = std::move(*content);
  if (!reply.rest || (!reply.maker && reply.rest->is_over())) waiting_.pop_front();
  return frame;
}

} // namespace almanac
