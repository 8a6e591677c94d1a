// What the cell, a host and a queue instance offer of each resource at this moment, as qstat -F and
// qhost -F print it (spec/cli.md section 6.2, C6.42).
//
// Values are printed. Consumables are what jobs leave of them; what reservations hold is not taken
// off (spec/observed-gridengine.md section 6).
#pragma once

#include "core/configuration/configuration.hpp"
#include "core/host/host.hpp"
#include "core/utilization/container.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace almanac {

struct OfferedValue {
  std::string kind; ///< domain g, h or q; source l (load), c (consumable) or f (fixed)
  const Complex* complex = nullptr; ///< for as long as the configuration lives
  std::string value;
};

using UsedAmounts = std::map<std::pair<Container, Resource>, std::int64_t>;

/// Of the cell and the host. `host`: with the load as it was measured; it counts while the host is
/// up. `used`: by jobs.
std::vector<OfferedValue> offered_at_host(const Configuration& configuration, const HostState& host,
                                          const UsedAmounts& used);
/// The same and what the instance has of its own.
std::vector<OfferedValue> offered_at_instance(const Configuration& configuration,
                                              const QueueInstance& instance, const HostState& host,
                                              const UsedAmounts& used);

/// Of several values of a resource the one that a request has to meet to be met by all of them: what
/// is printed (spec/cli.md section 6.2: a line for each resource).
std::vector<OfferedValue> strictest(std::vector<OfferedValue> offered);

/// Whether a request is met by every value that is offered of its resource, and there is one.
bool is_met(const std::vector<OfferedValue>& offered, const Complex& complex,
            const std::string& asked);

} // namespace almanac
