#include "core/configuration/objects/reservation_hooks.hpp"

namespace almanac {

std::string_view attribute_of(HookEvent event) {
  static constexpr std::array<std::string_view, 6> names{"ar_confirm", "ar_start",  "ar_change",
                                                         "ar_end",     "ar_cancel", "ar_error"};
  return names[static_cast<std::size_t>(event)];
}

std::string_view name_of(HookEvent event) {
  return attribute_of(event).substr(std::string_view("ar_").size());
}

} // namespace almanac
