#include "actors/audit.hpp"

#include "core/admission/audit_line.hpp"
#include "core/admission/refusal_budget.hpp"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <chrono>
#include <mutex>

namespace almanac {

namespace {

struct AuditBudget {
  std::mutex mutex;
  RefusalBudget refusals{{}};
  std::int64_t left_out = 0;
};

AuditBudget& audit_budget() {
  static AuditBudget budget;
  return budget;
}

// Not that of the wall, which may go back.
Instant audit_clock() {
  const auto since = std::chrono::steady_clock::now().time_since_epoch();
  return {std::chrono::duration_cast<std::chrono::seconds>(since).count()};
}

// What was done for a part is a change, whatever was refused of the rest.
bool is_refusal(const Answer& answer) {
  return answer.exit_code != 0 && answer.number == 0 &&
         std::all_of(answer.lines.begin(), answer.lines.end(),
                     [](const Line& line) { return line.trouble; });
}

void write_rests(AuditBudget& budget, spdlog::logger& log) {
  for (const auto& rest : budget.refusals.rests(audit_clock()))
    log.info("{}", audit_line_of_rest(rest.who, rest.count));
}

} // namespace

void audit(const Caller& caller, std::string_view request, std::string_view what,
           const Answer& answer) {
  const auto log = spdlog::get("audit");
  if (!log) return;
  auto& budget = audit_budget();
  const std::lock_guard lock(budget.mutex);
  write_rests(budget, *log);
  if (!is_refusal(answer) || budget.refusals.take(audited_taker(caller), audit_clock()))
    log->info("{}", audit_line(caller, request, what, answer));
  else ++budget.left_out;
}

void audit_rests() {
  const auto log = spdlog::get("audit");
  if (!log) return;
  auto& budget = audit_budget();
  const std::lock_guard lock(budget.mutex);
  write_rests(budget, *log);
}

std::int64_t audit_left_out() {
  auto& budget = audit_budget();
  const std::lock_guard lock(budget.mutex);
  return budget.left_out;
}

} // namespace almanac
