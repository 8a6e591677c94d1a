#include "tools/simulator/world/reception.hpp"

#include "actors/support.hpp"

namespace almanac {

namespace {

struct ReceptionState {
  static inline const char* name = "reception";
};

WireActor::behavior_type reception(Watched<WireActor, ReceptionState> self,
                                   const SessionMaker& make_session) {
  return {
      [self, make_session](const Packet& packet) {
        auto remote = self->current_sender();
        if (!remote || packet.sequence != 1) return; // only a beginning makes a session
        self->delegate(make_session(std::move(remote), ""), packet);
      },
  };
}

} // namespace

WireActor spawn_reception(caf::actor_system& system, const SessionSetup& setup) {
  return system.spawn(reception, accepting_sessions(system, setup));
}

} // namespace almanac
