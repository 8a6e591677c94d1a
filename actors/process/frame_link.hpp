// The link of our own frames (link_broker.hpp).
#pragma once

#include "actors/process/daemon_link.hpp"
#include "actors/process/tls_channel.hpp"

#include <caf/actor.hpp>

#include <condition_variable>
#include <deque>
#include <mutex>
#include <string>
#include <thread>
#include <utility>

namespace almanac {

/// One thread connects, since looking names up and connecting block.
class FrameLink : public DaemonLink {
public:
  FrameLink(caf::actor_system& system, const TlsContext& context);
  ~FrameLink() override;
  void connect(const std::string& address, const SessionActor& session) override;
  Result<std::uint16_t> listen(const LinkAcceptor& acceptor, std::uint16_t port,
                               const std::string& address) override;

private:
  void work();
  void call(const std::string& address, const SessionActor& session) const;

  caf::actor broker_;
  std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<std::pair<std::string, SessionActor>> requests_;
  bool stopping_ = false;
  std::thread thread_;
};

} // namespace almanac
