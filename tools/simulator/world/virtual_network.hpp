// The network of a simulated cluster: packets take their time, get lost, come twice or late, and
// ways are cut.
//
// All of it is decided by `chance`, so that a seed decides it.
#pragma once

#include "actors/interfaces.hpp"
#include "tools/simulator/world/virtual_ports.hpp"

#include <caf/actor_system.hpp>

#include <functional>
#include <map>
#include <memory>
#include <random>
#include <set>
#include <string>
#include <vector>

namespace almanac {

struct Faults {
  unsigned lost_per_mille = 0;
  unsigned doubled_per_mille = 0;
  unsigned late_per_mille = 0; ///< packets that take up to three seconds: others overtake them
  unsigned jitter_ms = 5;      ///< each takes up to so long
};

class VirtualNetwork {
public:
  /// An incarnation of a daemon.
  struct Party {
    std::string name; ///< "" is the master
    std::size_t seat = 0;
    caf::actor_system* system = nullptr;
  };

  VirtualNetwork(const VirtualClock& clock, std::mt19937_64& chance, Faults faults)
      : clock_(clock), chance_(chance), faults_(faults) {}

  void set_faults(Faults faults) { faults_ = faults; }
  /// Packets from one daemon to another get lost from here on.
  void cut(const std::string& from, const std::string& to) { cuts_.insert({from, to}); }
  void mend() { cuts_.clear(); }
  bool is_cut(const std::string& one, const std::string& other) const {
    return cuts_.contains({one, other}) || cuts_.contains({other, one});
  }

  /// Links a session with whoever receives at another daemon; the session is told.
  void connect(const Party& near, const SessionActor& session, const Party& far,
               const WireActor& reception);
  /// A daemon is gone: those who are linked with it notice.
  void lose(const caf::actor_system& system);

  /// When the next packet arrives, in milliseconds; Agenda::never if none is on its way.
  std::int64_t next_arrival() const;
  /// Hands over what has arrived by now; `heard` is told the seat of each who hears something.
  void deliver(const std::function<void(std::size_t seat)>& heard);

private:
  struct End {
    Party party;
    WireActor wire;
    caf::strong_actor_ptr target; ///< who hears here
  };
  struct Connection {
    End ends[2];
    bool broken = false;
  };
  struct Flight {
    Connection* connection = nullptr;
    int to = 0;
    Packet packet;
  };
  WireActor make_wire(Connection& connection, int from);
  void send(Connection& connection, int to, const Packet& packet);
  void launch(Connection& connection, int to, const Packet& packet);

  const VirtualClock& clock_;
  std::mt19937_64& chance_;
  Faults faults_;
  std::set<std::pair<std::string, std::string>> cuts_;
  std::vector<std::unique_ptr<Connection>> connections_;
  std::multimap<std::int64_t, Flight> flights_; ///< by the time at which they arrive
};

} // namespace almanac
