#include "tools/simulator/chaos/hostile_agent.hpp"

#include "actors/directory.hpp"
#include "actors/support.hpp"
#include "schema/codec.hpp"
#include "tools/simulator/chaos/hostile_line.hpp"
#include "tools/simulator/chaos/hostile_messages.hpp"
#include "tools/simulator/world/reception.hpp"
#include "tools/simulator/chaos/spoiler.hpp"
#include "tools/simulator/world/virtual_node.hpp"

#include <algorithm>
#include <utility>

namespace almanac {

namespace {

constexpr std::int64_t connect_again_ms = 1000;

// Whose name and keys a session is opened with.
Identity borrowed(VirtualWorld& world, const std::string& host, const std::string& victim,
                  std::size_t way) {
  auto identity = world.identity(host);
  switch (way) {
  case 0: identity.name = victim; break;
  case 1: // a ticket that others have seen, without its key
    identity.name = victim;
    identity.ticket = world.identity(victim).ticket;
    identity.ticket_signature = world.identity(victim).ticket_signature;
    break;
  case 2: identity.name = victim, identity.role = session::Role::master; break;
  default: break; // a second one of its own
  }
  return identity;
}

} // namespace

struct HostileAgent::Mind {
  Mind(VirtualWorld& given, std::string name, std::vector<Lie> kinds, Plans its_plans,
       std::uint64_t seed)
      : world(given),
        host(std::move(name)),
        lies(std::move(kinds)),
        plans(std::move(its_plans)),
        chance(seed) {}

  std::size_t dice(std::size_t sides) { return chance() % sides; }
  std::int64_t now() const { return world.clock().milliseconds; }
  void succeed(const std::string& what) {
    if (success.empty()) success = "the agent of " + host + " " + what;
  }

  // ---- sessions -------------------------------------------------------------------------------

  std::unique_ptr<HostileLine> call(VirtualWorld::Node& node, const std::string& whom,
                                    Identity identity) {
    auto line = std::make_unique<HostileLine>(world, node, whom, std::move(identity));
    if (plans.all_is_fatal) line->always_must_end();
    line->on_message([this, name = line->name()](const session::Message& message) {
      if (std::holds_alternative<session::Welcome>(message) && name != host)
        succeed("has a session as " + name);
      if (const auto* order = std::get_if<session::SignedOrder>(&message)) take(*order);
    });
    return line;
  }

  // What the master orders it: credentials to show to others, orders to play again.
  void take(const session::SignedOrder& order) {
    constexpr std::size_t most = 32;
    if (orders.size() < most) orders.push_back(order);
    auto launch = launch_in(order);
    if (!launch) return;
    if (launches.size() == most) launches.erase(launches.begin());
    launches.push_back(std::move(*launch));
  }

  bool is_alive(HostileLine& line) {
    if (line.is_heard_too_long()) succeed("is heard after what no agent may say");
    return line.is_alive(now());
  }

  // ---- what it says ---------------------------------------------------------------------------

  void act() {
    auto* node = world.node(host);
    if (!node || node != place) return;
    std::erase_if(others, [this](auto& line) { return !is_alive(*line); });
    if (!master || !is_alive(*master)) {
      if (now() < next_call) return;
      next_call = now() + connect_again_ms;
      master = call(*node, "", world.identity(host));
      is_registered = false;
      return;
    }
    if (!master->is_open()) return;
    if (!is_registered) return enlist();
    master->mute(false);
    lie(*node, lies[dice(lies.size())]);
  }

  session::TaskReport report() {
    const auto attempt = dice(3) && !launches.empty() ? launches[dice(launches.size())].attempt
                                                      : plans.some_attempt();
    return hostile_report(chance, attempt, master->welcome());
  }

  // Those of the host's own agent: another machine would have to wait until the host is given up.
  HostFacts facts() const { return world.launcher(host).facts(); }

  session::Register list() {
    return hostile_list(chance, facts(), [this] { return report(); });
  }

  void enlist() {
    const bool lies_here = std::find(lies.begin(), lies.end(), Lie::registers) != lies.end();
    master->say(lies_here ? list() : session::Register{facts(), {}});
    is_registered = true;
  }

  void lie(VirtualWorld::Node& node, Lie kind) {
    switch (kind) {
    case Lie::reports: return master->say(report());
    case Lie::registers: // once more: it is at the beginning only that one may
      if (dice(8)) return;
      master->say(list());
      return master->must_end();
    case Lie::loads: return master->say(hostile_load(chance));
    case Lie::parts: return master->say(PartSilent{plans.some_attempt(), other_host()});
    case Lie::relays: return relay();
    case Lie::forbidden: return say_forbidden();
    case Lie::packets: return send_packets();
    case Lie::names: return take_a_name(node);
    case Lie::orders: return order_others(node);
    case Lie::answers: return answer_guests();
    case Lie::silence: return master->mute(dice(4) == 0);
    case Lie::flood:
      if (dice(20)) return;
      for (int i = 0; i < 100; ++i) master->say(report());
      return;
    }
  }

  std::string other_host() {
    const auto hosts = plans.targets().hosts;
    return hosts[dice(hosts.size())];
  }

