#include "tools/simulator/virtual_world.hpp"

#include "actors/session/session.hpp"
#include "actors/support.hpp"
#include "actors/trust/keyring.hpp"
#include "agent/assembly.hpp"
#include "core/planning/planner.hpp"
#include "core/text/words.hpp"
#include "master/assembly.hpp"
#include "schema/codec.hpp"
#include "tools/client/context.hpp"

#include <caf/actor_system_config.hpp>
#include <caf/monitorable_actor.hpp>
#include <caf/scheduler/test_coordinator.hpp>

#include <spdlog/sinks/base_sink.h>
#include <spdlog/sinks/stdout_sinks.h>

#include <filesystem>
#include <set>
#include <sstream>
#include <unistd.h>

namespace almanac {

namespace {

class TestingConfig : public caf::actor_system_config {
public:
  TestingConfig() { set("scheduler.policy", caf::atom("testing")); }
};

} // namespace

struct VirtualWorld::ErrorWatch : spdlog::sinks::base_sink<spdlog::details::null_mutex> {
  std::string first;

private:
  void sink_it_(const spdlog::details::log_msg& message) override {
    if (message.level >= spdlog::level::err && first.empty())
      first.assign(message.payload.data(), message.payload.size());
  }
  void flush_() override {}
};

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

ReceptionActor make_wire(caf::actor_system& system, Wire::Send send) {
  caf::actor_config config;
  return caf::make_actor<Wire, ReceptionActor>(system.next_actor_id(), system.node(), &system,
                                               config, std::move(send));
}

struct KeeperState {
  static inline const char* name = "keeper";
};
using Frames = std::vector<std::string>;
DoorKeeperActor::behavior_type keeper(DoorKeeperActor::stateful_pointer<KeeperState>,
                                      std::shared_ptr<Frames> frames) {
  return {[frames](const DoorReply& reply) {
    for_each_frame(reply, [&](const std::string& content) { frames->push_back(content); });
  }};
}

} // namespace

struct VirtualWorld::Node : Link {
  Node(VirtualWorld& owner, std::string node_name)
      : world(owner),
        name(std::move(node_name)),
        system(config),
        scheduler(dynamic_cast<caf::scheduler::test_coordinator&>(system.scheduler())) {
    set_time();
  }
  void set_time() {
    auto& clock = scheduler.clock();
    clock.current_time = std::max(
        clock.current_time,
        caf::actor_clock::time_point(std::chrono::milliseconds(world.clock_.milliseconds)));
  }
  std::int64_t next_timeout() {
    const auto& schedule = scheduler.clock().schedule();
    if (schedule.empty()) return Agenda::never;
    return std::chrono::duration_cast<std::chrono::milliseconds>(
               schedule.begin()->first.time_since_epoch())
        .count();
  }
  void connect(const std::string& address, const SessionActor& session) override;

  VirtualWorld& world;
  std::string name;
  std::size_t seat = 0;
  bool stopped = false;
  std::int64_t message_takes = 0, busy_until = 0; ///< milliseconds
  TestingConfig config;
  caf::actor_system system;
  caf::scheduler::test_coordinator& scheduler;
  ReceptionActor reception;
  std::optional<Master> master;
  std::optional<Agent> agent;
};

// Packets on their way, by the time at which they arrive.
struct VirtualWorld::Network {
  struct End {
    Node* node = nullptr;
    ReceptionActor wire;
    caf::strong_actor_ptr target; ///< who hears here
  };
  struct Connection {
    End ends[2];
    bool broken = false;
  };
  struct Flight {
    std::size_t connection = 0;
    int to = 0;
    Packet packet;
  };
  std::vector<std::unique_ptr<Connection>> connections;
  std::multimap<std::int64_t, Flight> flights;
};

