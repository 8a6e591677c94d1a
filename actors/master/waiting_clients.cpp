#include "actors/master/waiting_clients.hpp"

#include "actors/trust/attach.hpp"
#include "core/policy/attaching.hpp"
#include "schema/codec.hpp"

namespace almanac {

void WaitingClients::add(const Caller& client, Promise promise, const Caller& owner) {
  if (may_attach(client, owner)) waiting_.emplace_back(client, std::move(promise));
  else
    promise.deliver(PlaceForClient{
        {}, "only its owner may attach to it, from the host where it was submitted"});
}

void WaitingClients::tell(const session::Launch& order, const Identity& master) {
  if (waiting_.empty() || order.parts.empty()) return;
  const auto& first = order.parts.front();
  const auto names = decode<session::Credential>(order.credential.content);
  for (auto& [client, promise] : std::exchange(waiting_, {})) {
    if (order.job.request->interaction == Interaction::none || !names) {
      promise.deliver(PlaceForClient{{}, "it is no interactive job"});
      continue;
    }
    const auto sealed =
        seal_for_client(master.key, {names->store_id, names->term, order.attempt, client.user,
                                     client.uid, client.host, first.host});
    promise.deliver(PlaceForClient{
        {first.host, first.address, order.attempt, sealed.credential, sealed.signature}});
  }
}

void WaitingClients::refuse(const std::string& why) {
  for (auto& [client, promise] : std::exchange(waiting_, {}))
    promise.deliver(PlaceForClient{{}, why});
}

} // namespace almanac
