// Somebody who has the keys of a host, and speaks in the place of its agent.
//
// Its session with the master is genuine; what it says there, and to the agents of other hosts, is
// chosen by chance from all that can be said: what its table allows about tasks of others, what it
// does not allow, and what is no message at all.
#pragma once

#include "tools/simulator/chaos/hostile_requests.hpp"
#include "tools/simulator/chaos/hostile_session.hpp"
#include "tools/simulator/world/virtual_world.hpp"

#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <vector>

namespace almanac {

/// What it says; scenarios name these.
enum class Lie : std::uint8_t {
  reports,   ///< of tasks of all hosts: they run, they ended, in any way
  registers, ///< with facts and lists that are not its own
  loads,
  parts,     ///< of others that it does not reach
  relays,    ///< requests of root and of others
  forbidden, ///< what its table does not allow, and what is no message
  packets,   ///< out of order, numbered as no channel does
  names,     ///< sessions in the name of others, and second ones of its own
  orders,    ///< to other agents: without a credential, with another's, replayed
  answers,   ///< to agents that call it, to what they never asked
  silence,
  flood
};
inline constexpr std::array lie_names{"reports", "registers", "loads",   "parts",
                                      "relays",  "forbidden", "packets", "names",
                                      "orders",  "answers",   "silence", "flood"};

/// What it knows of the cell, more than it would.
struct Plans {
  std::function<Attempt()> some_attempt; ///< one that is active now, of any host
  std::function<Targets()> targets;
  std::function<void(const std::string& host)> on_start; ///< it is there from now on
  bool all_is_fatal = false; ///< for tests: every word of it should end its session
};

class HostileAgent {
public:
  /// Takes the place of the host's agent, which has to be up.
  HostileAgent(VirtualWorld& world, std::string host, std::vector<Lie> lies, Plans plans,
               std::uint64_t seed);

  /// Whether it is still there: another fault may have ended it.
  bool is_there() const;
  /// Says something, or waits; between two messages of the world.
  void act();
  /// What it could do and nobody may.
  const std::string& success() const;

private:
  struct Mind;
  std::shared_ptr<Mind> mind_; ///< its actors know it, too
};

} // namespace almanac
