// What qquota shows: the limits of quota sets that concern whoever is asked about, with what is used
// of them now.
//
// 1. Rows come in the order of sets, rules and limits, then by the members that counters are of
//    (spec/quotas.md Q6.12).
// 2. A limit of a consumable has a row for each counter in use, any other limit has one row (Q6.8,
//    Q6.9). All rules that match are shown, not only the first (Q6.10).
// 3. Amounts come printed: rows outlive the configuration of which they are made.
//
// Source: spec/quotas.md section 6.
#pragma once

#include "core/base/caller.hpp"
#include "core/base/time.hpp"
#include "core/policy/quota_counters.hpp"
#include "core/request/quota_selection.hpp"

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace almanac {

struct QuotaRow {
  std::shared_ptr<const QuotaRule> rule;
  std::string label;                             ///< of the rule: "A/1"
  std::array<std::string, quota_filters> member; ///< of the filters in braces
  std::string resource, limit;
  bool is_counted = false; ///< of a consumable; else `used` is ""
  std::string used;

  // Of a job that meets it.
  std::string asked; ///< "": of an exclusive resource, that nobody is alone there; or not at all
  std::string left;
  bool is_per_slot = false, is_per_host = false; ///< what is asked for; else it is for the job
  std::string held; ///< where nothing of the job waits: what it takes already
  bool fits = true;

  std::size_t set = 0; ///< of the counters
  QuotaKey key;
};

/// `selection.users` empty means all, as everywhere.
std::vector<QuotaRow> quota_rows(const Records& records, const QuotaCounters& counters,
                                 const Caller& caller, const QuotaSelection& selection,
                                 Instant now);

/// The counters of which more is used than their limits allow, which a change of the limits makes of
/// what runs (spec/quotas.md Q4.34).
std::vector<QuotaRow> quota_rows_above(const Records& records, const QuotaCounters& counters,
                                       Instant now);

/// The limits that the job would meet in a queue instance where it might run, each once, whether it
/// waits or not; in any where there is none.
///
/// A limit fits if the smallest request does: by itself where all slots take of it, and with the
/// others of its set where they may be spread. In a reservation a job meets none, unless the site
/// wants it otherwise (Q4.35, Q4.40).
std::vector<QuotaRow> quota_rows_met(const Records& records, const QuotaCounters& counters,
                                     const Job& job,
                                     const std::function<bool(const QueueInstance&)>& might_run_in,
                                     Instant now);

} // namespace almanac
