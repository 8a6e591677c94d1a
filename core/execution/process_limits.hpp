// Limits of a task's processes other than its run time: s_cpu, h_cpu, h_vmem and the like
// (spec/cli.md section 9.4, spec/objects.md section 1).
#pragma once

#include "core/base/describe.hpp"
#include "core/base/result.hpp"
#include "core/configuration/objects/complex.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace almanac {

/// One kind of limit of each process; -1: none. Seconds for "cpu", a number for descriptors,
/// maxproc and locks, bytes for all others; the largest number of a host's: as many as there are.
struct ProcessLimit {
  /// cpu, fsize, data, stack, core, rss, vmem; of a host: descriptors, maxproc, memorylocked, locks
  std::string kind;
  std::int64_t soft = -1, hard = -1;
};
template <class V> void describe(V& visit, ProcessLimit& limit) {
  visit("kind", limit.kind);
  visit("soft", limit.soft);
  visit("hard", limit.hard);
}

/// The lower of what the job asks for and what the queue allows (`of_queue`, by attribute).
/// Processor time and virtual memory are per slot: multiplied by the slots on the host.
std::vector<ProcessLimit> process_limits(const ComplexTable& complexes,
                                         const std::vector<Attribute>& requests,
                                         const std::map<std::string, std::int64_t>& of_queue,
                                         std::int64_t slots);

/// Those that execd_params set for all jobs of a host, by "s_" or "h_" and a kind. Where only one of the two
/// is given, the other is the same (P: sge_conf(5)).
std::vector<ProcessLimit> host_limits(const std::map<std::string, std::int64_t>& of_host);

} // namespace almanac
