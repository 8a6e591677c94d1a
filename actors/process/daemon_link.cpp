#include "actors/process/daemon_link.hpp"

#include "actors/process/frame_link.hpp"
#include "actors/process/tls_link.hpp"

#include <cstdlib>
#include <string_view>

namespace almanac {

namespace {

class BaspLink : public DaemonLink {
public:
  explicit BaspLink(caf::actor_system& system) : system_(system), link_(system) {}

  void connect(const std::string& address, const SessionActor& session) override {
    link_.connect(address, session);
  }
  Result<std::uint16_t> listen(const LinkAcceptor& acceptor, std::uint16_t port,
                               const std::string& address) override {
    return publish_reception(system_, acceptor.reception, port, address);
  }

private:
  caf::actor_system& system_;
  TlsLink link_;
};

} // namespace

Result<std::unique_ptr<DaemonLink>> open_daemon_link(caf::actor_system& system,
                                                     const TlsFiles& files) {
  const char* const given = std::getenv("ALMANAC_LINK");
  const std::string_view kind = given ? given : "";
  if (kind.empty()) return std::unique_ptr<DaemonLink>(std::make_unique<BaspLink>(system));
  if (kind != "frames")
    return Error{"ALMANAC_LINK is \"" + std::string(kind) + "\": only \"frames\" is known"};
  auto context = TlsContext::open(files);
  if (!context) return context.error();
  return std::unique_ptr<DaemonLink>(std::make_unique<FrameLink>(system, *context));
}

} // namespace almanac
