// qrstat -usage: what became of each slot-second (spec/beyond.md section 9).
#pragma once

#include "tools/commands/context.hpp"

namespace almanac {

/// The exit code.
int show_usage(Context& context, const GivenOptions& given);

/// Adds the rows of a frame to a report; the last frame has the sums.
void add_frame(door::UsageReport& whole, door::UsageReport& frame);

/// Asks; the whole report goes to `use` once. What is in the way is printed. The exit code.
int ask_usage(Context& context, const door::GetUsage& query,
              const std::function<void(const door::UsageReport&)>& use);

} // namespace almanac
