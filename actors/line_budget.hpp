// Lines that others can cause, in a log: the first of each taker in a minute, then the number of
// those that followed. From any thread.
#pragma once

#include "core/admission/refusal_budget.hpp"

#include <functional>
#include <mutex>
#include <string>

namespace almanac {

class LineBudget {
public:
  /// Writes how much was left out of a minute that is over.
  using Tell = std::function<void(const RefusalBudget::Rest&)>;

  /// Whether a line of `who` is written.
  bool take(const std::string& who);
  /// To be called now and then, and before a line.
  void tell_rests(const Tell& tell);

private:
  std::mutex mutex_;
  RefusalBudget budget_{{}};
};

} // namespace almanac
