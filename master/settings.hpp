// The settings of a cell: DIR/settings.toml.
#pragma once

#include "core/base/result.hpp"

#include <cstdint>
#include <string>

namespace almanac {

struct MasterSettings {
  std::string cell = "default";
  std::string address = "127.0.0.1";    ///< where the agents' sessions are taken
  std::uint16_t port = 0;               ///< 0: any; the chosen one is in DIR/run/port
  bool tcp_door = true;                 ///< for hosts without an agent; needs munged
  std::uint16_t tcp_port = 0;           ///< of the TCP door; 0: any
  std::string munge_socket;             ///< "": the default of libmunge
  std::int64_t inputs_kept = 1'000'000; ///< journaled inputs between two checkpoints
};

/// The error names file, line and what was expected.
Result<MasterSettings> read_master_settings(const std::string& path);
std::string print_master_settings(const MasterSettings& settings);

} // namespace almanac
