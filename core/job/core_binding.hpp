// Which cores of its host a job asks to be bound to (-binding): a hint that says nothing about where
// the job runs.
//
//   [set|env|pe] linear[:NUMBER[:SOCKET,CORE]]          successive cores
//                striding:NUMBER:STEP[:SOCKET,CORE]     each STEPth core
//                explicit:SOCKET,CORE[:SOCKET,CORE]...  these
//
// Sockets and cores have logical numbers, from 0 and without holes. Source: submit(1) of Grid Engine
// 8.1.9, -binding; spec/cli.md C3.51.
#pragma once

#include "core/base/result.hpp"

#include <compare>
#include <cstdint>
#include <string>
#include <vector>

namespace almanac {

struct CoreName {
  std::int64_t socket = 0, core = 0;
  auto operator<=>(const CoreName&) const = default;
};

struct CoreBinding {
  /// set: the processes are bound; env: they are told only; pe: so is pe_hostfile.
  enum class Instance { set, env, pe };
  enum class Strategy { linear, striding, explicit_cores };

  Instance instance = Instance::set;
  Strategy strategy = Strategy::linear;
  std::int64_t amount = 0;     ///< cores; 0: as many as there are slots on the host
  std::int64_t step = 1;       ///< from a core to the next one
  std::vector<CoreName> cores; ///< all of explicit_cores; of others the first one, or none

  bool operator==(const CoreBinding&) const = default;
};

/// Of numbers and of cores in a binding.
inline constexpr std::int64_t most_bound_cores = 4096;

/// The instance may be missing. The error says what is expected.
Result<CoreBinding> parse_core_binding(const std::string& text);
/// With its instance, as qstat -j shows it: "set linear:2:0,0".
std::string print_core_binding(const CoreBinding& binding);
/// "0,0:1,0".
std::string print_cores(const std::vector<CoreName>& cores);

} // namespace almanac