void VirtualWorld::Node::connect(const std::string& address, const SessionActor& session) {
  const auto far_name = address == "master" ? std::string() : address;
  const auto it = world.nodes_.find(far_name);
  if (it == world.nodes_.end() || world.cuts_.contains({name, far_name}) ||
      world.cuts_.contains({far_name, name})) {
    caf::anon_send(session, LinkDown{address + " does not answer"});
    return;
  }
  auto& network = *world.network_;
  const auto index = network.connections.size();
  auto& connection = *network.connections.emplace_back(std::make_unique<Network::Connection>());
  const auto sender_to = [this, index, &network, far_name](int to) {
    auto* owner = &world;
    const auto way = to == 1 ? std::pair(name, far_name) : std::pair(far_name, name);
    return [owner, index, to, way, &network](const caf::strong_actor_ptr& sender,
                                             const Packet& packet) {
      auto& link = *network.connections[index];
      if (link.broken) return;
      // Answers go to whoever spoke from that side last: the session behind the reception.
      link.ends[1 - to].target = sender;
      if (owner->cuts_.contains(way)) return;
      const auto fly = [&] {
        auto takes = 1 + static_cast<std::int64_t>(owner->chance_() % owner->faults_.jitter_ms);
        if (owner->faults_.late_per_mille > 0 &&
            owner->chance_() % 1000 < owner->faults_.late_per_mille)
          takes += static_cast<std::int64_t>(owner->chance_() % 3000);
        network.flights.emplace(owner->clock_.milliseconds + takes,
                                Network::Flight{index, to, packet});
      };
      if (owner->chance_() % 1000 >= owner->faults_.lost_per_mille) fly();
      if (owner->chance_() % 1000 < owner->faults_.doubled_per_mille) fly();
    };
  };
  auto& far = *it->second;
  world.agenda_.touch(far.seat);
  connection.ends[0] = {this, make_wire(system, sender_to(1)),
                        caf::actor_cast<caf::strong_actor_ptr>(session)};
  connection.ends[1] = {&far, make_wire(far.system, sender_to(0)),
                        caf::actor_cast<caf::strong_actor_ptr>(far.reception)};
  caf::anon_send(session, LinkUp{caf::actor_cast<caf::strong_actor_ptr>(connection.ends[0].wire)});
}

// A command's door: its frames go through codec and gate, and time passes until the answer is
// there.
class VirtualWorld::Entrance : public Door {
public:
  Entrance(VirtualWorld& world, Caller caller) : world_(world), caller_(std::move(caller)) {}

  Outcome call(door::RequestBody body, const OnFrame& on_frame) override {
    door::Request request;
    request.id = "request-" + std::to_string(++world_.requests_);
    request.body = std::move(body);
    const auto frame = encode(request);
    if (frame.size() > door::largest_request) return Error{"the request is too large"};
    const auto until = world_.clock_.milliseconds + world_.patience_ms_;
    while (world_.clock_.milliseconds < until) {
      if (try_once(frame, until, on_frame)) return Done{};
      world_.wait_ms(200);
    }
    return Error{"the master does not answer"};
  }

private:
  bool try_once(const std::string& frame, std::int64_t until, const OnFrame& on_frame) {
    const auto it = world_.nodes_.find("");
    if (it == world_.nodes_.end()) return false;
    auto* node = it->second.get();
    auto frames = std::make_shared<Frames>();
    const auto hand = node->system.spawn(keeper, frames);
    caf::send_as(hand, node->master->gate, DoorFrame{world_.requests_, caller_, frame});
    world_.agenda_.touch(node->seat);
    while (frames->empty() || !decode<door::Reply>(frames->back())->done) {
      if (!world_.nodes_.contains("") || world_.nodes_[""].get() != node) return false;
      if (!world_.step(until)) return false;
    }
    for (const auto& reply : *frames) {
      auto decoded = decode<door::Reply>(reply);
      check(decoded.ok(), "the gate's answers can be read");
      if (std::holds_alternative<door::Busy>(decoded->body)) return false;
      on_frame(decoded->body);
    }
    return true;
  }

  VirtualWorld& world_;
  Caller caller_;
};

