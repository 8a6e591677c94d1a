// One incarnation of a daemon in a simulated cluster: its assembly in an actor system of its own.
#pragma once

#include "agent/assembly.hpp"
#include "master/assembly.hpp"
#include "tools/simulator/world/virtual_world.hpp"

#include <caf/actor_system_config.hpp>
#include <caf/scheduler/test_coordinator.hpp>

#include <algorithm>
#include <optional>

namespace almanac {

struct VirtualWorld::Node : Link {
  Node(VirtualWorld& owner, std::string node_name)
      : world(owner),
        name(std::move(node_name)),
        system(config),
        scheduler(dynamic_cast<caf::scheduler::test_coordinator&>(system.scheduler())) {
    set_time();
  }

  void set_time() {
    auto& clock = scheduler.clock();
    clock.current_time = std::max(
        clock.current_time,
        caf::actor_clock::time_point(std::chrono::milliseconds(world.clock_.milliseconds)));
  }

  std::int64_t next_timeout() {
    const auto& schedule = scheduler.clock().schedule();
    if (schedule.empty()) return Agenda::never;
    return std::chrono::duration_cast<std::chrono::milliseconds>(
               schedule.begin()->first.time_since_epoch())
        .count();
  }

  void connect(const std::string& address, session::Role role,
               const SessionActor& session) override;
  VirtualNetwork::Party party() { return {name, seat, &system}; }

  struct Config : caf::actor_system_config {
    Config() { set("scheduler.policy", caf::atom("testing")); }
  };

  VirtualWorld& world;
  std::string name;
  std::size_t seat = 0;
  bool stopped = false;
  std::int64_t message_takes = 0, busy_until = 0; ///< milliseconds
  Config config;
  caf::actor_system system;
  caf::scheduler::test_coordinator& scheduler;
  WireActor reception;
  std::optional<Master> master;
  std::optional<Agent> agent;
};

} // namespace almanac
