// The session actor: one for each side of a connection.
#pragma once

#include "actors/interfaces.hpp"
#include "actors/trust/handshake.hpp"

#include <caf/actor_system.hpp>
#include <caf/typed_actor.hpp>

#include <functional>
#include <string>

namespace almanac {

/// Who a session works for.
using SessionOwner = caf::typed_actor<caf::reacts_to<SessionUp>, caf::reacts_to<SessionSaid>,
                                      caf::reacts_to<SessionDown>>;

struct SessionSetup {
  const Identity* identity = nullptr; ///< outlives the session
  Handshake::Random random;
  DirectoryActor directory;
  SessionOwner owner; ///< unless `calendar` names it by the peer's name
  CalendarActor calendar;
  session::Welcome welcome;                          ///< what an acceptor says at the end
  session::Role expected_role = session::Role::none; ///< of an initiator
  std::string expected_name;
  caf::strong_actor_ptr remote; ///< of an acceptor: the wire to who called
  std::string binding{};        ///< of an acceptor: what an initiator hears with LinkUp
};

SessionActor spawn_session(caf::actor_system& system, SessionSetup setup);

/// Makes the session of a connection that somebody else has begun.
using SessionMaker =
    std::function<SessionActor(caf::strong_actor_ptr remote, const std::string& binding)>;
/// Those of `setup`, whose remote and binding are filled in.
SessionMaker accepting_sessions(caf::actor_system& system, SessionSetup setup);

} // namespace almanac
