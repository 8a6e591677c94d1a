// What the next commit writes: inputs in their order with what each has changed, the answers that
// request ids got, and the scripts of jobs.
//
// 1. Answers and scripts are known here as the store will have them once that is written.
// 2. A script is in the store as long as a job has it.
#pragma once

#include "actors/master/kept_answers.hpp"
#include "actors/master/kept_scripts.hpp"
#include "actors/master/kept_spans.hpp"
#include "actors/ports/archive.hpp"
#include "core/planning/decisions.hpp"
#include "core/planning/valid_input.hpp"
#include "schema/store/changes.hpp"

#include <memory>
#include <string>
#include <vector>

namespace almanac {

class NextCommit {
public:
  NextCommit(Sequence last_sequence, KeptAnswers answers)
      : last_sequence_(last_sequence), answers_(std::move(answers)) {}

  /// At the start: what the store has. Scripts that no job has are removed from it, and it hears
  /// with which input this start of the master begins.
  void begin(const std::vector<Effect>& records, const Archive& store, Term term);
  /// The same, and what goes on in the state (KeptSpans).
  void begin(const State& state, const std::vector<Effect>& records, const Archive& store,
             Term term, Instant now) {
    begin(records, store, term);
    spans_.begin(state, store, now, writes_);
  }

  /// An input that was decided, with what people hear of it.
  void add(ValidInput input, Instant at, const Decisions& decisions,
           const std::vector<store::ChangeRow>& changes);
  /// The same, and what goes on in the state after it.
  void add(const State& state, ValidInput input, Instant at, const Decisions& decisions,
           const std::vector<store::ChangeRow>& changes) {
    add(std::move(input), at, decisions, changes);
    spans_.follow(state, decisions.effects, state.records().events(), at, writes_);
  }
  /// The script of a job that was submitted; nothing if no job has it.
  void add_script(const std::string& hash, const std::string& content);

  /// What this request id got; nullptr: nothing that is kept.
  const KeptAnswer* answer(const std::string& key) const { return answers_.find(key); }
  void keep_answer(const std::string& key, KeptAnswer kept);
  /// Now and then: answers that are old go.
  void forget_old_answers(Instant now);

  Sequence last_sequence() const { return last_sequence_; } ///< of the inputs until now
  /// All that was added since the last time.
  std::shared_ptr<const std::vector<store::Write>> take();

private:
  void follow(const Effect& effect);
  void write(store::Family family, std::string key, std::optional<std::string> value);

  Sequence last_sequence_;
  KeptAnswers answers_;
  KeptScripts scripts_;
  KeptSpans spans_;
  Instant next_cleaning_; ///< of answers
  std::vector<store::Write> writes_;
};

} // namespace almanac
