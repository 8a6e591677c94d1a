// An answer that is being worked out, a look through the cluster at a time.
//
// It points into the state: once an input has been decided it may only be destroyed, unless it stands
// alone.
#pragma once

#include "core/answer/answer.hpp"

namespace almanac {

class Answering {
public:
  Answering() = default;
  Answering(const Answering&) = delete;
  Answering& operator=(const Answering&) = delete;
  virtual ~Answering() = default;

  /// One more look; true if that was not the last one.
  virtual bool look() = 0;
  /// Whether it has copies of all that it still looks at: then the state may change meanwhile.
  virtual bool stands_alone() const { return false; }
  /// After the last one.
  virtual Answer answer() = 0;
};

/// One that needs no look.
class Answered : public Answering {
public:
  explicit Answered(Answer answer) : answer_(std::move(answer)) {}
  bool look() override { return false; }
  Answer answer() override { return std::move(answer_); }

private:
  Answer answer_;
};

} // namespace almanac
