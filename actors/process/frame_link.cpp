#include "actors/process/frame_link.hpp"

#include "actors/process/tcp_socket.hpp"

#include <caf/send.hpp>

namespace almanac {

Result<std::unique_ptr<FrameLink>> FrameLink::open(caf::actor_system& system,
                                                   const TlsFiles& files) {
  auto context = TlsContext::open(files);
  if (!context) return context.error();
  return std::unique_ptr<FrameLink>(new FrameLink(system, *context));
}

FrameLink::FrameLink(caf::actor_system& system, const TlsContext& context)
    : broker_(spawn_link_broker(system, context)), thread_([this] { work(); }) {}

FrameLink::~FrameLink() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  wake_.notify_one();
  thread_.join();
}

void FrameLink::connect(const std::string& address, session::Role role,
                        const SessionActor& session) {
  const auto expected =
      role == session::Role::master ? CertificateRole::master : CertificateRole::agent;
  {
    const std::lock_guard lock(mutex_);
    requests_.push_back({-1, address, expected, session});
  }
  wake_.notify_one();
}

Result<std::uint16_t> FrameLink::listen(const LinkAcceptor& acceptor, std::uint16_t port,
                                        const std::string& address) {
  const auto socket = listen_at(address, port);
  if (!socket) return socket.error();
  const auto opened = port_of(*socket);
  caf::anon_send(broker_, LinkListen{*socket, acceptor});
  return opened;
}

void FrameLink::work() {
  for (;;) {
    std::unique_lock lock(mutex_);
    wake_.wait(lock, [this] { return stopping_ || !requests_.empty(); });
    if (stopping_) return;
    auto wanted = std::move(requests_.front());
    requests_.pop_front();
    lock.unlock();
    call(std::move(wanted));
  }
}

void FrameLink::call(LinkDialed wanted) const {
  const auto& address = wanted.address;
  const auto colon = address.rfind(':');
  if (colon == std::string::npos)
    return caf::anon_send(wanted.session, LinkDown{"\"" + address + "\" is not host:port"});
  const auto socket = dial(address.substr(0, colon), address.substr(colon + 1));
  if (!socket)
    return caf::anon_send(wanted.session,
                          LinkDown{"can't reach " + address + ": " + socket.what()});
  wanted.socket = *socket;
  caf::anon_send(broker_, std::move(wanted));
}

} // namespace almanac
