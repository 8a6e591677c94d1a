// An attribute or resource that limits processes: s_cpu, h_vmem and the like (spec/objects.md
// section 1). h_rt and s_rt are none: they limit a job.
#pragma once

#include "core/base/result.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace almanac {

inline constexpr std::array<std::string_view, 7> process_limit_kinds{
    "cpu", "fsize", "data", "stack", "core", "rss", "vmem"};

/// Those that execd_params set for all jobs of a host: S_DESCRIPTORS, H_MEMORYLOCKED and so on.
inline constexpr std::array<std::string_view, 4> host_limit_kinds{"descriptors", "maxproc",
                                                                  "memorylocked", "locks"};
/// Whether the parameter of this name, in small letters, is such a limit: "s_descriptors".
bool is_host_limit(std::string_view name);

/// Whether a queue attribute or resource of this name is such a limit: "s_" or "h_" and a kind.
bool is_process_limit(std::string_view name);

/// The attribute's value as an amount; nothing for INFINITY.
Result<std::optional<std::int64_t>> parse_process_limit(std::string_view name,
                                                        std::string_view value);

} // namespace almanac
