#include "core/execution/process_limits.hpp"

#include "core/base/wide.hpp"
#include "core/text/values.hpp"
#include "core/text/words.hpp"

#include <algorithm>
#include <array>

namespace almanac {

namespace {

constexpr std::array<std::string_view, 7> kinds{"cpu",  "fsize", "data", "stack",
                                                "core", "rss",   "vmem"};

bool is_per_slot(std::string_view kind) { return kind == "cpu" || kind == "vmem"; }

} // namespace

bool is_process_limit(std::string_view name) {
  return (name.starts_with("s_") || name.starts_with("h_")) &&
         std::count(kinds.begin(), kinds.end(), name.substr(2)) > 0;
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

std::vector<ProcessLimit> process_limits(const ComplexTable& complexes,
                                         const std::vector<Attribute>& requests,
                                         const std::map<std::string, std::int64_t>& of_queue,
                                         std::int64_t slots) {
  auto lowest = of_queue;
  for (const auto& [asked, value] : requests) {
    const auto* complex = complexes.find(asked);
    if (!complex || !is_process_limit(complex->name)) continue;
    const auto parsed = parse_process_limit(complex->name, value);
    if (!parsed || !*parsed) continue;
    const auto [it, is_first] = lowest.emplace(complex->name, **parsed);
    if (!is_first) it->second = std::min(it->second, **parsed);
  }
  std::vector<ProcessLimit> limits;
  for (const auto kind : kinds) {
    ProcessLimit limit;
    limit.kind = kind;
    for (const auto& [prefix, into] : {std::pair("s_", &limit.soft), std::pair("h_", &limit.hard)})
      if (const auto it = lowest.find(prefix + limit.kind); it != lowest.end())
        *into = is_per_slot(kind) ? clamped(Wide(it->second) * slots) : it->second;
    if (limit.soft >= 0 || limit.hard >= 0) limits.push_back(std::move(limit));
  }
  return limits;
}

} // namespace almanac
