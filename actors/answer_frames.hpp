// An answer that is made frame after frame while its reader takes it: a list of all jobs is longer
// than what anybody wants to hold as a whole.
//
// Threads: frames belong to one actor at a time and are handed on in messages.
#pragma once

#include "schema/door/replies.hpp"
#include "schema/door/requests.hpp"

#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace almanac {

class AnswerFrames {
public:
  virtual ~AnswerFrames() = default;
  /// Nothing after the last one; there is at least one.
  virtual std::optional<door::ReplyBody> next() = 0;
};

/// Frames that are there already.
std::shared_ptr<AnswerFrames> ready_frames(std::vector<door::ReplyBody> frames);

/// The same as bytes: none is longer than door::largest_frame if it can be cut, the last says so.
class EncodedFrames {
public:
  /// `version`: of the door's protocol, as the reader knows it.
  explicit EncodedFrames(std::shared_ptr<AnswerFrames> frames,
                         std::int64_t version = door::protocol_version);
  /// Nothing after the last one.
  std::optional<std::string> next();
  bool is_over() const { return coming_.empty(); }
  /// Whose turn it is when the next frame is made: a uid; only a maker looks at it.
  std::int64_t reader = 0;

private:
  void look_ahead();

  std::shared_ptr<AnswerFrames> frames_;
  std::int64_t version_;
  std::deque<door::ReplyBody> coming_; ///< while there are any, at least one
};

/// As a reader of that version of the door's protocol understands it.
door::ReplyBody readable(door::ReplyBody body, std::int64_t version);

} // namespace almanac
