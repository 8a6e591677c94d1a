#include "actors/audit.hpp"

#include "actors/line_budget.hpp"
#include "core/admission/audit_line.hpp"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <atomic>

namespace almanac {

namespace {

LineBudget& refusals() {
  static LineBudget budget;
  return budget;
}

std::atomic<std::int64_t>& left_out() {
  static std::atomic<std::int64_t> count{0};
  return count;
}

// What was done for a part is a change, whatever was refused of the rest.
bool is_refusal(const Answer& answer) {
  return answer.exit_code != 0 && answer.number == 0 &&
         std::all_of(answer.statements.begin(), answer.statements.end(),
                     [](const Statement& statement) { return statement.trouble; });
}

} // namespace

bool audit(const Caller& caller, std::string_view request, std::string_view what,
           const Answer& answer) {
  const auto log = spdlog::get("audit");
  if (!log) return false;
  audit_rests();
  const bool is_written = !is_refusal(answer) || refusals().take(audited_taker(caller));
  if (is_written) log->info("{}", audit_line(caller, request, what, answer));
  else ++left_out();
  return is_written;
}

void write_audit() {
  if (const auto log = spdlog::get("audit")) log->flush();
}

void audit_rests() {
  const auto log = spdlog::get("audit");
  if (!log) return;
  refusals().tell_rests([&](const RefusalBudget::Rest& rest) {
    log->info("{}", audit_line_of_rest(rest.who, rest.count));
  });
}

namespace {
std::atomic<bool> is_written{true};
}

bool audit_ahead(const Caller& caller, std::string_view request, std::string_view what) {
  const auto log = spdlog::get("audit");
  if (!log) return true;
  log->info("{}", audit_line_ahead(caller, request, what));
  log->flush();
  return is_written;
}
void note_audit_works(bool works) { is_written = works; }

std::int64_t audit_left_out() { return left_out(); }

} // namespace almanac
