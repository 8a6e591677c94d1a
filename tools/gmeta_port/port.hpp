// The port for metaschedulers: who connects, how many of them, and what becomes of their lines
// (spec/metascheduler.md section 2).
//
//   accept -> Talk (one connection) -> Askers (threads) -> master
//
// 1. One thread and poll() have all connections; only the lines that the master is asked about are
//    with other threads.
// 2. An address has so many connections, all have so many. Where there is no room for one more, one
//    that has not proved who it is goes (core/admission/strangers.hpp).
// 3. Whoever fails to prove it ten times in a minute is not listened to for a minute, also where a
//    connection of that address was there before.
#pragma once

#include "actors/process/descriptor.hpp"
#include "actors/process/tls_channel.hpp"
#include "core/admission/failed_tries.hpp"
#include "core/admission/refusal_budget.hpp"
#include "core/admission/strangers.hpp"
#include "tools/gmeta_port/askers.hpp"
#include "tools/gmeta_port/port_settings.hpp"
#include "tools/gmeta_port/talk.hpp"

#include <map>
#include <memory>
#include <poll.h>
#include <string>
#include <vector>

namespace almanac {

/// Whom an address is counted as: itself, or of IPv6 the network of 64 bits, which one host may
/// have all of.
std::string account_of_address(const std::string& address);

/// The callers with their secrets, which only this process's user may read.
Result<KnownCallers> known_callers(const PortSettings& settings);

class Port {
public:
  /// `listener` is a socket that listens, `ends` a descriptor that can be read when the port shuts
  /// down.
  Port(const PortSettings& settings, TlsContext context, KnownCallers callers, Descriptor listener,
       int ends);

  /// Until it ends: what was asked is answered first, for some seconds.
  void run();

private:
  struct Connection {
    Descriptor socket;
    std::string account;
    Talk talk;
    std::string unsent;
    std::int64_t sent_at_ms; ///< or nothing waited then
  };
  using Connections = std::map<std::uint64_t, Connection>;

  void accept_some();
  bool has_room(const std::string& account);
  void hear(std::uint64_t id, Connection& connection);
  void send(Connection& connection);
  void look_after(Connections::iterator& it);
  void ask_all();
  void take_replies();
  void look_for_failure(Connection& connection);
  void shut_out(const std::string& account);
  void drop(std::uint64_t id);
  static constexpr int own_files = 3; ///< of those that are watched
  std::vector<pollfd> watched() const;
  void hear_all(std::vector<pollfd>::const_iterator file);
  void begin_to_end();
  int wait_ms() const;
  void log(const std::string& account, const std::string& what);

  const std::size_t most_, most_of_address_;
  TlsContext context_;
  const KnownCallers callers_;
  Descriptor listener_, bell_;
  const int ends_;
  Connections connections_;
  std::map<std::string, std::size_t> of_account_;
  Strangers<std::uint64_t> strangers_;
  FailedTries failed_{{}};
  RefusalBudget told_{{}};
  std::uint64_t last_id_ = 0, last_asked_ = 0;
  std::int64_t accepts_from_ms_ = 0;         ///< not before: there were no descriptors left
  std::int64_t now_ms_ = 0, ends_at_ms_ = 0; ///< 0: it does not end yet
  Askers askers_;
};

} // namespace almanac
