// almanac-master: the one process of a cell that decides.
#include "actors/process/audit_file.hpp"
#include "actors/process/certificate_ends.hpp"
#include "actors/process/command_links.hpp"
#include "actors/process/daemon.hpp"
#include "actors/process/daemon_config.hpp"
#include "actors/process/frame_link.hpp"
#include "actors/process/jsv_pool.hpp"
#include "actors/process/local_zone.hpp"
#include "actors/process/ownership.hpp"
#include "actors/process/rights.hpp"
#include "actors/process/tcp_door.hpp"
#include "actors/process/unix_door.hpp"
#include "actors/process/users.hpp"
#include "actors/process/wall_clock.hpp"
#include "core/configuration/objects/site_file.hpp"
#include "master/assembly.hpp"
#include "master/cell.hpp"
#include "master/common_folder.hpp"
#include "master/crash_watch.hpp"
#include "master/hook_program.hpp"
#include "master/mail_program.hpp"
#include "master/record_file.hpp"
#include "master/replay.hpp"
#include "master/rocks_journal.hpp"
#include "master/schedule_trace_file.hpp"
#include "master/site_keys.hpp"

#include <CLI/CLI.hpp>
#include <caf/actor_system.hpp>
#include <caf/send.hpp>
#include <spdlog/spdlog.h>

#include <filesystem>
#include <map>
#include <sys/stat.h>
#include <unistd.h>

