// Who uses a reservation with its key (spec/metascheduler.md section 6): challenges, and claims that
// go with a command.
//
// The gate, which has the keys, says whether key and proof are right (CheckedClaim); here stands what
// only the records say: that the nonce is one of ours and is spent with this input, and that the
// reservation is still the one that the key was made for.
#pragma once

#include "core/planning/state.hpp"
#include "core/request/command.hpp"

#include <optional>

namespace almanac::rules {

Answer issue_challenge(State& state, const Caller& caller, const IssueChallenge& command,
                       Instant now);

/// Spends the nonce of a claim, whatever becomes of it, and says why the command is refused: its
/// claim is not good, or it needs one (GMETA_REQUIRE_KEY). `user`: for whom it is, which a nonce was
/// given to.
std::optional<Answer> claim_obstacle(State& state, const Command& command, const Caller& user,
                                     Instant now);

/// After claim_obstacle(): of a key that was only tried.
Answer key_is_good(const State& state, const Caller& caller, const SpendChallenge& command);

/// Forgets nonces that nobody has used in time.
void drop_old_challenges(State& state, Instant now);

} // namespace almanac::rules
