// Which cores of a host a task gets that asked to be bound (core/job/core_binding.hpp): only such
// that no other task is bound to.
//
// Linear without a first core: successive free cores of the first socket that nobody is bound to,
// then of the socket with the most free cores, and so on. Striding without one: from the first core
// on from which all are free. All others: these cores or none. Source: submit(1) of Grid Engine
// 8.1.9, -binding.
#pragma once

#include "core/job/core_binding.hpp"

#include <string>
#include <vector>

namespace almanac {

struct HostCore {
  CoreName name;
  std::vector<std::int64_t> processors; ///< as the system numbers them, in order
  bool is_free = true;
};

/// Of `cores`, which are in the order of their names; none: the binding can't be met.
std::vector<CoreName> choose_cores(const CoreBinding& binding, const std::vector<HostCore>& cores);

/// A host file whose fourth column names the cores on each host.
std::string hostfile_with_cores(const std::string& hostfile, const std::vector<CoreName>& cores);

} // namespace almanac
