// The sentences about keys of reservations (spec/metascheduler.md section 6). Part of the table in
// gridengine.cpp.
#pragma once

#include "core/answer/gridengine_row.hpp"

namespace almanac::gridengine {

inline constexpr Row rows_of_keys[] = {
    {AnswerCode::challenge_issued, "challenge {nonce} for advance reservation {reservation}"},
    {AnswerCode::key_is_good, "The key of advance reservation {reservation} is good"},
    {AnswerCode::key_is_invalid, "the key is not one of advance reservation {reservation} as it is "
                                 "now: ask for its key again"},
    {AnswerCode::proof_is_invalid,
     "the proof for advance reservation {reservation} is not one of this request"},
    {AnswerCode::challenge_is_unknown,
     "the challenge for advance reservation {reservation} is not known, was used, or is older than "
     "{seconds} s"},
    {AnswerCode::key_needed,
     "advance reservation {reservation} needs its key (-reskey), since the site has set "
     "GMETA_REQUIRE_KEY"},
    {AnswerCode::key_for_another,
     "the key is that of advance reservation {reservation}, and the request is about another one"},
    {AnswerCode::reservation_has_no_key, "denied: advance reservation {reservation} has no key"},
    {AnswerCode::too_many_challenges,
     "denied: {count} challenges are open, and no more are allowed: try again in {seconds} s"},
    {AnswerCode::asks_for_challenge, "asks for a challenge for advance reservation {reservation}"},
    {AnswerCode::tries_key, "tries the key of advance reservation {reservation}"},
};

} // namespace almanac::gridengine
