// What the console shows, a function each. With `json`, one value that a program can read.
#pragma once

#include "tools/commands/context.hpp"

#include <string>

namespace almanac::console {

// ---- actors.cpp -------------------------------------------------------------------------------
/// Living actors; `kind` may be a pattern, or "" for all.
int actors(Context& context, const std::string& kind, bool json);
/// The state of one: by id, kind/name or kind.
int show(Context& context, const std::string& wanted, bool json);
int invariants(Context& context, bool json);

// ---- cluster.cpp ------------------------------------------------------------------------------
int hosts(Context& context, bool json);
const char* phase_name(HostPhase phase);
int calendar(Context& context, const std::string& wanted, std::int64_t hours, bool json);
int why(Context& context, JobNumber job, bool json);

// ---- quotas.cpp -------------------------------------------------------------------------------
/// Limits of quota sets that concern these users, or all: what is used, what is planned, who has it.
int quotas(Context& context, const std::string& users, bool json);

// ---- journal.cpp ------------------------------------------------------------------------------
/// The last so many inputs of the planner; goes on for `seconds`, for ever if they are negative.
int journal(Context& context, std::int64_t last, std::int64_t seconds, bool json);

// ---- trace.cpp --------------------------------------------------------------------------------
/// The messages that an actor gets from now on; of a job, reservation or host also the inputs that
/// concern it, and what it becomes by them.
int trace(Context& context, const std::string& what, const std::string& name, std::int64_t seconds,
          bool json);

// ---- watch.cpp --------------------------------------------------------------------------------
/// What changes, a line each, until it is interrupted or, with `wanted.once`, up to now.
int watch(Context& context, door::Subscribe wanted, bool json);

// ---- top.cpp ----------------------------------------------------------------------------------
/// Rates and times of the master, every `every` seconds, so many times; for ever if negative.
int top(Context& context, std::int64_t every, std::int64_t times, bool json);

} // namespace almanac::console
