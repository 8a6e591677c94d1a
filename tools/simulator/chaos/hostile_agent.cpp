#include "tools/simulator/chaos/hostile_agent.hpp"

#include "actors/directory.hpp"
#include "actors/support.hpp"
#include "actors/trust/order.hpp"
#include "schema/codec.hpp"
#include "schema/valid_message.hpp"
#include "tools/simulator/chaos/reception.hpp"
#include "tools/simulator/chaos/spoiler.hpp"
#include "tools/simulator/world/virtual_node.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace almanac {

namespace {

constexpr std::int64_t connect_again_ms = 1000;
constexpr std::int64_t silent_ms = 8000; // then a session has ended at the far end

// Every kind of message, with nothing in it.
template <std::size_t I = 0> session::Message message_of_kind(std::size_t kind) {
  if constexpr (I + 1 < std::variant_size_v<session::Message>)
    if (kind != I) return message_of_kind<I + 1>(kind);
  return session::Message(std::in_place_index<I>);
}

} // namespace

struct HostileAgent::Mind {
  // A session and what its owner knows of it.
  struct Line {
    Line() = default;
    Line(const Line&) = delete;
    Line& operator=(const Line&) = delete;
    ~Line() { talk->over = true, talk->on_message = nullptr; } // the actor lives on for a while
    std::shared_ptr<Conversation> talk = std::make_shared<Conversation>();
    SessionActor session;
    session::Welcome welcome;
    std::string host; ///< who is called; "" is the master
    bool registered = false, has_ordered = false;
    std::int64_t heard = 0, heard_at = 0;
  };

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

  std::unique_ptr<Line> call(VirtualWorld::Node& node, const std::string& whom, Identity identity) {
    auto line = std::make_unique<Line>();
    line->host = whom, line->heard_at = now();
    auto& talk = *line->talk;
    talk.identity = std::move(identity);
    talk.random = world.random();
    talk.with = whom.empty() ? session::Role::master : session::Role::agent;
    talk.name = whom;
    talk.on_message = [this, known = line.get()](const session::Message& message) {
      hear(*known, message);
    };
    line->session = spawn_hostile_session(node.system, line->talk);
    node.connect(whom.empty() ? "master" : whom, talk.with, line->session);
    return line;
  }

  void hear(Line& line, const session::Message& message) {
    if (const auto* welcome = std::get_if<session::Welcome>(&message)) {
      line.welcome = *welcome;
      if (line.talk->identity.name != host) succeed("has a session as " + line.talk->identity.name);
    }
    if (const auto* order = std::get_if<session::SignedOrder>(&message)) take(*order);
  }

  // What the master orders it: credentials to show to others, orders to play again.
  void take(const session::SignedOrder& order) {
    constexpr std::size_t most = 32;
    if (orders.size() < most) orders.push_back(order);
    const auto read = decode<session::Order>(order.order.content);
    if (!read) return;
    const auto inner = decode<session::Envelope>(read->message.content);
    if (!inner) return;
    if (const auto* launch = std::get_if<session::Launch>(&inner->body)) {
      if (launches.size() == most) launches.erase(launches.begin());
      launches.push_back(*launch);
    }
  }

  void say(Line& line, const session::Message& message) {
    say_bytes(line, encode(session::Envelope{message}));
  }
  void say_bytes(Line& line, std::string content) {
    line.talk->contents.push_back(std::move(content));
    if (plans.all_is_fatal) is_fatal(line);
    caf::anon_send(line.session, Say{session::Proof{}});
  }
  // The number that the last thing said will have: the far end has to end the session for it.
  void is_fatal(Line& line) {
    auto& talk = *line.talk;
    if (!talk.fatal) talk.fatal = talk.said + talk.contents.size();
  }

