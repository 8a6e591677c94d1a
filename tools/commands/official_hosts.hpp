// Hosts in the words of a command, or in what it requests or changes, by the names that the cell knows
// (host_aliases, core/text/host_aliases.hpp).
#pragma once

#include "core/configuration/change.hpp"
#include "core/job/job_request.hpp"
#include "core/reservation/reservation_request.hpp"
#include "core/text/host_aliases.hpp"
#include "tools/commands/context.hpp"

#include <string>
#include <vector>

namespace almanac {

/// The words with other names of hosts replaced where the command takes hosts or queue instances.
std::vector<std::string> with_official_hosts(const std::string& command,
                                             std::vector<std::string> words,
                                             const HostAliases& aliases);

/// The same of what -q, -masterq and -l h=… request, also in expressions ("n1|n2"): a pattern stays.
void use_official_hosts(JobRequest& request, const HostAliases& aliases);
void use_official_hosts(ReservationRequest& request, const HostAliases& aliases);

/// The same of a change of the configuration: whose it is ("all.q@n1-ib", a host), lists of hosts,
/// and values of single hosts ("8,[n1-ib=4]").
void use_official_hosts(ConfigurationChange& change, const HostAliases& aliases);

/// The same with those of the cell. A file that is not there, or cannot be read, has none.
void use_official_hosts(Context& context);
void use_official_hosts(const Context& context, JobRequest& request);
void use_official_hosts(const Context& context, ReservationRequest& request);
void use_official_hosts(const Context& context, ConfigurationChange& change);

} // namespace almanac
