// The name of a queue instance: queue@host.
#pragma once

#include <string>

namespace almanac {

/// The part before and behind the '@' of an instance name.
std::string queue_of(const std::string& instance);
std::string host_of(const std::string& instance);

} // namespace almanac
