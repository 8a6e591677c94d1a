#include "actors/master/waiting_answers.hpp"

#include "schema/codec.hpp"

#include <algorithm>
#include <utility>

namespace almanac {

namespace {

constexpr std::size_t most_waiting = 64;
constexpr std::int64_t come_again_ms = 200;

} // namespace

std::optional<WaitingAnswers::Frame> WaitingAnswers::take(const DoorReply& reply) {
  const bool waits = std::any_of(waiting_.begin(), waiting_.end(), [&](auto& other) {
    return other.reply.connection == reply.connection;
  });
  if (!reply.rest && !waits) return Frame{reply.connection, reply.content};
  if (waiting_.size() >= most_waiting) // who is told so asks again
    return Frame{reply.connection, encode(door::Reply{true, door::Busy{come_again_ms}})};
  waiting_.push_back({reply, false});
  return {};
}

std::optional<WaitingAnswers::Frame> WaitingAnswers::next() {
  auto& [reply, has_begun] = waiting_.front();
  std::optional<Frame> frame;
  if (!std::exchange(has_begun, true)) frame = {reply.connection, std::move(reply.content)};
  else if (auto content = reply.rest->next()) frame = {reply.connection, std::move(*content)};
  if (!reply.rest || reply.rest->is_over()) waiting_.pop_front();
  return frame;
}

} // namespace almanac
