// A cluster at work while everything breaks, in virtual time, from a seed.
//
// First faults, at any point between two messages, under a load of submissions, reservations and
// deletions; then all is healed and progress is required. Invariants (core/monitor/invariants.hpp)
// are checked with every message.
#pragma once

#include "core/monitor/invariants.hpp"

#include <array>
#include <map>
#include <string>
#include <variant>
#include <vector>

namespace almanac {

enum class Fault : std::uint8_t {
  delay,
  loss,
  duplication,
  partition,
  one_way,
  master_crash,
  agent_crash,
  host_crash,
  pause,
  clock_jump,
  torn_write,
  full_disk,
  stale_agent,
  reordering,
  slow_host,
  failing_fsync,
  hostile_client,
  hostile_agent
};
inline constexpr std::array fault_names{
    "delay",       "loss",       "duplication", "partition",     "one-way",        "master-crash",
    "agent-crash", "host-crash", "pause",       "clock-jump",    "torn-write",     "full-disk",
    "stale-agent", "reordering", "slow-host",   "failing-fsync", "hostile-client", "hostile-agent"};
/// Those before it are accidents; from it on somebody means harm.
inline constexpr Fault first_mischief = Fault::hostile_client;

/// Those that may come, and how often each does compared with the others: at least 1.
using FaultRates = std::map<Fault, int>;

/// What goes on when a fault comes.
inline constexpr std::array phase_names{"waiting", "sent",    "running",
                                        "ending",  "request", "reserved"};

struct ChaosSettings {
  int hosts = 20;
  int minutes = 30;
  FaultRates faults;
  bool changes = true; ///< reservations are changed in two phases
  int mutation = 0;    ///< the number of an invariant to break on purpose, for tests; 0: none
};

struct ChaosResult {
  std::uint64_t trace = 0; ///< equal seeds give equal traces
  std::int64_t events = 0, jobs = 0, reservations = 0, refused = 0, unanswered = 0;
  std::int64_t virtual_seconds = 0;
  std::map<Fault, std::array<std::int64_t, phase_names.size()>> met;
};

struct ChaosFailure {
  Violation violation;
  std::int64_t event = 0; ///< the message after which it was seen
  std::int64_t second = 0;
};

std::variant<ChaosResult, ChaosFailure> chaos(std::uint64_t seed, const ChaosSettings& settings);

/// The same failure with fewer faults and less time, as far as that goes.
ChaosSettings smallest(std::uint64_t seed, ChaosSettings settings, ChaosFailure& failure);

} // namespace almanac
