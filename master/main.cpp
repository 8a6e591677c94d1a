// almanac-master: the one process of a cell that decides.
#include "actors/process/daemon.hpp"
#include "actors/process/tls_link.hpp"
#include "actors/process/unix_door.hpp"
#include "actors/process/wall_clock.hpp"
#include "master/accounting_file.hpp"
#include "master/assembly.hpp"
#include "master/cell.hpp"
#include "master/rocks_journal.hpp"

#include <CLI/CLI.hpp>
#include <caf/actor_system.hpp>
#include <spdlog/spdlog.h>

#include <unistd.h>

namespace almanac {

namespace {

int fail(const std::string& why) {
  fprintf(stderr, "almanac-master: %s\n", why.c_str());
  return 1;
}

int serve(const std::string& directory) {
  auto settings = read_master_settings(directory + "/settings.toml");
  if (!settings) return fail(settings.what());
  if (auto locked = lock_directory(directory); !locked) return fail(locked.what());
  auto identity = read_master_identity(directory, *settings);
  if (!identity) return fail(identity.what());
  auto journal = RocksJournal::open(directory + "/store");
  if (!journal) return fail(journal.what());
  start_logging(directory, "master");
  spdlog::info("starting version={} cell={} term={} store={}", ALMANAC_VERSION, settings->cell,
               (*journal)->term(), (*journal)->store_id());

  const WallClock clock(last_input(**journal).now);
  AccountingFile accounting(directory + "/accounting");
  const DaemonConfig config(master_tls_files(directory));
  static caf::actor_system system(const_cast<DaemonConfig&>(config));
  auto master =
      assemble_master(system, {&clock, journal->get(), Thread::own, &accounting, random_bytes,
                               &*identity, (*journal)->store_id(), (*journal)->term()});
  if (!master) return fail(master.what());
  // Agents keep the address they were given: a port that was chosen once is asked for again.
  auto wanted = settings->port;
  if (wanted == 0)
    if (auto before = read_file(directory + "/run/port"))
      wanted = static_cast<std::uint16_t>(std::atoi(before->c_str()));
  auto port = publish_reception(system, master->reception, wanted, settings->address);
  if (!port) return fail(port.what());
  if (auto written = write_file(directory + "/run/port", std::to_string(*port) + "\n", 0644);
      !written)
    return fail(written.what());
  char host[256] = "localhost";
  ::gethostname(host, sizeof host - 1);
  if (auto opened = open_unix_door(system, directory + "/run/door",
                                   caf::actor_cast<FrameTaker>(master->gate), host);
      !opened)
    return fail(opened.what());
  spdlog::info("ready port={} door={}/run/door", *port, directory);
  tell_ready(directory);
  wait_for_signal();
  leave(directory);
}

} // namespace

} // namespace almanac

int main(int argc, char** argv) {
  CLI::App app("The Almanac master: owns all state of a cell. Runs in the foreground.",
               "almanac-master");
  std::string directory;
  app.add_option("--dir", directory, "the cell's directory, made by almanac-admin init")
      ->required();
  app.set_version_flag("--version", std::string("almanac-master ") + ALMANAC_VERSION);
  CLI11_PARSE(app, argc, argv);
  almanac::block_signals();
  return almanac::serve(directory);
}
