// almanac-agent: runs jobs on one host.
#include "actors/process/certificate.hpp"
#include "actors/process/daemon.hpp"
#include "actors/process/daemon_config.hpp"
#include "actors/process/frame_link.hpp"
#include "actors/process/ownership.hpp"
#include "actors/process/unix_door.hpp"
#include "actors/process/wall_clock.hpp"
#include "agent/assembly.hpp"
#include "agent/process_launcher.hpp"
#include "agent/sensors.hpp"
#include "agent/settings.hpp"
#include "core/text/words.hpp"

#include <CLI/CLI.hpp>
#include <caf/actor_system.hpp>
#include <spdlog/spdlog.h>

#include <filesystem>
#include <unistd.h>

namespace almanac {

namespace {

int fail(const std::string& why) {
  fprintf(stderr, "almanac-agent: %s\n", why.c_str());
  return 1;
}

Result<Identity> read_identity(const std::string& directory, const AgentSettings& settings) {
  std::string content[4];
  const char* const files[]{"sign.key", "ticket", "ticket.sig", "master.pub"};
  for (std::size_t i = 0; i < 4; ++i) {
    auto file = read_file(directory + "/" + files[i]);
    if (!file) return file.error();
    content[i] = *file;
  }
  auto key = SigningKey::parse(trim(content[0]));
  if (!key) return Error{directory + "/sign.key: " + key.what()};
  auto master = from_hex(trim(content[3]));
  if (!master || master->size() != 32)
    return Error{directory + "/master.pub: 64 hexadecimal digits are expected"};
  return Identity{settings.cell, settings.host, session::Role::agent, *key, content[1],
                  content[2],    *master};
}

// Where an MPI looks for qrsh: $SGE_ROOT/bin/$ARC (spec/client-contract.md C13).
void link_commands(const std::string& directory, const std::string& binaries) {
  std::error_code error;
  const auto link = directory + "/bin/" + machine_facts().arch;
  std::filesystem::create_directory(directory + "/bin", error);
  if (std::filesystem::read_symlink(link, error) == binaries) return;
  std::filesystem::remove(link, error);
  std::filesystem::create_symlink(binaries, link, error);
  if (error) spdlog::warn("can't make {}: {}", link, error.message());
}

const OwnFiles own_files{
    {"", "settings.toml", "ca.pem", "tls.pem", "ticket", "ticket.sig", "master.pub", "run", "log"},
    {"sign.key", "tls.key"}};

int serve(const std::string& given) {
  std::error_code error;
  const auto directory = std::filesystem::absolute(given, error).lexically_normal().string();
  if (auto ours = check_ownership(directory, own_files); !ours) return fail(ours.what());
  auto settings = read_agent_settings(directory + "/settings.toml");
  if (!settings) return fail(settings.what());
  const auto spool_folder = settings->spool.empty()
                                ? directory + "/spool"
                                : std::filesystem::absolute(settings->spool, error).string();
  if (auto ours = check_ownership(directory, {{spool_folder}, {}}); !ours) return fail(ours.what());
  if (auto locked = lock_directory(directory); !locked) return fail(locked.what());
  auto identity = read_identity(directory, *settings);
  if (!identity) return fail(identity.what());
  auto spool = Spool::open(spool_folder);
  if (!spool) return fail(spool.what());
  start_logging(directory, "agent");
  spdlog::info("starting version={} host={} master={}", ALMANAC_VERSION, settings->host,
               settings->master);

  const auto binaries = std::filesystem::read_symlink("/proc/self/exe").parent_path().string();
  link_commands(directory, binaries);
  const WallClock clock;
  ProcessLauncher launcher({settings->cell, settings->host, directory,
                            binaries + "/almanac-shepherd", binaries, "", settings->min_uid},
                           std::move(*spool));
  DaemonConfig config;
  static caf::actor_system system(config);
  const TlsFiles tls{directory + "/tls.pem", directory + "/tls.key", directory + "/ca.pem"};
  const auto link = FrameLink::open(system, tls);
  if (!link) return fail(link.what());
  auto agent = assemble_agent(system, {&clock, &launcher, link->get(), random_bytes, &*identity,
                                       settings->master, set_log_level});
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
  wait_for_signal([&] { warn_of_ends(tls, clock.now()); });
  leave(directory);
}

} // namespace

} // namespace almanac

int main(int argc, char** argv) {
  CLI::App app("The Almanac agent: runs jobs on one host. Runs in the foreground.",
               "almanac-agent");
  std::string directory;
  app.add_option("--dir", directory, "the agent's directory, made by almanac-admin add-host")
      ->required();
  app.set_version_flag("--version", std::string("almanac-agent ") + ALMANAC_VERSION);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& problem) {
    return app.exit(problem) == 0 ? 0 : 1; // not the library's own numbers
  }
  almanac::block_signals();
  return almanac::serve(directory);
}