  // Whether it still leads somewhere.
  bool is_alive(Line& line) {
    auto& talk = *line.talk;
    if (talk.heard_after) succeed("is heard after what no agent may say");
    if (talk.heard != line.heard) line.heard = talk.heard, line.heard_at = now();
    if (now() - line.heard_at > silent_ms) talk.over = true;
    return !talk.over;
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
      return;
    }
    if (!master->talk->open) return;
    if (!master->registered) return enlist();
    master->talk->mute = false;
    lie(*node, lies[dice(lies.size())]);
  }

  session::TaskReport report() {
    session::TaskReport report;
    report.attempt = dice(3) && !launches.empty() ? launches[dice(launches.size())].attempt
                                                  : plans.some_attempt();
    if (dice(8) == 0) report.attempt.attempt += dice(2) ? 1 : -1;
    report.phase = static_cast<session::TaskPhase>(dice(3));
    report.began = dice(2) == 0, report.user_fault = dice(4) == 0;
    report.store_id = dice(8) ? master->welcome.store_id : "other";
    report.term = master->welcome.term;
    constexpr std::array<std::int64_t, 8> codes{
        failed::none,        failed::prolog, failed::epilog,       failed::lost,
        failed::rescheduled, failed::killed, failed::no_directory, failed::application};
    constexpr std::array<std::int64_t, 4> statuses{0, 99, 100, 137};
    report.record.failed = codes[dice(codes.size())];
    report.record.exit_status = statuses[dice(statuses.size())];
    report.record.step_status = statuses[dice(statuses.size())];
    report.record.reason = "as it likes";
    Spoiler spoiler(chance);
    if (dice(2)) spoiler.spoil(report.record);
    if (dice(8) == 0) spoiler.spoil(report);
    return report;
  }

  // Those of the host's own agent: another machine would have to wait until the host is given up.
  HostFacts facts() const { return world.launcher(host).facts(); }

  session::Register list() {
    session::Register list{facts(), {}};
    Spoiler spoiler(chance);
    if (dice(2)) spoiler.spoil(list.facts);
    if (dice(2))
      for (auto count = dice(6); count > 0; --count) list.tasks.push_back(report());
    return list;
  }

  void enlist() {
    const bool lies_here = std::find(lies.begin(), lies.end(), Lie::registers) != lies.end();
    say(*master, lies_here ? list() : session::Register{facts(), {}});
    master->registered = true;
  }

  void lie(VirtualWorld::Node& node, Lie kind) {
    switch (kind) {
    case Lie::reports: return say(*master, report());
    case Lie::registers: // once more: it is at the beginning only that one may
      if (dice(8)) return;
      say(*master, list());
      return is_fatal(*master);
    case Lie::loads: {
      HostLoad load{10, 10, 10, 100, 1 << 30, 0, 0};
      Spoiler(chance).spoil(load);
      return say(*master, load);
    }
    case Lie::parts: return say(*master, PartSilent{plans.some_attempt(), other_host()});
    case Lie::relays: return relay();
    case Lie::forbidden: return say_forbidden();
    case Lie::packets: return send_packets();
    case Lie::names: return take_a_name(node);
    case Lie::orders: return order_others(node);
    case Lie::answers: return answer_guests();
    case Lie::silence: master->talk->mute = dice(4) == 0; return;
    case Lie::flood:
      if (dice(20)) return;
      for (int i = 0; i < 100; ++i) say(*master, report());
      return;
    }
  }

  std::string other_host() {
    const auto hosts = plans.targets().hosts;
    return hosts[dice(hosts.size())];
  }

  void relay() {
    constexpr std::array<std::int64_t, 5> uids{0, 1000, 4711, -1, 1LL << 40};
    Caller caller{dice(2) ? "root" : "mallory", "root",      uids[dice(uids.size())],
                  uids[dice(uids.size())],      "simulator", "the master's own door"};
    if (dice(8) == 0) Spoiler(chance).spoil(caller);
    // It may act as any plain user: as those whose things are watched it does not.
    if (caller.user == "alice") return;
    auto frame = encode(hostile_request(chance, plans.targets()));
    if (dice(8) == 0) frame = mangled(frame, chance);
    session::Relay relay{static_cast<std::int64_t>(dice(20)), caller, {frame}};
    if (dice(16) == 0) relay.connection = hostile_number(chance);
    say(*master, relay);
  }

  void say_forbidden() {
    if (dice(8)) return;
    if (dice(4) == 0) {
      say_bytes(*master, mangled(encode(session::Envelope{report()}), chance));
      // What can be read by chance is a report of something.
      return check_fatal();
    }
    auto message = message_of_kind(dice(std::variant_size_v<session::Message>));
    Spoiler(chance).spoil(message);
    say(*master, message);
    check_fatal();
  }

  void check_fatal() {
    const auto read = decode<session::Envelope>(master->talk->contents.back());
    if (!read || !after(Listener::master, Stage::open, read->body) || !valid_message(read->body))
      is_fatal(*master);
  }

  void send_packets() {
    const auto number = static_cast<std::uint64_t>(dice(2) ? dice(600) : hostile_number(chance));
    const auto acknowledged = static_cast<std::uint64_t>(dice(600));
    master->talk->packets.push_back({number, acknowledged, hostile_text(chance)});
    caf::anon_send(master->session, Say{session::Proof{}});
    // Nothing that comes later can be told from it.
    master->talk->over = dice(4) == 0;
  }

  void take_a_name(VirtualWorld::Node& node) {
    if (dice(8) || others.size() > 4) return;
    auto identity = world.identity(host);
    const auto victim = other_host();
    switch (dice(4)) {
    case 0: identity.name = victim; break;
    case 1: // a ticket that others have seen, without its key
      identity.name = victim;
      identity.ticket = world.identity(victim).ticket;
      identity.ticket_signature = world.identity(victim).ticket_signature;
      break;
    case 2: identity.name = victim, identity.role = session::Role::master; break;
    default: break; // a second one of its own
    }
    others.push_back(call(node, dice(2) ? std::string() : victim, std::move(identity)));
  }

  // Orders to other agents; with its own seal, as a first host's would have.
  void order_others(VirtualWorld::Node& node) {
    for (const auto& line : others)
      if (line->talk->open && !line->host.empty() && dice(2)) return order(*line);
    const auto victim = other_host();
    if (victim != host && others.size() < 4)
      others.push_back(call(node, victim, world.identity(host)));
  }

  void order(Line& line) {
    if (line.talk->identity.name != host) return;
    if (dice(4) == 0 && !orders.empty()) {
      say(line, orders[dice(orders.size())]);
      return is_fatal(line);
    }
    if (dice(4) == 0) return say(line, session::PeerInput{hostile_number(chance), {"x"}, true, 7});
    session::PeerStart start;
    start.call = static_cast<std::int64_t>(dice(9));
    start.attempt = plans.some_attempt();
    start.command = {"id"}, start.directory = "/";
    if (dice(2) && !launches.empty()) {
      const auto& launch = launches[dice(launches.size())];
      start.credential = launch.credential, start.signature = launch.signature;
    }
    if (dice(4) == 0) Spoiler(chance).spoil(start);
    session::Message message = start;
    if (dice(2)) message = session::PeerClear{start.attempt, start.credential, start.signature};
    OrderScope scope{line.talk->session_id, line.host, line.welcome.store_id, line.welcome.term};
    const bool is_bad = dice(4) == 0;
    if (is_bad) Spoiler(chance).spoil(scope.host), scope.session += "x";
    OrderSeal seal(world.identity(host).key, scope);
    // The seal counts from one: only the first order of a session has a new number.
    say(line, seal.sign(message));
    if (is_bad || std::exchange(line.has_ordered, true)) is_fatal(line);
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
  std::unique_ptr<Line> master;
  std::vector<std::unique_ptr<Line>> others;
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
