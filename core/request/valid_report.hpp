// Whether what an agent says of its host and of the tasks there can be worked with at all.
//
// The root of an execution host may say anything. So each message of a session is asked here before
// anybody hears it (schema/valid_message.hpp), and an agent fits what it says to the same bounds: a
// host must not be lost because of a path that a user has chosen.
//
// 1. What is valid has numbers within bounds: sums of a hundred of them do not overflow.
// 2. Texts are short, UTF-8 and without control characters.
// 3. The error is a sentence that is short whatever was said.
#pragma once

#include "core/host/host.hpp"
#include "core/job/attempt.hpp"
#include "core/job/process_end.hpp"
#include "core/job/task_usage.hpp"

namespace almanac {

/// Identities of stores, machines and spools, and names of hosts, in bytes.
inline constexpr std::size_t longest_host_text = 512;
/// The sentence of an exit record, in bytes.
inline constexpr std::size_t longest_reason = 1000;

Outcome valid(const HostFacts& facts);
/// As core/text/topology.hpp has it.
Outcome valid_topology(const std::string& topology);
/// -1 is a value that is not known.
Outcome valid(const HostLoad& load);
Outcome valid(const TaskUsage& usage);
Outcome valid(const Attempt& attempt);
Outcome valid(const ExitRecord& record);
/// Of one task, as it is told with its end.
Outcome valid(const std::vector<ProcessEnd>& processes);
/// Of a store, a host: short, and not a word that a terminal would obey.
Outcome valid_host_text(const std::string& text, const char* what);

/// The same record, valid: numbers at their bounds, a sentence that may be shown and is cut.
ExitRecord within_bounds(ExitRecord record);

} // namespace almanac
