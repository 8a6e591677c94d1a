#include "core/execution/process_limits.hpp"

#include "core/base/wide.hpp"
#include "core/configuration/objects/process_limit.hpp"

#include <algorithm>

namespace almanac {

namespace {

bool is_per_slot(std::string_view kind) { return kind == "cpu" || kind == "vmem"; }

} // namespace

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
  for (const auto kind : process_limit_kinds) {
    ProcessLimit limit;
    limit.kind = kind;
    for (const auto& [prefix, into] : {std::pair("s_", &limit.soft), std::pair("h_", &limit.hard)})
      if (const auto it = lowest.find(prefix + limit.kind); it != lowest.end())
        *into = is_per_slot(kind) ? clamped(Wide(it->second) * slots) : it->second;
    if (limit.soft >= 0 || limit.hard >= 0) limits.push_back(std::move(limit));
  }
  return limits;
}

std::vector<ProcessLimit> host_limits(const std::map<std::string, std::int64_t>& of_host) {
  std::vector<ProcessLimit> limits;
  for (const auto kind : host_limit_kinds) {
    ProcessLimit limit;
    limit.kind = kind;
    for (const auto& [prefix, into] : {std::pair("s_", &limit.soft), std::pair("h_", &limit.hard)})
      if (const auto it = of_host.find(prefix + limit.kind); it != of_host.end())
        *into = it->second;
    if (limit.soft < 0 && limit.hard < 0) continue;
    if (limit.soft < 0) limit.soft = limit.hard;
    if (limit.hard < 0) limit.hard = limit.soft;
    limits.push_back(std::move(limit));
  }
  return limits;
}

} // namespace almanac
