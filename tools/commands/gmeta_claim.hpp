// gmeta claim-test -reskey FILE: tries the key of a reservation without using it
// (spec/metascheduler.md M6.20).
#pragma once

#include "tools/commands/context.hpp"

#include <string>

namespace almanac {

/// `path`: the file with the key. Prints what the master says; returns the exit code.
int claim_test(Context& context, const std::string& path);

/// The status code that a refusal of a claim has in gmeta's answers (M8.19 to M8.21); nothing: the
/// code says nothing of claims.
std::optional<int> status_of_claim(AnswerCode code);

} // namespace almanac