namespace almanac {

namespace {

int fail(const std::string& why) {
  fprintf(stderr, "almanac-master: %s\n", why.c_str());
  return 1;
}

// What a host without an agent needs: where the door is, and whose master may answer there.
Outcome tell_of_door(const std::string& directory, const MasterSettings& settings,
                     std::uint16_t port) {
  const auto authority = read_file(master_tls_files(directory).authority);
  if (!authority) return authority.error();
  if (auto written = write_file(directory + "/doors.pem", *authority, 0644); !written)
    return written;
  return write_file(directory + "/doors",
                    "# Written by the master: where commands on hosts without an agent find it.\n"
                    "# They need doors.pem beside this file, too.\ntcp " +
                        settings.address + ":" + std::to_string(port) +
                        (settings.munge_socket.empty() ? "" : " " + settings.munge_socket) + "\n",
                    0644);
}

// Opens the door for hosts without an agent and tells where it is, or tells why it is shut.
Outcome open_tcp_door(caf::actor_system& system, const std::string& directory,
                      const std::string& common, const MasterSettings& settings,
                      const Master& master) {
  const auto port_file = directory + "/run/tcp_port";
  const auto munge = settings.tcp_door ? munge_answers(settings.munge_socket)
                                       : Outcome(Error{"the settings say so"});
  if (!munge) {
    spdlog::warn("the TCP door is shut: {}", munge.what());
    for (const auto* name : {"/doors", "/doors.pem"}) ::unlink((directory + name).c_str());
    return Done{};
  }
  auto port = open_tcp_door(system,
                            {settings.address, port_to_ask_for(settings.tcp_port, port_file),
                             settings.munge_socket, master_tls_files(directory), common},
                            caf::actor_cast<FrameTaker>(master.gate));
  if (!port) return port.error();
  spdlog::info("TCP door address={} port={}", settings.address, *port);
  if (auto kept = keep_port(*port, port_file); !kept) return kept;
  return tell_of_door(directory, settings, *port);
}

const OwnFiles own_files{{"", "settings.toml", "ca/ca.pem", "ca/master.pem", "run", "log"},
                         {"ca", "store", "store.damaged", "ca/ca.key", "ca/master.key",
                          "ca/sign.key", "ca/reservation.keys", "ca/reservation.secret"}};

void warn_of_root(const std::string& directory) {
  if (::geteuid() != 0) return;
  spdlog::warn("the master runs as root, because {} belongs to root; it needs no rights of root: "
               "see --user of almanac-admin init",
               directory);
}

// What a JSV finds: where its helpers are (util/resources/jsv), and nothing of ours.
JsvPool::Setup jsv_setup(const std::string& directory, const std::string& cell,
                         const HookProgram& programs) {
  return {{{"PATH", "/usr/local/bin:/usr/bin:/bin"},
           {"SGE_ROOT", directory + "/root"},
           {"SGE_CELL", cell}},
          user_name(::geteuid()),
          [&programs](const auto& words) { return programs.distrust(words); }};
}

int serve(const std::string& directory) {
  if (auto became = become_owner_of(directory, LowPorts::undecided); !became)
    return fail(became.what());
  if (auto ours = check_ownership(directory, own_files); !ours) return fail(ours.what());
  auto settings = read_master_settings(directory + "/settings.toml");
  if (!settings) return fail(settings.what());
  if (auto decided = decide_low_ports(low_ports_for(settings->port, settings->tcp_port)); !decided)
    return fail(decided.what());
  if (auto locked = lock_directory(directory); !locked) return fail(locked.what());
  auto identity = read_master_identity(directory, *settings);
  if (!identity) return fail(identity.what());
  start_logging(directory, "master");
  start_audit(directory + "/log/audit");
  warn_of_root(directory);
  auto journal = RocksJournal::open(directory + "/store");
  if (!journal) return fail(journal.what());
  spdlog::info("starting version={} cell={} term={} store={}", ALMANAC_VERSION, settings->cell,
               (*journal)->term().value, (*journal)->store_id());

  const WallClock clock(last_input(**journal).now);
  auto watch = CrashWatch::open(directory, clock.now());
  if (!watch) return fail(watch.what());
  if (auto renewed = renew_checkpoint(**journal, (*journal)->term(), settings->inputs_kept);
      !renewed)
    return fail(renewed.what());
  const auto site_keys = open_site_keys(directory, **journal, clock.now());
  if (!site_keys) return fail(site_keys.what());
  const auto common = common_folder(directory, settings->cell);
  if (!common) return fail(common.what());
  if (auto told = write_file(*common + "/act_qmaster", host_name() + "\n", 0644); !told)
    return fail(told.what());
  const auto binaries = std::filesystem::read_symlink("/proc/self/exe").parent_path().string();
  if (auto linked = link_commands(directory + "/root", binaries); !linked)
    spdlog::warn("{}", linked.what());
  RecordFile accounting(*common + "/accounting"), reporting(*common + "/reporting");
  ScheduleTraceFile schedule(*common + "/schedule");
  CommonFolder common_files(*common);
  std::map<std::string, CommonFolder> site_files;
  for (const std::string name : site_file_names) site_files.try_emplace(name, *common, name);
  std::map<std::string, CommonFileSource*> site_sources;
  for (auto& [name, source] : site_files) site_sources[name] = &source;
  MailProgram mailer;
  HookProgram hooks;
  JsvPool jsvs(jsv_setup(directory, settings->cell, hooks));
  DaemonConfig config;
  static caf::actor_system system(config);
  const auto tls = master_tls_files(directory);
  const auto link = FrameLink::open(system, tls);
  if (!link) return fail(link.what());
  auto master = assemble_master(system, {&clock,
                                         journal->get(),
                                         Thread::own,
                                         {&accounting, &schedule, &reporting},
                                         &mailer,
                                         &hooks,
                                         watch->get(),
                                         (*watch)->crashes_in_a_loop(),
                                         local_zone(clock.now()),
                                         random_bytes,
                                         &*identity,
                                         (*journal)->store_id(),
                                         (*journal)->term(),
                                         host_name(),
                                         set_log_level,
                                         vouched,
                                         false,
                                         &common_files,
                                         uid_of,
                                         &jsvs,
                                         site_sources,
                                         &*site_keys});
  if (!master) return fail(master.what());
  const auto port_file = directory + "/run/port";
  const auto tell_people = [views = master->views](const std::string& host, const char* what) {
    caf::anon_send(views, PublishNotice{host, what});
  };
  auto port = (*link)->listen({accepting_sessions(system, master->sessions), tell_people},
                              port_to_ask_for(settings->port, port_file), settings->address);
  if (!port) return fail(port.what());
  if (auto kept = keep_port(*port, port_file); !kept) return fail(kept.what());
  if (auto opened = open_unix_door(system, directory + "/run/door",
                                   caf::actor_cast<FrameTaker>(master->gate), host_name());
      !opened)
    return fail(opened.what());
  if (auto opened = open_tcp_door(system, directory, *common, *settings, *master); !opened)
    return fail(opened.what());
  spdlog::info("ready port={} door={}/run/door", *port, directory);
  tell_ready(directory);
  wait_for_signal([&] { warn_of_ends(tls, clock.now()); });
  (*watch)->leave();
  leave(directory);
}

} // namespace

} // namespace almanac

int main(int argc, char** argv) {
  CLI::App app("The Almanac master: owns all state of a cell. Runs in the foreground, as the user "
               "who owns the cell's directory.",
               "almanac-master");
  std::string directory;
  app.add_option("--dir", directory, "the cell's directory, made by almanac-admin init")
      ->required();
  app.set_version_flag("--version", std::string("almanac-master ") + ALMANAC_VERSION);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& problem) {
    return app.exit(problem) == 0 ? 0 : 1; // not the library's own numbers
  }
  ::umask(022); // wherever it is started: some files are for all to read, none to write
  almanac::block_signals();
  return almanac::serve(directory);
}
