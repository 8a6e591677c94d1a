// A process that needs no other program gives up to start one: who takes it over can't either.
#pragma once

#include "core/base/result.hpp"

namespace almanac {

/// For this thread and those that it makes later, for good: execve, ptrace and their kind fail with
/// EPERM. Needs no_new_privs. Done also on machines whose numbers of system calls are not known.
Outcome forbid_programs();

} // namespace almanac
