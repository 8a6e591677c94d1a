#include "core/coallocation/common_starts.hpp"

#include "core/base/check.hpp"

#include <algorithm>
#include <utility>

namespace almanac {

namespace {

// Each start of which the range has one within the skew behind it.
SiteRanges widened(SiteRanges ranges, Duration skew) {
  for (auto& range : ranges) range.first = range.first - skew;
  return in_order(std::move(ranges));
}

// One pointer for each list: the range that ends first can meet nothing further on.
SiteRanges intersection(const std::vector<SiteRanges>& lists) {
  SiteRanges result;
  std::vector<std::size_t> at(lists.size(), 0);
  for (;;) {
    SiteRange common{lists[0][at[0]]};
    std::size_t ends_first = 0;
    for (std::size_t i = 0; i < lists.size(); ++i) {
      const auto& range = lists[i][at[i]];
      common.first = std::max(common.first, range.first);
      common.last = std::min(common.last, range.last);
      if (range.last < lists[ends_first][at[ends_first]].last) ends_first = i;
    }
    if (common.first <= common.last) result.push_back(common);
    if (++at[ends_first] == lists[ends_first].size()) return result;
  }
}

} // namespace

SiteRanges in_order(SiteRanges ranges) {
  std::sort(ranges.begin(), ranges.end());
  SiteRanges result;
  for (const auto& range : ranges) {
    if (range.last < range.first) continue;
    if (!result.empty() && range.first <= result.back().last + Duration{1})
      result.back().last = std::max(result.back().last, range.last);
    else result.push_back(range);
  }
  return result;
}

SiteRanges common_starts(const std::vector<SiteRanges>& sites, Duration skew) {
  std::vector<SiteRanges> lists;
  for (const auto& site : sites) {
    lists.push_back(widened(site, skew));
    if (lists.back().empty()) return {};
  }
  return lists.empty() ? SiteRanges{} : in_order(intersection(lists));
}

std::vector<Instant> starts_from(const std::vector<SiteRanges>& sites, Instant at) {
  std::vector<Instant> result;
  for (const auto& site : sites) {
    auto first = Instant::never();
    for (const auto& range : site)
      if (range.first <= range.last && range.last >= at)
        first = std::min(first, std::max(range.first, at));
    check(!first.is_never(), "a common start is one of each site");
    result.push_back(first);
  }
  return result;
}

std::vector<Instant> candidates(const SiteRanges& common, std::size_t most, Duration long_range,
                                Chance& chance) {
  std::vector<Instant> result;
  for (const auto& range : common) {
    if (result.size() == most) break;
    result.push_back(range.first);
  }
  std::size_t longs = 0;
  for (const auto& range : common) {
    const auto length = range.last - range.first;
    if (length.seconds <= 0 || length < long_range) continue;
    if (longs++ == most) break;
    // Its left end is another one's business, or was too far behind.
    result.push_back(range.first + Duration{1 + chance.up_to(length.seconds - 1)});
  }
  return result;
}

} // namespace almanac
