// What the link between daemons costs: two processes, a master's and an agents' side, real TLS.
//
//     bench_link messages RATE SECONDS     both sides say RATE messages a second in one session
//     bench_link sessions COUNT            memory of COUNT sessions, both sides; how soon all are
//                                          back after the master's side was killed
#include "actors/directory.hpp"
#include "actors/process/daemon_config.hpp"
#include "actors/process/frame_link.hpp"
#include "actors/process/wall_clock.hpp"
#include "actors/session/session.hpp"
#include "core/text/words.hpp"
#include "master/cell.hpp"

#include <caf/actor_system.hpp>
#include <caf/all.hpp>

#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <filesystem>
#include <fstream>
#include <map>
#include <sys/resource.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace {

using namespace almanac;
using std::chrono::milliseconds;
using Monotonic = std::chrono::steady_clock;

constexpr milliseconds tick{10};
constexpr std::size_t content_size = 200; // of a report

// Some hundred sessions each have an agent of their own: nobody has all places at a port.
constexpr std::int64_t sessions_of_an_agent = 250;

struct Load {
  std::string folder;
  bool is_master = false;
  std::int64_t rate = 0, seconds = 0, sessions = 1;
  std::uint16_t port = 0;
  std::string report; ///< where this side says what it has seen
};

[[noreturn]] void give_up(const std::string& why) {
  std::fprintf(stderr, "bench_link: %s\n", why.c_str());
  std::_Exit(1);
}

double cpu_seconds() {
  rusage used{};
  ::getrusage(RUSAGE_SELF, &used);
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec) / 1e6;
  };
  return seconds(used.ru_utime) + seconds(used.ru_stime);
}

double memory_kb() {
  std::ifstream pages("/proc/self/statm");
  double all = 0, resident = 0;
  pages >> all >> resident;
  return resident * static_cast<double>(::sysconf(_SC_PAGESIZE)) / 1024;
}

// Owner of all sessions of one side.
struct Side {
  static inline const char* name = "side";
  std::map<caf::actor_id, SessionActor> open;
  std::int64_t heard = 0, said = 0;
  std::uint64_t lost = 0, agents = 1;
  double cpu = 0;
  Monotonic::time_point since;
};
// A number: the agent that calls again.
using SideActor =
    SessionOwner::extend<caf::reacts_to<Wake>, caf::reacts_to<Beat>, caf::reacts_to<std::uint64_t>>;

void report(const Load& load, const std::string& line) {
  std::ofstream file(load.report, std::ios::app);
  file << line << std::endl;
}

SideActor::behavior_type side(SideActor::stateful_pointer<Side> self, const Load& load,
                              std::function<void(std::size_t agent)> again) {
  self->state.since = Monotonic::now();
  self->state.agents = static_cast<std::uint64_t>((load.sessions - 1) / sessions_of_an_agent + 1);
  if (load.rate > 0) self->delayed_send(self, tick, Wake{});
  self->delayed_send(self, std::chrono::seconds(1), Beat{});
  return {
      [self, load](const SessionUp& up) {
        const auto session = caf::actor_cast<SessionActor>(up.session);
        self->state.open[up.id] = session;
        if (!load.is_master) self->send(session, Say{session::Register{}});
        else self->send(session, Say{session::Registered{}});
        if (static_cast<std::int64_t>(self->state.open.size()) == load.sessions)
          report(load, "all");
      },
      [self](const SessionSaid&) { ++self->state.heard; },
      [self, again](const SessionDown& down) {
        self->state.open.erase(down.id);
        // As agents do where their master is away.
        if (again)
          self->delayed_send(self, milliseconds(500), self->state.lost++ % self->state.agents);
      },
      [again](std::uint64_t agent) { again(agent); },
      [self, load](const Wake&) {
        self->delayed_send(self, tick, Wake{});
        const auto due = load.rate * tick.count() / 1000;
        for (auto& [id, session] : self->state.open)
          for (std::int64_t i = 0; i < due; ++i, ++self->state.said)
            if (load.is_master)
              self->send(session, Say{session::RelayAnswer{1, {std::string(content_size, 'x')}}});
            else self->send(session, Say{session::Relay{1, {}, {std::string(content_size, 'x')}}});
      },
      [self, load](const Beat&) {
        self->delayed_send(self, std::chrono::seconds(1), Beat{});
        const auto now = Monotonic::now();
        const auto cpu = cpu_seconds();
        const auto span = std::chrono::duration<double>(now - self->state.since).count();
        char line[160];
        std::snprintf(line, sizeof line,
                      "%zu sessions, heard %.0f/s, said %.0f/s, cpu %.1f %%, %.0f KB",
                      self->state.open.size(), static_cast<double>(self->state.heard) / span,
                      static_cast<double>(self->state.said) / span,
                      (cpu - self->state.cpu) / span * 100, memory_kb());
        report(load, line);
        self->state.heard = self->state.said = 0;
        self->state.cpu = cpu, self->state.since = now;
      },
  };
}

std::string agent_name(std::int64_t session) {
  return "n" + std::to_string(session / sessions_of_an_agent);
}

struct AgentSide {
  Identity identity;
  std::unique_ptr<FrameLink> link;
};

AgentSide open_agent(caf::actor_system& system, const std::string& folder,
                     const std::string& name) {
  const auto read = [&](const char* file) {
    std::ifstream stream(folder + "/" + file, std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(stream), {});
  };
  const auto key = SigningKey::parse(trim(read("sign.key")));
  const auto master = from_hex(trim(read("master.pub")));
  if (!key || !master) give_up("no keys in " + folder);
  auto link =
      FrameLink::open(system, {folder + "/tls.pem", folder + "/tls.key", folder + "/ca.pem"});
  if (!link) give_up(link.what());
  return {{"bench", name, session::Role::agent, *key, read("ticket"), read("ticket.sig"), *master},
          std::move(*link)};
}

