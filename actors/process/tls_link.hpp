// Links between the processes of a cell: CAF remote actors over mutual TLS.
#pragma once

#include "actors/ports/link.hpp"
#include "actors/process/tls_files.hpp"
#include "core/base/result.hpp"

#include <caf/actor_system_config.hpp>

#include <condition_variable>
#include <deque>
#include <mutex>
#include <string>
#include <thread>

namespace almanac {

/// The configuration of a daemon's actor system.
class DaemonConfig : public caf::actor_system_config {
public:
  explicit DaemonConfig(const TlsFiles& tls);
};

/// Opens the port where the reception is reached; 0 chooses one. The port that was opened, or why
/// not.
Result<std::uint16_t> publish_reception(caf::actor_system& system, const ReceptionActor& reception,
                                        std::uint16_t port, const std::string& address);

/// One thread connects, since connecting blocks.
class TlsLink : public Link {
public:
  explicit TlsLink(caf::actor_system& system);
  ~TlsLink() override;
  void connect(const std::string& address, const SessionActor& session) override;

private:
  void work();

  caf::actor_system& system_;
  std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<std::pair<std::string, SessionActor>> requests_;
  bool stopping_ = false;
  std::thread thread_;
};

} // namespace almanac
