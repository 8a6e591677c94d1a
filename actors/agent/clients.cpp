#include "actors/agent/clients.hpp"

#include <utility>

namespace almanac {

void Clients::add(std::int64_t call, DoorClient client) {
  calls_[client.connection] = call;
  clients_[call] = std::move(client);
}

void Clients::remove(std::int64_t call) {
  const auto client = clients_.extract(call);
  if (!client.empty()) calls_.erase(client.mapped().connection);
}

std::optional<std::int64_t> Clients::call_at(std::int64_t connection) const {
  const auto it = calls_.find(connection);
  return it == calls_.end() ? std::nullopt : std::optional(it->second);
}

const DoorClient* Clients::elsewhere(std::int64_t call) const {
  const auto it = clients_.find(call);
  return it == clients_.end() || it->second.host.empty() ? nullptr : &it->second;
}

} // namespace almanac
