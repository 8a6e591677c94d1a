// The journal of inputs: where it ends, the checkpoint that it begins at, and deciding it again.
#pragma once

#include "actors/ports/journal.hpp"
#include "core/planning/planner.hpp"
#include "schema/store/records.hpp"

namespace almanac {

/// The stored records and inputs, for those who read them all.
store::Scan scan_of(const Journal& journal);

/// The time of the last journaled input, its number, and the rules that decided it.
struct LastInput {
  Sequence sequence;
  Instant now;
  std::int64_t version = Planner::version;
};
LastInput last_input(const Journal& journal);

/// Makes a new checkpoint of the records and drops the inputs before it, if there are more than
/// `inputs_kept` of them since the last one, or if other rules than ours decided them: nobody could
/// replay those. Before the actors start.
Outcome renew_checkpoint(Journal& journal, Term term, std::int64_t inputs_kept);

/// What a replay went through.
struct Replay {
  Planner planner; ///< as it was after the last input
  Instant first, last;
  std::int64_t inputs = 0, compared = 0; ///< decided again; compared with what was recorded
  std::size_t bytes = 0;                 ///< of the inputs in the journal
};

/// Decides the journaled inputs again, from the last checkpoint before `from`, or the oldest one, to
/// the last input at or before `to`, and
/// compares each decision from `from` on with its recorded fingerprint; the error says where they
/// part. Without an end it compares the state with the stored records, too.
Result<Replay> replay(const Journal& journal, Instant from = {}, Instant to = Instant::never());

} // namespace almanac
