#include "tools/simulator/world/virtual_world.hpp"

#include "actors/master/checkpoints.hpp"
#include "actors/support.hpp"
#include "actors/trust/claim_proof.hpp"
#include "actors/trust/keyring.hpp"
#include "master/replay.hpp"
#include "core/answer/gridengine.hpp"
#include "core/planning/planner.hpp"
#include "core/text/words.hpp"
#include "master/replay.hpp"
#include "schema/store/checkpoint.hpp"
#include "tools/commands/context.hpp"
#include "tools/simulator/world/reception.hpp"
#include "tools/simulator/world/virtual_door.hpp"
#include "tools/simulator/world/virtual_node.hpp"

#include <spdlog/sinks/base_sink.h>

#include <filesystem>
#include <iostream>
#include <set>
#include <sstream>
#include <unistd.h>

namespace almanac {

namespace {
std::string simulated_group(const std::string& user) { return user == "root" ? "root" : "users"; }
} // namespace

struct VirtualWorld::ErrorWatch : spdlog::sinks::base_sink<spdlog::details::null_mutex> {
  std::string first;
  std::set<std::string> expected; ///< words of errors that are no news

private:
  void sink_it_(const spdlog::details::log_msg& message) override {
    if (message.level < spdlog::level::err) return;
    const std::string text(message.payload.data(), message.payload.size());
    for (const auto& word : words(text, " =:"))
      if (expected.contains(word)) return;
    std::cerr << text << std::endl;
    if (first.empty()) first = text;
  }
  void flush_() override {}
};

Caller caller_of(const std::string& user) {
  std::int64_t uid = 0;
  if (user != "root")
    for (const char c : user) uid = uid * 31 % 60000 + 1000 + c;
  return {user, simulated_group(user), uid, uid, "simulator"};
}

void VirtualWorld::Node::connect(const std::string& address, session::Role,
                                 const SessionActor& session) {
  const auto far = world.nodes_.find(address == "master" ? std::string() : address);
  if (far == world.nodes_.end() || !far->second->reception ||
      world.network_.is_cut(name, far->first)) {
    caf::anon_send(session, LinkDown{address + " does not answer"});
    return;
  }
  world.agenda_.touch(far->second->seat);
  world.network_.connect(party(), session, far->second->party(), far->second->reception);
}

VirtualWorld::VirtualWorld(std::uint64_t seed, Faults faults)
    : chance_(seed), network_(clock_, chance_, faults) {
  char folder[] = "/tmp/almanac-sim-XXXXXX";
  check(::mkdtemp(folder) != nullptr, "a temporary folder can be made");
  directory_ = folder;
  ::setenv("TZ", "UTC", 1);
  watch_errors();
  const auto key = SigningKey::generate();
  master_ = {"simulated", "master", session::Role::master, key, {}, {}, key.public_key()};
  // The same in each run: sealed secrets are part of what is decided.
  site_keys_ = {{{Instant{}, *SigningKey::parse(std::string(64, '5'))}}, std::string(32, 's')};
  const auto records = Planner::initial_records("root", "simulator");
  auto writes = store::writes_of(records);
  for (auto& write : store::checkpoint_writes(records, {}, clock_.now()))
    writes.push_back(std::move(write));
  journal_.commit(writes, Term{});
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
  ++journal_.term.value;
  auto master = assemble_master(
      node->system,
      {&clock_,
       &journal_,
       Thread::shared,
       {},
       nullptr,
       &hooks_,
       &notebook_,
       false,
       {},
       random(),
       &master_,
       "simulated-store",
       journal_.term,
       "simulator",
       nullptr,
       nullptr,
       checks_,
       nullptr,
       [](const std::string& user) { return std::optional<std::int64_t>(caller_of(user).uid); },
       &jsvs_,
       {},
       &site_keys_});
  check(master.ok(), "the stored records can be read");
  node->master = *master;
  node->reception = spawn_reception(node->system, master->sessions);
  take_seat(std::move(node));
}

void VirtualWorld::start_agent(const std::string& host) {
  auto node = std::make_unique<Node>(*this, host);
  auto agent = assemble_agent(node->system, {&clock_, launchers_[host].get(), node.get(), random(),
                                             &identities_[host], "master"});
  node->agent = agent;
  node->reception = spawn_reception(node->system, agent.sessions);
  almanac::start_agent(agent);
  take_seat(std::move(node));
}

Handshake::Random VirtualWorld::random() {
  return [this](std::size_t count) {
    std::string bytes(count, '\0');
    for (auto& byte : bytes) byte = static_cast<char>(chance_());
    return bytes;
  };
}

VirtualWorld::Node& VirtualWorld::take_over(const std::string& host) {
  if (nodes_.contains(host)) drop(host);
  take_seat(std::make_unique<Node>(*this, host));
  expect_errors_of(host);
  return *nodes_[host];
}

VirtualWorld::Node* VirtualWorld::node(const std::string& host) {
  const auto it = nodes_.find(host);
  if (it == nodes_.end()) return nullptr;
  agenda_.touch(it->second->seat);
  return it->second.get();
}

void VirtualWorld::expect_errors_of(const std::string& host) { errors_->expected.insert(host); }

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
  network_.lose(it->second->system);
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
    const auto ticket = sign_ticket(master_.key, "simulated", host, key.public_key(), 1);
    identities_[host] = {
        "simulated",       host, session::Role::agent, key, ticket.ticket, ticket.signature,
        master_.master_key};
    launchers_[host] = std::make_unique<VirtualLauncher>(clock_, host);
    const auto seat = seat_of(host);
    seats_[seat].launcher = launchers_[host].get();
    Entrance door(*this, caller_of("root"));
    std::string trouble;
    auto added = door.call(door::RunCommand{AddHost{host, slots}}, [&](door::ReplyBody& body) {
      const auto* answer = std::get_if<Answer>(&body);
      if (answer && answer->exit_code != 0) trouble = gridengine::first_line_of(*answer);
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
  return run(user, words, command);
}

World::Output VirtualWorld::perform(const std::string& user, CommandBody body) {
  return run(user.empty() ? "root" : user, {"almanac-sim"},
             [&](Context& context) { return run_command(context, std::move(body)); });
}

World::Output VirtualWorld::run(const std::string& user, const std::vector<std::string>& words,
                                const std::function<int(Context&)>& command) {
  Entrance door(*this, caller_of(user));
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
                  [](const std::string& asked) { return simulated_group(asked); },
                  [](const std::string&) { return 1; }};
  context.prove = prove;
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

// Nobody looks for files here: the calendar hears at once of what is written.
Outcome VirtualWorld::put_site_file(const std::string& name, const std::string& text) {
  auto* master = node("");
  if (!master) return Error{"the master is down: nobody reads " + name};
  caf::anon_send(master->master->calendar, Tell{SiteFileRead{name, text}});
  agenda_.touch(master->seat);
  wait(Duration{1});
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
  return std::min(network_.next_arrival(), agenda_.next());
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
    trace_ = digest_with(trace_, pick + choices);
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
  trace_ = digest_with(trace_, static_cast<std::uint64_t>(clock_.milliseconds));
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
  network_.deliver([this](std::size_t seat) { agenda_.touch(seat); });
}

void VirtualWorld::wait(Duration duration) { wait_ms(duration.seconds * 1000); }

void VirtualWorld::wait_ms(std::int64_t milliseconds) {
  wait_until(clock_.milliseconds + milliseconds);
}

void VirtualWorld::wait_until(std::int64_t milliseconds) {
  if (milliseconds < clock_.milliseconds) return;
  while (step(milliseconds)) {
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
                     to_string(attempt.job) + " was started " + std::to_string(count) +
                     " times on " + host};
  return check_replays();
}

Outcome VirtualWorld::check_replays() const {
  for (const auto& checkpoint : checkpoints_in(journal_))
    if (const auto again = replay(journal_, checkpoint.made); !again)
      return Error{"the journal does not replay from input " + to_string(checkpoint.sequence) +
                   " on: " + again.what()};
  return Done{};
}

void VirtualWorld::want_checkpoint() {
  if (auto* master = node("")) caf::anon_send(master->master->calendar, WantCheckpoint{});
}

// In a simulation errors alone are news, and none is ever right.
void VirtualWorld::watch_errors() {
  errors_ = std::make_shared<ErrorWatch>();
  auto logger = std::make_shared<spdlog::logger>("simulation", errors_);
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
