#include "core/execution/lease.hpp"

#include "core/execution/fence.hpp"

namespace almanac {

namespace {

constexpr int seconds_between_looks = 5;
constexpr Duration reconnect_window{10};

} // namespace

void Lease::agent_came() { silent_ = {}, was_here_ = true; }

void Lease::agent_left(Duration silent) {
  silent_ = silent, is_unknown_ = false;
  since_renewal_ = since_renewal_ + silent;
}

void Lease::begin_anew() { silent_ = {}, is_unknown_ = false; }

void Lease::pass_second() { ++silent_.seconds, ++since_renewal_.seconds; }

bool Lease::becomes_unknown(Duration max_unheard) {
  const auto patience = max_unheard + (was_here_ ? Duration{} : reconnect_window);
  if (is_unknown_ || silent_ < patience) return false;
  return is_unknown_ = true;
}

bool Lease::is_time_for_fences() {
  if (!is_unknown_ || ++seconds_without_look_ < seconds_between_looks) return false;
  seconds_without_look_ = 0;
  return true;
}

bool Lease::is_past(Duration fence) const { return has_surely_fired(fence, since_renewal_); }

} // namespace almanac
