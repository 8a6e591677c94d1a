#include "core/job/accounting_filter.hpp"

#include "core/text/pattern.hpp"

namespace almanac {

bool wants(const AccountingFilter& filter, const AccountingRecord& record) {
  return (!filter.number || filter.number == record.job_number) &&
         (filter.owner.empty() || filter.owner == record.owner) &&
         (!filter.reservation || filter.reservation == record.reservation) &&
         (filter.name.empty() || matches_pattern(filter.name, record.job_name));
}

} // namespace almanac