VirtualWorld::VirtualWorld(std::uint64_t seed, Faults faults)
    : chance_(seed), faults_(faults), network_(std::make_unique<Network>()) {
  char folder[] = "/tmp/almanac-sim-XXXXXX";
  check(::mkdtemp(folder) != nullptr, "a temporary folder can be made");
  directory_ = folder;
  ::setenv("TZ", "UTC", 1);
  watch_errors();
  remember_signatures();
  const auto key = SigningKey::generate();
  master_ = {"simulated", "master", session::Role::master, key, {}, {}, key.public_key()};
  const auto records = Planner::initial_records("root");
  auto writes = store::writes_of(records);
  for (auto& write : store::checkpoint_writes(records, 0)) writes.push_back(std::move(write));
  journal_.commit(writes, 0);
}

VirtualWorld::~VirtualWorld() {
  std::error_code error;
  std::filesystem::remove_all(directory_, error);
  // Systems with periodic timers never come to rest: they end with the process.
  for (auto& [name, node] : nodes_) static_cast<void>(node.release());
  for (auto& node : dead_) static_cast<void>(node.release());
}

void VirtualWorld::start_master() {
  auto node = std::make_unique<Node>(*this, "");
  ++journal_.term;
  const auto random = [this](std::size_t count) {
    std::string bytes(count, '\0');
    for (auto& byte : bytes) byte = static_cast<char>(chance_());
    return bytes;
  };
  auto master = assemble_master(node->system, {&clock_,
                                               &journal_,
                                               Thread::shared,
                                               {},
                                               nullptr,
                                               &notebook_,
                                               false,
                                               {},
                                               random,
                                               &master_,
                                               "simulated-store",
                                               journal_.term});
  check(master.ok(), "the stored records can be read");
  node->master = *master;
  node->reception = master->reception;
  take_seat(std::move(node));
}

void VirtualWorld::start_agent(const std::string& host) {
  auto node = std::make_unique<Node>(*this, host);
  const auto random = [this](std::size_t count) {
    std::string bytes(count, '\0');
    for (auto& byte : bytes) byte = static_cast<char>(chance_());
    return bytes;
  };
  auto agent = assemble_agent(node->system, {&clock_, launchers_[host].get(), node.get(), random,
                                             &identities_[host], "master"});
  node->agent = agent;
  node->reception = agent.reception;
  almanac::start_agent(agent);
  take_seat(std::move(node));
}

std::size_t VirtualWorld::seat_of(const std::string& name) {
  const auto [it, is_new] = seat_numbers_.try_emplace(name, seats_.size());
  if (is_new) {
    seats_.emplace_back();
    check(agenda_.add() == it->second, "seats are numbered alike");
  }
  return it->second;
}

void VirtualWorld::take_seat(std::unique_ptr<Node> node) {
  node->seat = seat_of(node->name);
  seats_[node->seat].node = node.get();
  agenda_.touch(node->seat);
  const auto name = node->name;
  nodes_[name] = std::move(node);
}

void VirtualWorld::drop(const std::string& host) {
  auto it = nodes_.find(host);
  for (auto& connection : network_->connections) {
    for (int side = 0; side < 2; ++side) {
      if (connection->broken || connection->ends[side].node != it->second.get()) continue;
      connection->broken = true;
      caf::anon_send_exit(connection->ends[1 - side].wire,
                          caf::exit_reason::remote_link_unreachable);
    }
  }
  if (const auto launcher = launchers_.find(host); launcher != launchers_.end())
    launcher->second->lose_agent();
  seats_[it->second->seat].node = nullptr;
  dead_.push_back(std::move(it->second));
  nodes_.erase(it);
  agenda_.touch_all();
}

