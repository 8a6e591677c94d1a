// The settings of an agent: DIR/settings.toml, of which lines NAME = "TEXT", NAME = NUMBER and
// comments are all that is read: root reads it, without a library.
#pragma once

#include "core/base/result.hpp"

#include <cstdint>
#include <string>

namespace almanac {

struct AgentSettings {
  std::string cell = "default";
  std::string host;
  std::string master;                ///< host:port of the master
  std::string address = "127.0.0.1"; ///< where other agents reach this one
  std::uint16_t port = 0;            ///< 0: any
  std::string spool;                 ///< "": DIR/spool
  std::int64_t min_uid = 0;
  /// Whom the half runs as that talks with the network, where root starts the agent; "": nobody is
  /// named.
  std::string user;
};

/// The error names file, line and what was expected.
Result<AgentSettings> read_agent_settings(const std::string& path);

} // namespace almanac
