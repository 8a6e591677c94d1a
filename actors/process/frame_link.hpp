// The link between daemons: our own frames over TLS (link_broker.hpp).
#pragma once

#include "actors/session/link.hpp"
#include "actors/process/link_broker.hpp"

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <utility>

namespace almanac {

/// One thread connects, since looking names up and connecting block.
class FrameLink : public Link {
public:
  /// The error names the files that won't do.
  static Result<std::unique_ptr<FrameLink>> open(caf::actor_system& system, const TlsFiles& files);
  ~FrameLink() override;
  void connect(const std::string& address, session::Role role,
               const SessionActor& session) override;
  /// Opens the port; 0 chooses one. The port that was opened, or why not.
  Result<std::uint16_t> listen(const LinkAcceptor& acceptor, std::uint16_t port,
                               const std::string& address);

private:
  FrameLink(caf::actor_system& system, const TlsContext& context);
  void work();
  void call(LinkDialed wanted) const;

  caf::actor broker_;
  std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<LinkDialed> requests_; ///< without sockets
  bool stopping_ = false;
  std::thread thread_;
};

} // namespace almanac