Outcome VirtualWorld::begin(const std::vector<std::string>& hosts, std::int64_t slots) {
  hosts_ = hosts;
  start_master();
  for (const auto& host : hosts) {
    const auto key = SigningKey::generate();
    const auto ticket = sign_ticket(master_.key, "simulated", host, key.public_key());
    identities_[host] = {
        "simulated",       host, session::Role::agent, key, ticket.ticket, ticket.signature,
        master_.master_key};
    launchers_[host] = std::make_unique<VirtualLauncher>(clock_, host);
    const auto seat = seat_of(host);
    seats_[seat].launcher = launchers_[host].get();
    Entrance door(*this, {"root", "root", 0, 0, "simulator"});
    std::string trouble;
    auto added = door.call(door::RunCommand{AddHost{host, slots}}, [&](door::ReplyBody& body) {
      const auto* answer = std::get_if<Answer>(&body);
      if (answer && answer->exit_code != 0) trouble = answer->lines.front().text;
    });
    if (!added) return added;
    if (!trouble.empty()) return Error{trouble};
    start_agent(host);
  }
  wait(Duration{2});
  return Done{};
}

World::Output VirtualWorld::run(const std::string& given_user,
                                const std::vector<std::string>& words) {
  const auto user = given_user.empty() ? std::string("root") : given_user;
  const auto command = find_command(words.front());
  if (!command) return {127, words.front() + ": not a command of the simulator\n"};
  std::int64_t uid = 0;
  if (user != "root")
    for (const char c : user) uid = uid * 31 % 60000 + 1000 + c;
  Entrance door(*this, {user, user == "root" ? "root" : "users", uid, uid, "simulator"});
  std::istringstream in;
  std::ostringstream out;
  Context context{words.front(),
                  {words.begin() + 1, words.end()},
                  in,
                  out,
                  out,
                  door,
                  user,
                  directory_,
                  {{"HOME", "/home/" + user}, {"PATH", "/usr/bin:/bin"}, {"LOGNAME", user}},
                  [this] { return clock_.now(); },
                  [](const std::string&) { return true; },
                  [](const std::string&) { return 1; }};
  Output output;
  output.code = command(context);
  output.text = out.str();
  return output;
}

Outcome VirtualWorld::stage(const std::string& verb, const std::string& host) {
  agenda_.touch_all();
  const auto it = nodes_.find(host);
  if (verb == "start") {
    if (it != nodes_.end()) return Error{"it runs already"};
    host.empty() ? start_master() : start_agent(host);
    return Done{};
  }
  if (it == nodes_.end()) return Error{"there is no such daemon to " + verb};
  if (verb == "kill") drop(host);
  else if (verb == "crash") { // the machine, not the daemon alone
    drop(host);
    launchers_.at(host)->reboot();
  } else if (verb == "stop") it->second->stopped = true;
  else if (verb == "continue") it->second->stopped = false;
  else return Error{"\"" + verb + "\" is no stage direction"};
  return Done{};
}

bool VirtualWorld::slow_down(const std::string& host, std::int64_t milliseconds) {
  const auto it = nodes_.find(host);
  if (it != nodes_.end()) it->second->message_takes = milliseconds;
  return it != nodes_.end();
}

Agenda::Outlook VirtualWorld::look_at(std::size_t seat) const {
  Agenda::Outlook outlook;
  const auto [node, launcher] = seats_[seat];
  if (node && !node->stopped) {
    const bool has_work = node->scheduler.has_job(), busy = node->busy_until > clock_.milliseconds;
    outlook = {has_work && !busy, node->next_timeout()};
    if (has_work && busy) outlook.next = std::min(outlook.next, node->busy_until);
  }
  if (launcher) outlook.next = std::min(outlook.next, launcher->next_end());
  return outlook;
}

std::int64_t VirtualWorld::next_event() const {
  const auto flight = network_->flights.empty() ? Agenda::never : network_->flights.begin()->first;
  return std::min(flight, agenda_.next());
}

