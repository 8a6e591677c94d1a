#include "core/configuration/objects/process_limit.hpp"

#include "core/text/values.hpp"
#include "core/text/words.hpp"

#include <algorithm>

namespace almanac {

bool is_process_limit(std::string_view name) {
  return (name.starts_with("s_") || name.starts_with("h_")) &&
         std::count(process_limit_kinds.begin(), process_limit_kinds.end(), name.substr(2)) > 0;
}

bool is_host_limit(std::string_view name) {
  return (name.starts_with("s_") || name.starts_with("h_")) &&
         std::count(host_limit_kinds.begin(), host_limit_kinds.end(), name.substr(2)) > 0;
}

Result<std::optional<std::int64_t>> parse_process_limit(std::string_view name,
                                                        std::string_view value) {
  if (equal_ignoring_case(value, "INFINITY")) return std::optional<std::int64_t>();
  if (name.substr(2) == "cpu") {
    auto time = parse_duration(value);
    if (!time) return time.error();
    return time->is_endless() ? std::nullopt : std::optional(time->seconds);
  }
  auto memory = parse_memory(value);
  if (!memory) return memory.error();
  return std::optional(*memory);
}

} // namespace almanac
