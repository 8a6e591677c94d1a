// What doors show of quotas: a limit, what is used of it, and by whom (qquota). Amounts come printed, as in
// views.hpp.
#pragma once

#include "core/base/describe.hpp"
#include "core/base/ids.hpp"
#include "core/base/time.hpp"
#include "core/configuration/objects/quota_rule.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace almanac::door {

/// A filter of a quota rule: what is written there, or, where each member counts by itself, the one
/// that this is about.
struct QuotaFilterView {
  QuotaFilter filter = QuotaFilter::users;
  std::vector<std::string> included, excluded; ///< excluded without '!'
};
template <class V> void describe(V& visit, QuotaFilterView& v) {
  visit("filter", v.filter);
  visit("included", v.included);
  visit("excluded", v.excluded);
}

/// From `at` on so much is used, or planned to be.
struct QuotaStepView {
  Instant at;
  std::string amount;
};
template <class V> void describe(V& visit, QuotaStepView& v) {
  visit("at", v.at);
  visit("amount", v.amount);
}

/// A task that runs, or what is planned for one that waits.
struct QuotaHolderView {
  JobNumber job;
  std::int64_t task = 0; ///< 0: of a job that is no array, or not started
  std::string amount;
  Window window;
};
template <class V> void describe(V& visit, QuotaHolderView& v) {
  visit("job", v.job);
  visit("task", v.task);
  visit("amount", v.amount);
  visit("window", v.window);
}

/// A limit of a quota rule.
struct QuotaView {
  std::string rule; ///< "A/1"
  std::vector<QuotaFilterView> filters;
  std::string resource, limit;
  bool is_counted = false; ///< else only requests are compared with it, and nothing is used
  std::string used;
  // Where a job was asked about: what it takes or asks for, and what is left.
  std::string asked, left;
  bool is_per_slot = false, is_per_host = false, fits = false;
  std::string held; ///< where nothing of the job waits: what it takes already
  // Where the plan was asked for.
  std::vector<QuotaStepView> steps;
  std::int64_t more_steps = 0;
  std::vector<QuotaHolderView> holders;
  std::int64_t more_holders = 0;
};
template <class V> void describe(V& visit, QuotaView& v) {
  visit("rule", v.rule);
  visit("filters", v.filters);
  visit("resource", v.resource);
  visit("limit", v.limit);
  visit("is_counted", v.is_counted);
  visit("used", v.used);
  visit("asked", v.asked);
  visit("left", v.left);
  visit("fits", v.fits);
  visit("steps", v.steps);
  visit("more_steps", v.more_steps);
  visit("holders", v.holders);
  visit("more_holders", v.more_holders);
  visit("is_per_slot", v.is_per_slot);
  visit("is_per_host", v.is_per_host);
  visit("held", v.held);
}

} // namespace almanac::door
