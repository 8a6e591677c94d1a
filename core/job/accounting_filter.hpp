// Which accounting records a reader wants (spec/cli.md section 11, qacct).
#pragma once

#include "core/job/accounting_record.hpp"

#include <string>
#include <vector>

namespace almanac {

/// A record has to meet each of these that is given: 0 and "" are any.
struct AccountingFilter {
  JobNumber number;
  std::string name; ///< of the job, or a pattern
  std::string owner;
  ReservationNumber reservation;
};
template <class V> void describe(V& visit, AccountingFilter& f) {
  visit("number", f.number);
  visit("name", f.name);
  visit("owner", f.owner);
  visit("reservation", f.reservation);
}

/// What is looked for in the store.
struct AccountingQuery {
  AccountingFilter filter;
  JobKey job;                         ///< only of this one, where several had the number; 0: any
  std::vector<AccountingRecord> also; ///< come last, in place of what is stored of these tasks
};

bool wants(const AccountingFilter& filter, const AccountingRecord& record);

} // namespace almanac
