// A question that is being answered, a slice at a time: inputs are decided between two slices.
//
// 1. The answer is true of one moment. An input that comes between two slices may change anything
//    that was looked at, so the inquiry begins anew: a copy of the state, to go on with as it was,
//    costs more than most questions. One that makes a copy nevertheless goes on with it.
// 2. It comes to an end. Where inputs come all the time it would always begin anew, so the last time
//    it does so it looks at all that is left in one slice, or at all that it takes to stand alone.
#pragma once

#include "core/planning/questions/answering.hpp"
#include "core/planning/slice_limits.hpp"
#include "core/planning/state.hpp"
#include "core/planning/valid_input.hpp"

#include <cstdint>
#include <memory>
#include <optional>

namespace almanac {

class Inquiry {
public:
  static constexpr int most_beginnings = 4;

  explicit Inquiry(ValidQuestion question)
      : question_(std::make_shared<ValidQuestion>(std::move(question))) {}

  /// A slice of it; nothing if there is more to look at. `handled`: how many inputs have made the
  /// state what it is. Nobody is asked any more once the answer was given.
  std::optional<Answer> go_on(const State& state, std::uint64_t handled, Instant now,
                              rules::SliceLimits limits = {});

private:
  std::shared_ptr<const ValidQuestion> question_;
  std::unique_ptr<Answering> answering_;
  std::uint64_t handled_ = 0; ///< of the state that is looked at
  int beginnings_ = 0;
};

} // namespace almanac
