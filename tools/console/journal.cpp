#include "tools/console/inputs.hpp"
#include "tools/console/views.hpp"

#include "core/text/values.hpp"

#include <chrono>
#include <iostream>
#include <nlohmann/json.hpp>
#include <thread>

namespace almanac::console {

void print_input(Context& context, const InputSummary& one, bool json) {
  if (json)
    context.out << nlohmann::ordered_json{{"sequence", one.sequence.value},
                                          {"at", one.at.seconds},
                                          {"what", one.what},
                                          {"about", one.about}}
                       .dump()
                << "\n";
  else
    context.out << print_iso_time(one.at) << " " << to_string(one.sequence) << "  " << one.what
                << "\n";
}

int take_inputs(Context& context, std::int64_t& after, const InputFilter& filter,
                const std::function<void(const InputSummary&)>& take) {
  for (bool any = true; any;) {
    any = false;
    const int asked = ask<door::InputSummaries>(
        context, door::GetInputs{after, filter}, [&](door::InputSummaries& frame) {
          for (const auto& one : frame.inputs) {
            if (wants(filter, one)) take(one); // a master of an earlier version sends all
            after = one.sequence.value, any = true;
          }
          after = std::max(after, frame.read_to.value);
        });
    if (asked != 0) return asked;
    after = std::max<std::int64_t>(after, 0);
  }
  return 0;
}

int look_on(Context& context, std::int64_t seconds,
            const std::function<std::optional<int>()>& look) {
  constexpr std::chrono::milliseconds interval{300};
  const auto begun = std::chrono::steady_clock::now();
  for (;;) {
    if (const auto code = look()) return *code;
    context.out.flush();
    if (seconds >= 0 && std::chrono::steady_clock::now() - begun >= std::chrono::seconds(seconds))
      return 0;
    std::this_thread::sleep_for(interval);
  }
}

int journal(Context& context, std::int64_t last, std::int64_t seconds, bool json) {
  auto after = -last;
  return look_on(context, seconds, [&]() -> std::optional<int> {
    const int asked = take_inputs(
        context, after, {}, [&](const InputSummary& one) { print_input(context, one, json); });
    return asked == 0 ? std::nullopt : std::optional(asked);
  });
}

} // namespace almanac::console
