// What accounting says of use where execd_params ACCT_RESERVED_USAGE of the first host is true
// (sge_conf(5)): what was reserved, not what was measured.
#pragma once

#include "core/configuration/configuration.hpp"
#include "core/job/accounting_record.hpp"
#include "core/job/job.hpp"
#include "core/job/task.hpp"

namespace almanac::rules {

/// cpu becomes the wall clock time of all slots; mem and maxvmem what h_vmem or s_vmem allowed on all hosts,
/// where one of them is a limit on each. ru_utime, ru_stime and io stay as they were measured.
void account_reserved(const Configuration& configuration, const Job& job, const Task& task,
                      AccountingRecord& record);

} // namespace almanac::rules
