// Questions that take more than one slice, in the order in which they came.
//
// 1. Most are answered in one slice, and none of these waits for a long one.
// 2. The others are answered one after the other: in turns, each would have more inputs come between,
//    and begin anew more often.
// 3. Whose question is in hand is noted: one that has brought the master down twice is not tried
//    again (suspects.hpp).
#pragma once

#include "actors/messages.hpp"
#include "actors/ports/notebook.hpp"
#include "core/planning/planner.hpp"

#include <deque>
#include <functional>
#include <optional>
#include <string>

namespace almanac {

class Inquiries {
public:
  using Reply = std::function<void(Answer)>;

  /// Both outlive it.
  Inquiries(const Planner& planner, Notebook& notebook) : planner_(planner), notebook_(notebook) {}

  /// The answer, if one slice is enough for it or it is refused. Else nothing: `wait` is asked for
  /// whoever waits, and the question stands in line.
  std::optional<Answer> begin(const Ask& ask, Instant now, const std::function<Reply()>& wait);
  /// A slice of the first one that stands in line.
  void go_on(Instant now);

  std::size_t size() const { return waiting_.size(); }

private:
  struct Asked {
    Inquiry inquiry;
    std::string key; ///< for the notebook
    Reply reply;
  };
  std::optional<Answer> slice_of(Asked& asked, Instant now) const;

  const Planner& planner_;
  Notebook& notebook_;
  std::deque<Asked> waiting_;
};

} // namespace almanac
