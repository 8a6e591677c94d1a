#include "core/planning/largest_in_time.hpp"

#include <utility>

namespace almanac::rules {

LargestInTime::LargestInTime(Trial trial, std::int64_t impossible)
    : trial_(std::move(trial)), impossible_(impossible) {}

bool LargestInTime::look() {
  if (impossible_ - possible_ <= 1) return false;
  if (!starts_) starts_.emplace(trial_(middle()));
  const bool more = starts_->look(1);
  if (const auto& found = starts_->ranges(); !found.empty())
    possible_ = middle(), start_ = found.front().first;
  else if (!more) impossible_ = middle();
  else return true;
  starts_.reset();
  return impossible_ - possible_ > 1;
}

} // namespace almanac::rules
