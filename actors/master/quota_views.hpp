// What is shown of quota sets: rows of qquota, and what a job meets of them.
#pragma once

#include "actors/answer_frames.hpp"
#include "core/policy/quota_counters.hpp"
#include "core/records/records.hpp"

#include <memory>

namespace almanac {

/// `caller` is who asks. Nothing that is changed later changes what comes.
std::shared_ptr<AnswerFrames> answer_quotas(const Records& records, const QuotaCounters& counters,
                                            const Caller& caller, const door::GetQuotas& query,
                                            Instant now);

} // namespace almanac
