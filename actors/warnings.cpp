#include "actors/warnings.hpp"

#include "actors/line_budget.hpp"

#include <spdlog/spdlog.h>

namespace almanac {

namespace {

LineBudget& warnings() {
  static LineBudget all;
  return all;
}

void tell_left_out(const RefusalBudget::Rest& rest) {
  spdlog::warn("{} more warnings of {} within a minute are left out", rest.count, rest.who);
}

} // namespace

bool warn_of(const std::string& who, std::string_view line) {
  tell_left_out_warnings();
  if (!warnings().take(who)) return false;
  spdlog::warn("{}", line);
  return true;
}

void tell_left_out_warnings() { warnings().tell_rests(tell_left_out); }

} // namespace almanac
