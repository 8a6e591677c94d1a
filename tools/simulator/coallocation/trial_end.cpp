#include "tools/simulator/coallocation/trial_end.hpp"

#include <algorithm>
#include <set>
#include <string>

namespace almanac {

namespace {

std::int64_t count(const TrialEnd& end, HoldState state) {
  std::int64_t sum = 0;
  for (const auto& holds : end.sites)
    sum += std::count_if(holds.begin(), holds.end(),
                         [&](const SiteHold& hold) { return hold.state == state; });
  return sum;
}

// M5.8
bool is_made_twice(const std::vector<SiteHold>& holds) {
  std::set<std::string> names;
  return !std::all_of(holds.begin(), holds.end(),
                      [&](const SiteHold& hold) { return names.insert(hold.transaction).second; });
}

// Nobody can give back what was over by then.
bool is_kept(const TrialEnd& end) {
  for (const auto& holds : end.sites)
    for (const auto& hold : holds)
      if (hold.state == HoldState::committed && hold.over_ms > end.told_ms) return true;
  return false;
}

// Nobody can tell that it was committed: it is over, and the site has forgotten it.
bool is_known(const TrialEnd& end) {
  for (const auto& holds : end.sites)
    for (const auto& hold : holds)
      if (hold.state == HoldState::committed &&
          end.told_ms < std::max(hold.over_ms, hold.forgotten_ms))
        return true;
  return false;
}

std::string complaint_of_site(const std::vector<SiteHold>& holds, const SiteGrant& told) {
  const SiteHold* committed = nullptr;
  for (const auto& hold : holds) {
    if (hold.state != HoldState::committed) continue;
    if (committed) return told.site + " has committed two reservations";
    committed = &hold;
  }
  if (!committed) return "all, and yet " + told.site + " has committed nothing";
  const bool is_key = committed->key.empty() || committed->key == told.key;
  if (told.reservation != committed->reservation || !is_key ||
      told.start + told.shift != committed->start)
    return "what is told of " + told.site + " is not what it has";
  return {};
}

std::string complaint_of_all(const CoallocationPlan& plan, const TrialEnd& end) {
  if (count(end, HoldState::released) > 0) return "all, and yet one was given back";
  auto first = Instant::never(), last = Instant{0};
  for (std::size_t i = 0; i < plan.sites.size(); ++i) {
    const auto& told = end.outcome->sites.at(i).grant;
    if (auto why = complaint_of_site(end.sites.at(i), told); !why.empty()) return why;
    first = std::min(first, told.start), last = std::max(last, told.start);
  }
  return last - first <= plan.skew ? "" : "the starts differ by more than the skew";
}

} // namespace

std::string complaint_of(const CoallocationPlan& plan, const TrialEnd& end) {
  if (count(end, HoldState::held) > 0) return "a hold outlives its lease";
  if (std::any_of(end.sites.begin(), end.sites.end(), is_made_twice))
    return "two holds were made for one TXID";
  const auto committed = count(end, HoldState::committed);
  if (!end.outcome)
    return committed == 0 && !end.is_decided ? "" : "nobody heard of what was decided";
  switch (end.outcome->end) {
  case CoallocationEnd::none: return is_known(end) ? "none, and yet some have committed" : "";
  case CoallocationEnd::mixed:
    if (is_kept(end)) return "mixed, and yet some were not given back";
    return committed + count(end, HoldState::released) > 0 ? ""
                                                           : "mixed, and yet none has committed";
  case CoallocationEnd::all: return complaint_of_all(plan, end);
  }
  return {};
}

const char* name_of(const std::optional<CoallocationOutcome>& outcome) {
  return outcome ? name_of(outcome->end) : "stopped";
}

} // namespace almanac
