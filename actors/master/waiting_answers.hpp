// Long answers that wait for a host's session: a frame goes when there is room for it, and other
// answers for the same connection wait until it is their turn.
#pragma once

#include "actors/messages.hpp"

#include <deque>
#include <optional>
#include <string>
#include <variant>

namespace almanac {

class WaitingAnswers {
public:
  struct Frame {
    std::int64_t connection = 0;
    std::string content;
  };
  struct Taken {
    std::optional<Frame> at_once; ///< to be sent: the answer, or that the master is busy
    bool is_next = false;         ///< it waits for room, and nothing is before it
  };
  Taken take(const DoorReply& reply);
  /// Who makes the next frame: it comes with another DoorReply, and nothing goes before it.
  struct Wanted {
    caf::strong_actor_ptr maker;
    TakeFrame frame;
  };
  /// The next frame, once there is room for one.
  std::variant<Frame, Wanted> next();

  std::size_t size() const { return waiting_.size(); }
  bool empty() const { return waiting_.empty(); }
  void clear() { waiting_.clear(); }

private:
  struct Answer {
    DoorReply reply;
    bool has_begun = false;
    bool is_wanted = false; ///< its maker has been asked
  };
  std::deque<Answer> waiting_;
};

} // namespace almanac
