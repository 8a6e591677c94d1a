// What all doors share: a broker that takes frames from connections and writes the answers back in
// the order of the requests.
//
//   socket --bytes--> TlsChannel, at a TCP door --text--> frames --DoorFrame--> taker
//
// At a TCP door an address pays for a connection until a desk has vouched for a user (DoorVouched),
// who pays from then on. Where the address has nothing left for one more, one goes for whom nobody
// has vouched (core/admission/strangers).
#pragma once

#include "actors/interfaces.hpp"
#include "actors/process/tls_channel.hpp"
#include "core/admission/share.hpp"
#include "core/base/result.hpp"

#include <functional>
#include <optional>
#include <vector>

namespace almanac {

/// Whoever takes frames: the master's gate, an agent, or a desk that looks at credentials first.
using FrameTaker =
    caf::typed_actor<caf::reacts_to<DoorFrame>, caf::replies_to<CatchUp>::with<CatchUp>>;

/// A door, for a desk: somebody is known.
using VouchedDoor = caf::typed_actor<caf::reacts_to<DoorVouched>>;

/// Who is at a door, and on whose account everything is that they take.
struct Visitor {
  Caller caller;
  std::string account; ///< the user, or the address while nobody is known
  Share::Rank rank = Share::Rank::ordinary;
};

/// Asked once for each new connection, before anything is read: who is there? An error closes it.
/// It is quick, since who crowds a door makes it answer for others' time.
using Doorman = std::function<Result<Visitor>(int socket)>;
/// Asked once for each connection that has sent a request: fills in what takes longer to know.
using Introduction = std::function<void(Caller& caller)>;

struct DoorSetup {
  std::vector<FrameTaker> takers; ///< share the connections
  Doorman doorman;
  Introduction introduction;
  std::optional<TlsContext> tls = std::nullopt; ///< then nothing but TLS is understood
};

/// Serves a listening socket, which it owns from now on.
void serve_door(caf::actor_system& system, int listening, const DoorSetup& setup);

} // namespace almanac
