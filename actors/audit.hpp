// The audit log: each change, and each refusal. Reading questions are not in it.
//
// It belongs to the process, as the general log does. Only a master has one (process/audit_file);
// in agents and in the simulator nothing is written.
#pragma once

#include "core/admission/audit_line.hpp"

#include <spdlog/spdlog.h>

namespace almanac {

inline void audit(const Caller& caller, std::string_view request, std::string_view what,
                  const Answer& answer) {
  if (const auto log = spdlog::get("audit"))
    log->info("{}", audit_line(caller, request, what, answer));
}

} // namespace almanac
