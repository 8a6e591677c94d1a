// Long answers that wait for a host's session: a frame goes when there is room for it, and other
// answers for the same connection wait until it is their turn.
#pragma once

#include "actors/messages.hpp"

#include <deque>
#include <optional>
#include <string>

namespace almanac {

class WaitingAnswers {
public:
  struct Frame {
    std::int64_t connection = 0;
    std::string content;
  };
  /// What may be sent at once: the answer, or that the master is busy. Nothing: it waits.
  std::optional<Frame> take(const DoorReply& reply);
  /// The next frame, once there is room for one.
  std::optional<Frame> next();

  std::size_t size() const { return waiting_.size(); }
  bool empty() const { return waiting_.empty(); }
  void clear() { waiting_.clear(); }

private:
  struct Answer {
    DoorReply reply;
    bool has_begun = false;
  };
  std::deque<Answer> waiting_;
};

} // namespace almanac