  void relay() {
    const auto caller = hostile_caller(chance);
    // It may act as any plain user: as those whose things are watched it does not.
    if (caller.user == "alice") return;
    auto frame = encode(hostile_request(chance, plans.targets()));
    if (dice(8) == 0) frame = mangled(frame, chance);
    session::Relay relay{static_cast<std::int64_t>(dice(20)), caller, {frame}};
    if (dice(16) == 0) relay.connection = hostile_number(chance);
    master->say(relay);
  }

  void say_forbidden() {
    if (dice(8)) return;
    // What can be read by chance is a report of something.
    const auto content = dice(4) == 0 ? mangled(encode(session::Envelope{report()}), chance)
                                      : encode(session::Envelope{hostile_message(chance)});
    master->say_bytes(content);
    if (!may_be_said(content)) master->must_end();
  }

  void send_packets() {
    const auto number = static_cast<std::uint64_t>(dice(2) ? dice(600) : hostile_number(chance));
    const auto acknowledged = static_cast<std::uint64_t>(dice(600));
    master->send({number, acknowledged, hostile_text(chance)});
    if (dice(4) == 0) master->give_up(); // nothing that comes later can be told from it
  }

  void take_a_name(VirtualWorld::Node& node) {
    if (dice(8) || others.size() > 4) return;
    const auto victim = other_host();
    auto identity = borrowed(world, host, victim, dice(4));
    others.push_back(call(node, dice(2) ? std::string() : victim, std::move(identity)));
  }

  // Orders to other agents; with its own seal, as a first host's would have.
  void order_others(VirtualWorld::Node& node) {
    for (const auto& line : others)
      if (line->is_open() && !line->whom().empty() && dice(2)) return order(*line);
    const auto victim = other_host();
    if (victim != host && others.size() < 4)
      others.push_back(call(node, victim, world.identity(host)));
  }

  void order(HostileLine& line) {
    if (line.name() != host) return;
    if (dice(4) == 0 && !orders.empty()) {
      line.say(orders[dice(orders.size())]);
      return line.must_end();
    }
    if (dice(4) == 0) return line.say(session::PeerInput{hostile_number(chance), {"x"}, true, 7});
    const auto message = hostile_peer_order(chance, plans.some_attempt, launches);
    auto scope = line.scope();
    const bool is_bad = dice(4) == 0;
    if (is_bad) Spoiler(chance).spoil(scope.host), scope.session += "x";
    OrderSeal seal(world.identity(host).key, scope);
    // The seal counts from one: only the first order of a session has a new number.
    line.say(seal.sign(message));
    if (is_bad || line.orders_again()) line.must_end();
  }

  // ---- those who call it ----------------------------------------------------------------------

  void guest(const SessionUp& up) { guests.push_back(up.session); }

  void answer_guests() {
    if (guests.empty()) return;
    const auto guest = caf::actor_cast<SessionActor>(guests[dice(guests.size())]);
    session::Message message = session::PeerOutput{hostile_number(chance), {"x"}, true};
    if (dice(2)) message = session::PeerEnded{hostile_number(chance), report().record};
    if (dice(8) == 0) message = message_of_kind(dice(std::variant_size_v<session::Message>));
    caf::anon_send(guest, Say{std::move(message)});
  }

  VirtualWorld& world;
  std::string host;
  std::vector<Lie> lies;
  Plans plans;
  std::mt19937_64 chance;
  VirtualWorld::Node* place = nullptr;
  std::unique_ptr<HostileLine> master;
  bool is_registered = false;
  std::vector<std::unique_ptr<HostileLine>> others;
  std::vector<session::SignedOrder> orders;
  std::vector<session::Launch> launches;
  std::vector<caf::strong_actor_ptr> guests;
  std::int64_t next_call = 0;
  std::string success;
};

namespace {

struct DeafState {
  static inline const char* name = "deaf";
};
using OnGuest = std::function<void(const SessionUp& up)>;

SessionOwner::behavior_type deaf_owner(SessionOwner::stateful_pointer<DeafState>,
                                       OnGuest on_guest) {
  return {
      [on_guest](const SessionUp& up) { on_guest(up); },
      [](const SessionSaid&) {},
      [](const SessionDown&) {},
  };
}

} // namespace

HostileAgent::HostileAgent(VirtualWorld& world, std::string host, std::vector<Lie> lies,
                           Plans plans, std::uint64_t seed)
    : mind_(
          std::make_shared<Mind>(world, std::move(host), std::move(lies), std::move(plans), seed)) {
  if (mind_->plans.on_start) mind_->plans.on_start(mind_->host);
  auto& node = world.take_over(mind_->host);
  mind_->place = &node;
  SessionSetup setup;
  setup.identity = &world.identity(mind_->host), setup.random = world.random();
  setup.directory = spawn_directory(node.system, world.clock());
  // Actors are never torn down: what these do after the end is nobody's.
  const OnGuest on_guest = [mind = std::weak_ptr(mind_)](const SessionUp& up) {
    if (const auto here = mind.lock()) here->guest(up);
  };
  setup.owner = node.system.spawn(deaf_owner, on_guest);
  node.reception = spawn_reception(node.system, setup);
}

bool HostileAgent::is_there() const { return mind_->world.node(mind_->host) == mind_->place; }

void HostileAgent::act() { mind_->act(); }

const std::string& HostileAgent::success() const { return mind_->success; }

} // namespace almanac
