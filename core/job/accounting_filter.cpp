#include "core/job/accounting_filter.hpp"

#include "core/text/pattern.hpp"

#include <algorithm>

namespace almanac {

namespace {

bool is_like(const std::string& pattern, std::string_view text) {
  return pattern.empty() || pattern == text ||
         (is_pattern(pattern) && matches_pattern(pattern, text));
}

bool is_like_or_none(const std::string& pattern, const std::string& text) {
  return is_like(pattern, text.empty() ? "NONE" : text);
}

template <class Record> bool is_in_queue(const std::string& pattern, const Record& record) {
  return pattern.find('@') == std::string::npos
             ? is_like(pattern, record.queue)
             : is_like(pattern, record.queue + "@" + record.host);
}

bool is_task(const std::vector<TaskRange>& ranges, std::int64_t task) {
  return ranges.empty() || std::any_of(ranges.begin(), ranges.end(),
                                       [&](const auto& range) { return range.contains(task); });
}

template <class Record> bool is_in_time(const AccountingFilter& f, const Record& r) {
  const auto at = f.by_end ? r.ended : r.started;
  return (f.begun_from.seconds == 0 || at >= f.begun_from) &&
         (f.begun_to.seconds == 0 || at <= f.begun_to);
}

// Numbers first: most records are passed over by them.
template <class Record> bool meets(const AccountingFilter& f, const Record& r) {
  return (!f.number || f.number == r.job_number) &&
         (!f.reservation || f.reservation == r.reservation) &&
         (f.slots == 0 || f.slots == r.slots) && (!f.tasks_only || r.pe_task.empty()) &&
         is_in_time(f, r) && (f.owner.empty() || f.owner == r.owner) &&
         (f.name.empty() || matches_pattern(f.name, r.job_name)) && is_like(f.account, r.account) &&
         is_like(f.group, r.group) && is_like(f.host, r.host) && is_in_queue(f.queue, r) &&
         is_like_or_none(f.project, r.project) && is_like_or_none(f.department, r.department) &&
         is_like_or_none(f.pe, r.pe) && is_task(f.tasks, r.task);
}

} // namespace

bool wants(const AccountingFilter& filter, const AccountingRecord& record) {
  return meets(filter, record);
}
bool wants(const AccountingFilter& filter, const AccountingGlance& record) {
  return meets(filter, record);
}

} // namespace almanac
