// Whether what came through a door can be worked with: asked by whoever reads it, before anything is
// made of it. Between a master and a tool there may be an agent that has been taken over.
//
// 1. What is valid has times and numbers within bounds: two of them may be added or subtracted.
//    Whatever a valid request, report or record leads to is within them.
// 2. What a line needs to be printed is there.
// Texts are shown escaped (tools/output/escape.hpp).
#pragma once

#include "core/base/result.hpp"
#include "schema/door/replies.hpp"

namespace almanac::door {

/// The error is a short sentence. Threads: may be called from anywhere.
Outcome valid_reply(const ReplyBody& body);

} // namespace almanac::door
