// Clients at this host's door that have a process somewhere: of qrsh -inherit, or an interactive job.
//
// Each has a call, which is known by its number here, and by the connection of its request.
#pragma once

#include <caf/actor_control_block.hpp>

#include <cstdint>
#include <map>
#include <optional>
#include <string>

namespace almanac {

struct DoorClient {
  caf::strong_actor_ptr keeper; ///< of the door
  std::int64_t connection = 0;
  /// Where its interactive job runs, if that is another host: this agent passes its streams on.
  /// "": a task of this host has the call.
  std::string host{}, address{};
};

class Clients {
public:
  void add(std::int64_t call, DoorClient client);
  void remove(std::int64_t call);
  std::optional<std::int64_t> call_at(std::int64_t connection) const;
  /// nullptr: the call is none of a client here whose job runs elsewhere.
  const DoorClient* elsewhere(std::int64_t call) const;
  std::size_t size() const { return clients_.size(); }

private:
  std::map<std::int64_t, DoorClient> clients_; ///< by call
  std::map<std::int64_t, std::int64_t> calls_; ///< by connection
};

} // namespace almanac
