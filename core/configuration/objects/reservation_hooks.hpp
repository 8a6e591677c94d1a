// Programs of the site that are run when something happens to a reservation (spec/beyond.md section
// 8).
#pragma once

#include "core/base/describe.hpp"
#include "core/base/time.hpp"

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace almanac {

enum class HookEvent : std::uint8_t { confirm, start, change, end, cancel, error };
template <> inline constexpr HookEvent last_of<HookEvent> = HookEvent::error;

/// "ar_start": the attribute that names its program.
std::string_view attribute_of(HookEvent event);
/// "start"
std::string_view name_of(HookEvent event);

struct ReservationHooks {
  std::array<std::string, 6> commands; ///< "[user@host]/path arguments" by event; "": none
  Duration timeout{30};
  std::array<bool, 6> required{}; ///< by event: hook_must_succeed

  const std::string& of(HookEvent event) const { return commands[static_cast<std::size_t>(event)]; }
  /// There is a program, and what it is for does not happen unless it succeeds: a grant, a change,
  /// the start of jobs.
  bool must_succeed(HookEvent event) const {
    return required[static_cast<std::size_t>(event)] && !of(event).empty();
  }
  bool operator==(const ReservationHooks&) const = default;
};

} // namespace almanac
