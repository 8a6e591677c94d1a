// Other agents that have begun a session with this one: each may start processes in the parts of
// its tasks here, and end them.
#pragma once

#include "actors/messages.hpp"
#include "actors/trust/handshake.hpp"

#include <cstdint>
#include <map>
#include <string>

namespace almanac {

class Guests {
public:
  void add(const SessionUp& up) { guests_[up.id] = {up.session, up.peer}; }
  void remove(const SessionDown& down);
  void forget(std::uint64_t id) { guests_.erase(id); }

  /// A process that it asks for, for the task's actor; `call` is its number on this host.
  CallHere call_here(std::uint64_t id, std::int64_t call, const session::PeerStart& start) const;
  /// A client of its that attaches to the task, likewise.
  CallHere attach_here(std::uint64_t id, std::int64_t call,
                       const session::PeerAttach& attach) const;
  /// Nobody hears it when the session has ended.
  void tell(std::uint64_t id, session::Message message) const;

  /// Whether who is at the other end may order something about an attempt: its `order` names the
  /// attempt and the master's credential for it (trust/order.hpp).
  template <class Order>
  Outcome may_order(const Identity& agent, std::uint64_t id, const Order& order) const {
    return may_order(agent, id, order.attempt, order.credential, order.signature);
  }

  /// Whether a client at the other end may attach to an interactive job here.
  Outcome may_attach(const Identity& agent, std::uint64_t id,
                     const session::PeerAttach& attach) const;

private:
  struct Guest {
    caf::strong_actor_ptr session;
    std::string host;
  };
  caf::strong_actor_ptr session(std::uint64_t id) const; // nullptr when it has ended
  Outcome may_order(const Identity& agent, std::uint64_t id, const Attempt& attempt,
                    const Bytes& credential, const Bytes& signature) const;

  std::map<std::uint64_t, Guest> guests_; ///< by the id of the session
};

} // namespace almanac