// Runs one message, or lets time jump to what comes next; false when that lies behind `until_ms`.
bool VirtualWorld::step(std::int64_t until_ms) {
  if (before_step) before_step();
  agenda_.refresh([this](std::size_t seat) { return look_at(seat); });
  if (const auto& ready = agenda_.ready(); !ready.empty()) {
    const auto choices = ready.size();
    const auto seat = ready[chance_() % choices];
    auto* node = seats_[seat].node;
    agenda_.touch(seat);
    node->set_time();
    auto& jobs = node->scheduler;
    const auto pick = chance_() % jobs.jobs.size();
    std::swap(jobs.jobs[0], jobs.jobs[pick]);
    trace_ = (trace_ ^ (pick + choices)) * 1099511628211ULL;
    jobs.try_run_once();
    node->busy_until = clock_.milliseconds + node->message_takes;
    return true;
  }
  const auto next = next_event();
  if (next > until_ms) {
    clock_.milliseconds = std::max(clock_.milliseconds, until_ms);
    return false;
  }
  clock_.milliseconds = std::max(clock_.milliseconds, next);
  trace_ = (trace_ ^ static_cast<std::uint64_t>(clock_.milliseconds)) * 1099511628211ULL;
  let_time_come();
  return true;
}

// Timers fire, processes end, packets arrive.
void VirtualWorld::let_time_come() {
  const auto due = agenda_.due(clock_.milliseconds);
  for (const auto seat : due) {
    auto* node = seats_[seat].node;
    if (!node || node->stopped) continue;
    node->set_time();
    while (node->next_timeout() <= clock_.milliseconds) node->scheduler.trigger_timeout();
  }
  for (const auto seat : due)
    if (auto* launcher = seats_[seat].launcher) launcher->advance();
  while (!network_->flights.empty() && network_->flights.begin()->first <= clock_.milliseconds) {
    const auto flight = std::move(network_->flights.begin()->second);
    network_->flights.erase(network_->flights.begin());
    auto& connection = *network_->connections[flight.connection];
    const auto& end = connection.ends[flight.to];
    if (connection.broken) continue;
    agenda_.touch(end.node->seat);
    caf::send_as(end.wire, caf::actor_cast<ReceptionActor>(end.target), flight.packet);
  }
}

void VirtualWorld::wait(Duration duration) { wait_ms(duration.seconds * 1000); }

void VirtualWorld::wait_ms(std::int64_t milliseconds) {
  const auto until = clock_.milliseconds + milliseconds;
  while (step(until)) {
  }
}

std::string VirtualWorld::told_of(const std::string& host) const {
  return launchers_.at(host)->print();
}

// What no fault may break: nothing starts twice on a host, and the records replay.
Outcome VirtualWorld::check_invariants() const {
  for (const auto& [host, launcher] : launchers_)
    for (const auto& [attempt, count] : launcher->starts())
      if (count > 1)
        return Error{"attempt " + std::to_string(attempt.attempt) + " of job key " +
                     std::to_string(attempt.job) + " was started " + std::to_string(count) +
                     " times on " + host};
  auto digest = replay(journal_);
  if (!digest) return Error{"the journal does not replay: " + digest.what()};
  return Done{};
}

// In a simulation errors alone are news, and none is ever right.
void VirtualWorld::watch_errors() {
  errors_ = std::make_shared<ErrorWatch>();
  auto logger = std::make_shared<spdlog::logger>(
      "simulation",
      spdlog::sinks_init_list{std::make_shared<spdlog::sinks::stderr_sink_mt>(), errors_});
  logger->set_level(spdlog::level::err);
  spdlog::set_default_logger(std::move(logger));
}

const std::string& VirtualWorld::first_error() const { return errors_->first; }

Outcome VirtualWorld::finish() {
  if (!errors_->first.empty()) return Error{"an error was logged: " + errors_->first};
  if (hosts_.empty()) return Done{};
  if (nodes_.contains("")) {
    run("", {"qdel", "-u", "*"});
    for (int i = 0; i < 120 && !run("", {"qstat", "-u", "*"}).text.empty(); ++i) wait(Duration{1});
    run("", {"qrdel", "-u", "*"});
  }
  return check_invariants();
}

} // namespace almanac
