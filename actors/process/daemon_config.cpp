#include "actors/process/daemon_config.hpp"

#include <caf/io/middleman.hpp>

namespace almanac {

DaemonConfig::DaemonConfig() {
  load<caf::io::middleman>();
  set("scheduler.policy", caf::atom("sharing"));
  set("scheduler.max-threads", std::size_t{2});
  set("scheduler.max-throughput", std::size_t{300});
}

} // namespace almanac
