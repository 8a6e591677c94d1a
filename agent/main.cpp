// almanac-agent-session: the half of an agent that talks: network, doors, actors, sensors.
//
// almanac-agent, the helper, starts it: as another user where the settings name one. It has no way
// to more rights but the helper's five verbs (helper/helper.hpp).
#include "actors/process/certificate_ends.hpp"
#include "actors/process/daemon.hpp"
#include "actors/process/daemon_config.hpp"
#include "actors/process/frame_link.hpp"
#include "actors/process/unix_door.hpp"
#include "actors/process/wall_clock.hpp"
#include "agent/assembly.hpp"
#include "agent/copies_folder.hpp"
#include "agent/helper_client.hpp"
#include "agent/no_programs.hpp"
#include "agent/process_launcher.hpp"
#include "agent/sensors.hpp"
#include "agent/helper/settings.hpp"
#include "core/text/words.hpp"

#include <caf/actor_system.hpp>
#include <spdlog/spdlog.h>

#include <cstdlib>
#include <sys/resource.h>
#include <unistd.h>

namespace almanac {

namespace {

// Where the helper puts what it hands over; a lock lies between the two.
constexpr int helper_socket = 3, ready_pipe = 5;

int fail(const std::string& why) {
  fprintf(stderr, "almanac-agent-session: %s\n", why.c_str());
  return 1;
}

Result<Identity> read_identity(const std::string& directory, const AgentSettings& settings,
                               const std::string& master_key) {
  std::string content[3];
  const char* const files[]{"sign.key", "ticket", "ticket.sig"};
  for (std::size_t i = 0; i < 3; ++i) {
    auto file = read_file(directory + "/" + files[i]);
    if (!file) return file.error();
    content[i] = *file;
  }
  auto key = SigningKey::parse(trim(content[0]));
  if (!key) return Error{directory + "/sign.key: " + key.what()};
  auto master = from_hex(master_key);
  if (!master) return Error{"the master's key: " + master.what()};
  return Identity{settings.cell, settings.host, session::Role::agent, *key, content[1],
                  content[2],    *master};
}

// As many as it may: each task keeps two of them.
void raise_limit_of_files() {
  rlimit files{};
  if (::getrlimit(RLIMIT_NOFILE, &files) != 0) return;
  files.rlim_cur = files.rlim_max;
  ::setrlimit(RLIMIT_NOFILE, &files);
}

int serve() {
  const auto greeting = hear_greeting(helper_socket);
  if (!greeting) return fail(greeting.what());
  const auto& directory = greeting->directory;
  auto settings = read_agent_settings(directory + "/settings.toml");
  if (!settings) return fail(settings.what());
  auto identity = read_identity(directory, *settings, greeting->master_key);
  if (!identity) return fail(identity.what());
  auto spool = Spool::open(greeting->spool, greeting->spool_id);
  if (!spool) return fail(spool.what());
  ::unsetenv("NOTIFY_SOCKET"); // the helper tells systemd
  raise_limit_of_files();
  start_logging(directory, "agent");
  spdlog::info("starting version={} host={} master={}", ALMANAC_VERSION, settings->host,
               settings->master);
  // A kernel without it is no reason to run nothing.
  if (auto forbidden = forbid_programs(); !forbidden) spdlog::warn("{}", forbidden.what());
  if (::geteuid() == 0)
    spdlog::warn("the agent's network half runs as root: name a user in {}/settings.toml",
                 directory);

  const WallClock clock;
  ProcessLauncher launcher({settings->host, greeting->nonce.content, ""}, std::move(*spool),
                           HelperClient(helper_socket));
  CopiesFolder copies(directory + "/common_files");
  DaemonConfig config;
  static caf::actor_system system(config);
  const TlsFiles tls{directory + "/tls.pem", directory + "/tls.key", directory + "/ca.pem"};
  const auto link = FrameLink::open(system, tls);
  if (!link) return fail(link.what());
  auto agent = assemble_agent(system, {&clock, &launcher, link->get(), random_bytes, &*identity,
                                       settings->master, set_log_level, &copies});
  const LinkAcceptor acceptor{accepting_sessions(system, agent.sessions), nullptr};
  const auto port_file = directory + "/run/port";
  auto port =
      (*link)->listen(acceptor, port_to_ask_for(settings->port, port_file), settings->address);
  // One that somebody else has taken meanwhile is given up: the master tells others the new one.
  if (!port && settings->port == 0) port = (*link)->listen(acceptor, 0, settings->address);
  if (!port) return fail(port.what());
  if (auto kept = keep_port(*port, port_file); !kept) return fail(kept.what());
  launcher.set_address(settings->address + ":" + std::to_string(*port));
  if (auto opened = open_unix_door(system, directory + "/run/door",
                                   caf::actor_cast<FrameTaker>(agent.agent), settings->host);
      !opened)
    return fail(opened.what());
  start_agent(agent);
  tell_ready(directory);
  if (::write(ready_pipe, "r", 1) != 1) spdlog::warn("the helper does not hear");
  wait_for_signal([&] { warn_of_ends(tls, clock.now()); });
  leave(directory);
}

} // namespace

} // namespace almanac

int main() {
  almanac::block_signals();
  return almanac::serve();
}
