// What a client at the local door hears of a process that it waits for.
#pragma once

#include "actors/interfaces.hpp"

namespace almanac {

/// More of its output. `agent` is told when nobody is there any more (ReaderGone).
DoorReply reply_with(std::int64_t connection, const CallOutput& output, const AgentActor& agent);
/// The last frame: how it ended.
DoorReply reply_with(std::int64_t connection, const ExitRecord& end);

} // namespace almanac
