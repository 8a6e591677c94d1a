// Inputs of the master as the console reads them, for those of its views that show some.
#pragma once

#include "tools/commands/context.hpp"

#include <functional>

namespace almanac::console {

/// Calls `take` for each input after the one numbered `after` that the filter wants; negative: of so
/// many from the end. `after` becomes the last that the master has looked at.
int take_inputs(Context& context, std::int64_t& after, const InputFilter& filter,
                const std::function<void(const InputSummary&)>& take);
void print_input(Context& context, const InputSummary& one, bool json);

/// Calls `look` again and again, until it says 0 or more (the exit code), or `seconds` are over;
/// negative: for ever.
int look_on(Context& context, std::int64_t seconds,
            const std::function<std::optional<int>()>& look);

} // namespace almanac::console
