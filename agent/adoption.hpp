// What lies in the spool when an agent starts, and what the helper knows of it.
//
// What was never launched is forgotten: its warrant was for the helper that is gone, and the master
// gives another one. Of what may have run when the machine went down, the end is noted.
#pragma once

#include "agent/watched_shepherd.hpp"

#include <string>
#include <vector>

namespace almanac {

struct Adopted {
  session::Launch order;
  WatchedShepherd shepherd; ///< without a connection where it has ended, and of a part
};

/// Asks the helper for each attempt in the spool of this host, and takes the spool over for this
/// start of the machine.
std::vector<Adopted> adopt_spooled(const Spool& spool, const HelperClient& helper,
                                   const std::string& host);

/// Whether the task begins on this host; else its order is for a part of it.
bool is_first_host(const session::Launch& order, const std::string& host);

} // namespace almanac
