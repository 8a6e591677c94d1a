// The one serial order: who gets what when.
//
//     handle(input, now) -> decisions      no clock, no I/O, no randomness, no hash order
//
// 1. The same inputs at the same times from the same records give the same decisions and digest.
// 2. `now` never goes back.
// 3. A planner restored from the records that its decisions changed equals the one that decided.
#pragma once

#include "core/planning/questions/inquiry.hpp"
#include "core/planning/state.hpp"
#include "core/planning/valid_input.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace almanac {

class Planner {
public:
  /// The version of the rules. A journal is replayed only by the version that wrote it.
  static constexpr std::int64_t version = 21;

  explicit Planner(State state) : state_(std::move(state)) {}
  /// A new cell.
  static RecordSet initial_records(const std::string& admin, const std::string& host);
  static Result<Planner> restore(RecordSet records);

  Decisions handle(const ValidInput& input, Instant now);
  /// Answered on the present state; not journaled.
  Answer ask(const ValidQuestion& question, Instant now) const;
  /// The same, a slice at a time; nothing if there is more to look at.
  std::optional<Answer> go_on(Inquiry& inquiry, Instant now) const;

  /// Whether it looks after an input, after each while there are few records, if all that is derived
  /// agrees with them. It costs as much as a restart.
  void set_checking(bool checks) { checks_ = checks; }

  const State& state() const { return state_; }
  std::uint64_t digest() const { return state_.digest(); }

private:
  void look_at_followers();

  State state_;
  Instant now_;
  std::uint64_t handled_ = 0; ///< inputs
#ifdef NDEBUG
  bool checks_ = false;
#else
  bool checks_ = true;
#endif
  std::size_t unchecked_ = 0; ///< inputs
};

} // namespace almanac
