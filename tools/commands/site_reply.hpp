// How a line of a metascheduler is answered: its tokens, or the positional form of the Grid Forum
// (spec/metascheduler.md M3.36 to M3.48).
#pragma once

#include "core/answer/ggf.hpp"
#include "core/request/site_line.hpp"
#include "tools/commands/site_exchange.hpp"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace almanac {

/// What is said of a line that was carried out, before it has a form.
struct SiteFindings {
  std::vector<Attribute> tokens;                     ///< of the first line, behind SC and ID
  std::vector<std::pair<Instant, Instant>> ranges{}; ///< of RESQUERY: a line each
  std::string info{};                                ///< OTHERINFO; ""
  std::string key{}; ///< RESKEY, where something was reserved; "": none is known
  Instant start{};   ///< STARTTIME, where it is answered
};

SiteReply good_reply(const SiteLine& line, const SiteFindings& found);
SiteReply bad_reply(const SiteLine& line, const ggf::Status& status,
                    const std::vector<Attribute>& more = {});

} // namespace almanac
