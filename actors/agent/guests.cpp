#include "actors/agent/guests.hpp"

#include "actors/interfaces.hpp"
#include "actors/trust/attach.hpp"
#include "actors/trust/order.hpp"

#include <caf/send.hpp>
#include <spdlog/spdlog.h>
#include <utility>

namespace almanac {

void Guests::remove(const SessionDown& down) {
  const auto guest = guests_.find(down.id);
  if (guest == guests_.end()) return;
  spdlog::info("peer gone host={} reason={}", guest->second.host, down.reason);
  guests_.erase(guest);
}

caf::strong_actor_ptr Guests::session(std::uint64_t id) const {
  const auto guest = guests_.find(id);
  return guest == guests_.end() ? nullptr : guest->second.session;
}

CallHere Guests::call_here(std::uint64_t id, std::int64_t call,
                           const session::PeerStart& start) const {
  return {{call, start.command, start.environment, start.directory, start.input, start.call,
           start.proof},
          {nullptr, 0, session(id), start.call}};
}

CallHere Guests::attach_here(std::uint64_t id, std::int64_t call,
                             const session::PeerAttach& attach) const {
  InheritedStart start;
  start.call = call, start.attaches = true, start.input = attach.input;
  start.terminal = {attach.rows, attach.columns};
  return {std::move(start), {nullptr, 0, session(id), attach.call}};
}

Outcome Guests::may_attach(const Identity& agent, std::uint64_t id,
                           const session::PeerAttach& attach) const {
  const auto guest = guests_.find(id);
  if (guest == guests_.end()) return Error{"the session is not open"};
  auto allowed = check_attach(agent, {guest->second.host}, agent.name, attach.attempt,
                              attach.credential, attach.signature);
  if (!allowed)
    spdlog::error("a client on host {} is refused: {}", guest->second.host, allowed.what());
  return allowed;
}

void Guests::tell(std::uint64_t id, session::Message message) const {
  if (const auto open = session(id))
    caf::anon_send(caf::actor_cast<SessionActor>(open), Say{std::move(message)});
}

Outcome Guests::may_order(const Identity& agent, std::uint64_t id, const Attempt& attempt,
                          const Bytes& credential, const Bytes& signature) const {
  const auto guest = guests_.find(id);
  if (guest == guests_.end()) return Error{"the session is not open"};
  auto allowed = check_peer(agent, guest->second.host, attempt, credential, signature);
  if (!allowed)
    spdlog::error("an order of host {} is refused: {}", guest->second.host, allowed.what());
  return allowed;
}

} // namespace almanac
