// People who mean harm, in a simulated cluster: a user whose requests no command sends, and
// somebody with the keys of a host. They act between any two messages.
#pragma once

#include "core/monitor/invariants.hpp"
#include "tools/simulator/chaos/hostile_agent.hpp"
#include "tools/simulator/world/virtual_world.hpp"

#include <functional>
#include <map>
#include <optional>
#include <random>
#include <string>
#include <vector>

namespace almanac {

class Mischief {
public:
  /// `plans`: what is there to be harmed.
  Mischief(VirtualWorld& world, Plans plans, std::uint64_t seed);

  /// From now on "mallory" sends requests, `at_once` of them at first.
  void begin_client(int at_once);
  void end_client() { client_ = false; }
  /// Somebody takes the place of the host's agent, which has to be up, and says such things.
  void begin_agent(const std::string& host, std::vector<Lie> lies);
  /// The host's own agent is started again, unless something else has ended the other.
  void end_agent(const std::string& host);
  void end();

  /// Between two messages.
  void act();
  /// What somebody could do and nobody may.
  std::optional<Violation> found() const;

  std::int64_t sent() const { return sent_; } ///< requests of mallory

private:
  bool send();
  void take_reply(const std::string& frame);

  VirtualWorld& world_;
  Plans plans_;
  std::mt19937_64 chance_;
  std::map<std::string, HostileAgent> agents_; ///< by host
  bool client_ = false;
  std::int64_t sent_ = 0;
  std::string seen_; ///< of others, by mallory
  std::string done_; ///< by those who are gone
};

} // namespace almanac