[[noreturn]] void run_master(Load load) {
  MasterSettings settings;
  settings.cell = "bench";
  static auto identity = read_master_identity(load.folder, settings);
  if (!identity) give_up(identity.what());
  static DaemonConfig config;
  static caf::actor_system system(config);
  static auto link = FrameLink::open(system, master_tls_files(load.folder));
  if (!link) give_up(link.what());
  const WallClock clock;
  SessionSetup setup;
  setup.identity = &*identity, setup.random = random_bytes;
  setup.directory = spawn_directory(system, clock);
  setup.owner = caf::actor_cast<SessionOwner>(system.spawn(side, load, nullptr));
  setup.welcome = {1, "store", {}};
  const auto opened =
      (*link)->listen({accepting_sessions(system, setup), nullptr}, load.port, "127.0.0.1");
  if (!opened) give_up(opened.what());
  report(load, "port " + std::to_string(*opened));
  for (;;) std::this_thread::sleep_for(std::chrono::seconds(1));
}

[[noreturn]] void run_agents(const Load& load) {
  static DaemonConfig config;
  static caf::actor_system system(config);
  static std::deque<AgentSide> agents; // they stay where they are
  const WallClock clock;
  const auto directory = spawn_directory(system, clock);
  const auto address = "127.0.0.1:" + std::to_string(load.port);
  static std::function<void(std::size_t)> begin;
  const auto again = [](std::size_t agent) { begin(agent); };
  const auto owner = caf::actor_cast<SessionOwner>(
      system.spawn(side, load, std::function<void(std::size_t)>(again)));
  begin = [directory, address, owner](std::size_t agent) {
    SessionSetup setup;
    setup.identity = &agents[agent].identity, setup.random = random_bytes;
    setup.directory = directory, setup.owner = owner;
    setup.expected_role = session::Role::master;
    agents[agent].link->connect(address, session::Role::master,
                                spawn_session(system, std::move(setup)));
  };
  for (std::int64_t i = 0; i < load.sessions; ++i) {
    const auto name = agent_name(i);
    if (i % sessions_of_an_agent == 0)
      agents.push_back(open_agent(system, load.folder + "/agents/" + name, name));
    begin(agents.size() - 1);
  }
  for (;;) std::this_thread::sleep_for(std::chrono::seconds(1));
}

pid_t start(const Load& load) {
  const auto child = ::fork();
  if (child != 0) return child;
  load.is_master ? run_master(load) : run_agents(load);
}

std::string lines_of(const Load& load) {
  std::ifstream file(load.report);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::string last_line(const Load& load) {
  auto text = lines_of(load);
  while (!text.empty() && text.back() == '\n') text.pop_back();
  return text.substr(text.rfind('\n') + 1);
}

void wait_for(const Load& load, const std::string& text, int count = 1) {
  for (int i = 0; i < 6000; ++i, std::this_thread::sleep_for(tick)) {
    const auto lines = lines_of(load);
    std::size_t at = 0;
    int found = 0;
    while ((at = lines.find(text, at)) != std::string::npos) ++found, at += text.size();
    if (found >= count) return;
  }
  give_up("waited in vain for \"" + text + "\" in " + load.report);
}

} // namespace

int main(int argc, char** argv) {
  if (argc < 3) give_up("messages RATE SECONDS, or sessions COUNT");
  const std::string what = argv[1];
  char folder[] = "/tmp/bench_link.XXXXXX";
  if (!::mkdtemp(folder)) give_up("no folder");
  const auto cell = std::string(folder) + "/cell";
  if (auto made = create_cell(cell, "bench", "root"); !made) give_up(made.what());
  Load master{cell, true, 0, 5, 1, 0, std::string(folder) + "/master"};
  if (what == "messages") master.rate = std::atoll(argv[2]), master.seconds = std::atoll(argv[3]);
  else master.sessions = std::atoll(argv[2]);
  for (std::int64_t i = 0; i < master.sessions; i += sessions_of_an_agent)
    if (auto made = create_agent_folder(cell, {agent_name(i), "127.0.0.1:1", ""}, {1, {}}); !made)
      give_up(made.what());
  auto master_pid = start(master);
  wait_for(master, "port ");
  const auto said = lines_of(master);
  master.port = static_cast<std::uint16_t>(std::atoi(said.c_str() + said.find("port ") + 5));
  Load agents = master;
  agents.is_master = false, agents.report = std::string(folder) + "/agents-side";
  const auto began = Monotonic::now();
  const auto agents_pid = start(agents);
  wait_for(master, "all"), wait_for(agents, "all");
  const auto took = [](Monotonic::time_point from) {
    return std::chrono::duration<double>(Monotonic::now() - from).count();
  };
  std::printf("all open after %.2f s\n", took(began));
  std::this_thread::sleep_for(std::chrono::seconds(master.seconds));
  std::printf("master: %s\nagents: %s\n", last_line(master).c_str(), last_line(agents).c_str());
  if (what == "sessions") {
    ::kill(master_pid, SIGKILL), ::waitpid(master_pid, nullptr, 0);
    const auto killed = Monotonic::now();
    std::filesystem::remove(master.report);
    master_pid = start(master);
    wait_for(master, "all");
    std::printf("all back %.2f s after kill -9\n", took(killed));
  }
  for (const auto pid : {master_pid, agents_pid}) ::kill(pid, SIGKILL), ::waitpid(pid, nullptr, 0);
  std::filesystem::remove_all(folder);
}
