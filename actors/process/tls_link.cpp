#include "actors/process/tls_link.hpp"

#include "actors/process/tls_errors.hpp"
#include "actors/support.hpp"
#include "core/text/values.hpp"

#include <caf/io/middleman.hpp>
#include <caf/openssl/all.hpp>

namespace almanac {

DaemonConfig::DaemonConfig(const TlsFiles& tls) {
  add_message_types<caf::id_block::almanac>();
  load<caf::io::middleman>();
  load<caf::openssl::manager>();
  check(tls_errors_are_kept_apart(), "OpenSSL is a shared library");
  set("scheduler.policy", caf::atom("sharing"));
  set("scheduler.max-threads", std::size_t{2});
  set("scheduler.max-throughput", std::size_t{300});
  set("middleman.heartbeat-interval", caf::timespan(std::chrono::seconds(1)));
  set("middleman.connection-timeout", caf::timespan(std::chrono::seconds(5)));
  openssl_certificate = tls.certificate;
  openssl_key = tls.key;
  openssl_cafile = tls.authority;
}

Result<std::uint16_t> publish_reception(caf::actor_system& system, const ReceptionActor& reception,
                                        std::uint16_t port, const std::string& address) {
  auto opened =
      caf::openssl::publish(reception, port, address.empty() ? nullptr : address.c_str(), true);
  if (!opened)
    return Error{"can't open port " + std::to_string(port) + ": " + system.render(opened.error())};
  return *opened;
}

TlsLink::TlsLink(caf::actor_system& system) : system_(system), thread_([this] { work(); }) {}

TlsLink::~TlsLink() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  wake_.notify_one();
  thread_.join();
}

void TlsLink::connect(const std::string& address, const SessionActor& session) {
  {
    const std::lock_guard lock(mutex_);
    requests_.emplace_back(address, session);
  }
  wake_.notify_one();
}

void TlsLink::work() {
  for (;;) {
    std::unique_lock lock(mutex_);
    wake_.wait(lock, [this] { return stopping_ || !requests_.empty(); });
    if (stopping_) return;
    const auto [address, session] = requests_.front();
    requests_.pop_front();
    lock.unlock();
    const auto colon = address.rfind(':');
    const auto port = colon == std::string::npos ? Result<std::int64_t>(Error{""})
                                                 : parse_number(address.substr(colon + 1));
    if (!port || *port > 65535) {
      caf::anon_send(session, LinkDown{"\"" + address + "\" is not host:port"});
      continue;
    }
    auto remote = caf::openssl::remote_actor<ReceptionActor>(system_, address.substr(0, colon),
                                                             static_cast<std::uint16_t>(*port));
    if (remote) caf::anon_send(session, LinkUp{caf::actor_cast<caf::strong_actor_ptr>(*remote)});
    else
      caf::anon_send(session,
                     LinkDown{"can't reach " + address + ": " + system_.render(remote.error())});
  }
}

} // namespace almanac
