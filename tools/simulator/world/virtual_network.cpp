#include "tools/simulator/world/virtual_network.hpp"

#include "tools/simulator/world/agenda.hpp"

#include <caf/actor_config.hpp>
#include <caf/monitorable_actor.hpp>
#include <caf/send.hpp>

namespace almanac {

namespace {

// One end of a link: what a session sends here goes into the network. It has no mailbox, thus it
// costs no event.
class Wire : public caf::monitorable_actor {
public:
  using Send = std::function<void(const caf::strong_actor_ptr& sender, const Packet& packet)>;
  Wire(caf::actor_config& config, Send send)
      : caf::monitorable_actor(config), send_(std::move(send)) {}

  void enqueue(caf::mailbox_element_ptr element, caf::execution_unit* unit) override {
    const auto& content = element->content();
    if (content.match_elements<Packet>()) send_(element->sender, content.get_as<Packet>(0));
    else if (content.match_elements<caf::exit_msg>())
      cleanup(caf::error(content.get_as<caf::exit_msg>(0).reason), unit);
  }

private:
  Send send_;
};

} // namespace

WireActor VirtualNetwork::make_wire(Connection& connection, int from) {
  auto send_on = [this, &connection, from](const caf::strong_actor_ptr& sender,
                                           const Packet& packet) {
    if (connection.broken) return;
    // Answers go to whoever spoke from this side last: the session behind the reception.
    connection.ends[from].target = sender;
    send(connection, 1 - from, packet);
  };
  auto& system = *connection.ends[from].party.system;
  caf::actor_config config;
  return caf::make_actor<Wire, WireActor>(system.next_actor_id(), system.node(), &system, config,
                                          std::move(send_on));
}

void VirtualNetwork::send(Connection& connection, int to, const Packet& packet) {
  if (!cuts_.empty() &&
      cuts_.contains({connection.ends[1 - to].party.name, connection.ends[to].party.name}))
    return;
  if (chance_() % 1000 >= faults_.lost_per_mille) launch(connection, to, packet);
  if (chance_() % 1000 < faults_.doubled_per_mille) launch(connection, to, packet);
}

void VirtualNetwork::launch(Connection& connection, int to, const Packet& packet) {
  auto takes = 1 + static_cast<std::int64_t>(chance_() % faults_.jitter_ms);
  if (faults_.late_per_mille > 0 && chance_() % 1000 < faults_.late_per_mille)
    takes += static_cast<std::int64_t>(chance_() % 3000);
  flights_.emplace(clock_.milliseconds + takes, Flight{&connection, to, packet});
}

void VirtualNetwork::connect(const Party& near, const SessionActor& session, const Party& far,
                             const WireActor& reception) {
  auto& connection = *connections_.emplace_back(std::make_unique<Connection>());
  connection.ends[0] = {near, {}, caf::actor_cast<caf::strong_actor_ptr>(session)};
  connection.ends[1] = {far, {}, caf::actor_cast<caf::strong_actor_ptr>(reception)};
  for (const int side : {0, 1}) connection.ends[side].wire = make_wire(connection, side);
  caf::anon_send(session, LinkUp{caf::actor_cast<caf::strong_actor_ptr>(connection.ends[0].wire)});
}

void VirtualNetwork::lose(const caf::actor_system& system) {
  for (auto& connection : connections_) {
    for (const int side : {0, 1}) {
      if (connection->broken || connection->ends[side].party.system != &system) continue;
      connection->broken = true;
      caf::anon_send_exit(connection->ends[1 - side].wire,
                          caf::exit_reason::remote_link_unreachable);
    }
  }
}

std::int64_t VirtualNetwork::next_arrival() const {
  return flights_.empty() ? Agenda::never : flights_.begin()->first;
}

void VirtualNetwork::deliver(const std::function<void(std::size_t seat)>& heard) {
  while (next_arrival() <= clock_.milliseconds) {
    const auto flight = std::move(flights_.begin()->second);
    flights_.erase(flights_.begin());
    if (flight.connection->broken) continue;
    const auto& end = flight.connection->ends[flight.to];
    heard(end.party.seat);
    caf::send_as(end.wire, caf::actor_cast<WireActor>(end.target), flight.packet);
  }
}

} // namespace almanac
