// What is known of an execution host and of the queue instances on it, apart from their
// configuration.
#pragma once

#include "core/base/describe.hpp"
#include "core/base/ids.hpp"
#include "core/configuration/opening_hours.hpp"
#include "core/host/drain.hpp"
#include "core/host/load.hpp"
#include "core/utilization/instance_name.hpp"

#include <cstdint>
#include <string>

namespace almanac {

//   (never seen) --registers--> up --link or lease lost--> suspect --max_unheard--> unknown
//                               ^                             |                       |
//                               '---------- registers --------'------- registers -----'
//
// Suspect is not shown: it only keeps new tasks away.
enum class HostPhase : std::uint8_t { unknown, suspect, up };
template <> inline constexpr HostPhase last_of<HostPhase> = HostPhase::up;

/// What an agent tells about its machine when it registers.
struct HostFacts {
  std::string arch;
  std::int64_t processors = 0;
  std::int64_t memory = 0; ///< bytes
  std::string boot_id;     ///< changes with a reboot
  std::string spool_id;    ///< changes with a lost or emptied spool
  std::string address;     ///< host:port where other agents reach it
  std::string topology{};  ///< core/text/topology.hpp; "": not known
};
template <class V> void describe(V& visit, HostFacts& facts) {
  visit("arch", facts.arch);
  visit("processors", facts.processors);
  visit("memory", facts.memory);
  visit("boot_id", facts.boot_id);
  visit("spool_id", facts.spool_id);
  visit("address", facts.address);
  visit("topology", facts.topology);
}

struct HostState {
  std::string name;
  HostPhase phase = HostPhase::unknown;
  HostFacts facts;
  HostLoad load; ///< quantised
  /// When its last task ended, if none runs; noted only while somebody goes by it.
  Instant idle_since;
};
template <class V> void describe(V& visit, HostState& host) {
  visit("name", host.name);
  visit("phase", host.phase);
  visit("facts", host.facts);
  visit("load", host.load);
  visit("idle_since", host.idle_since);
}
inline const std::string& key_of(const HostState& host) { return host.name; }
inline void set_key(HostState& host, const std::string& name) { host.name = name; }

struct InstanceState {
  InstanceName name;
  bool disabled = false;
  bool suspended = false;
  bool error = false;
  std::string reason;            ///< of the error
  std::int64_t failures = 0;     ///< launches of different jobs that failed in a row
  JobKey failed_job;             ///< the latest of them
  Instant avoided_until;         ///< set back after a failed launch
  Opening opening = Opening::on; ///< by its calendar
  bool throttles = false;        ///< a suspend threshold is reached, or was and tasks still stand
  Instant next_throttling;       ///< when tasks are suspended or continued next
  ReservationNumber maintenance; ///< that closes it now, the last to end; 0: none does
  bool subordinated = false;     ///< suspended: a queue above it has so many slots in use
  bool outranked =
      false;   ///< slotwise: no more tasks may run in it and the queues above it together
  Drain drain; ///< of a disabled one

  void enable() { disabled = false, drain = {}; }
};
template <class V> void describe(V& visit, InstanceState& instance) {
  visit("name", instance.name);
  visit("disabled", instance.disabled);
  visit("suspended", instance.suspended);
  visit("error", instance.error);
  visit("reason", instance.reason);
  visit("failures", instance.failures);
  visit("failed_job", instance.failed_job);
  visit("avoided_until", instance.avoided_until);
  visit("opening", instance.opening);
  visit("throttles", instance.throttles);
  visit("next_throttling", instance.next_throttling);
  visit("maintenance", instance.maintenance);
  visit("subordinated", instance.subordinated);
  visit("outranked", instance.outranked);
  visit("drain", instance.drain);
}
inline const InstanceName& key_of(const InstanceState& instance) { return instance.name; }
inline void set_key(InstanceState& instance, const InstanceName& name) { instance.name = name; }

} // namespace almanac
