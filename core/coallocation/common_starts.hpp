// When several sites could start something together: docs/spec/metascheduler.md section 5.
//
// Ranges are closed: both ends are starts. A list is in order where its ranges ascend and neither
// overlap nor touch; what sites send is put in order first.
#pragma once

#include "core/base/time.hpp"
#include "core/coallocation/chance.hpp"

#include <compare>
#include <cstddef>
#include <vector>

namespace almanac {

struct SiteRange {
  Instant first, last; ///< first <= last

  auto operator<=>(const SiteRange&) const = default;
};
using SiteRanges = std::vector<SiteRange>;

/// In ascending order; those that overlap or follow each other at once become one. Those that end
/// before they begin are left out.
SiteRanges in_order(SiteRanges ranges);

/// Every s for which each of the sites has a start in [s, s + skew]; with skew 0, in which each can
/// start at s. Empty where a site has no range, or there is no site.
SiteRanges common_starts(const std::vector<SiteRanges>& sites, Duration skew);

/// For each site its first start at or after `at`; `at` is one of the common starts of the same
/// sites.
std::vector<Instant> starts_from(const std::vector<SiteRanges>& sites, Instant at);

/// The starts to be tried, in this order: the left ends of the first ranges, at most `most`, and
/// then one random point in each of the first `most` ranges that are at least `long_range` long. No
/// start comes twice.
std::vector<Instant> candidates(const SiteRanges& common, std::size_t most, Duration long_range,
                                Chance& chance);

} // namespace almanac
