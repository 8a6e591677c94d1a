// almanac-admin: making a cell, adding hosts, replaying a journal.
//
// The one tool that knows the master's files; every change to a living cell goes through its door.
#include "actors/process/daemon.hpp"
#include "core/text/words.hpp"
#include "master/assembly.hpp"
#include "master/cell.hpp"
#include "master/rocks_journal.hpp"
#include "tools/client/door.hpp"

#include <CLI/CLI.hpp>

#include <filesystem>
#include <iostream>
#include <pwd.h>
#include <unistd.h>

namespace almanac {

namespace {

int fail(const std::string& why) {
  std::cerr << "almanac-admin: " << why << "\n";
  return 1;
}

int init(const std::string& directory, const std::string& cell) {
  const auto* entry = ::getpwuid(::getuid());
  if (auto created = create_cell(directory, cell, entry ? entry->pw_name : "root"); !created)
    return fail(created.what());
  std::cout << "cell \"" << cell << "\" is ready in " << directory
            << "; start it with: almanac-master --dir " << directory << "\n";
  return 0;
}

int add_host(const std::string& directory, const std::string& host, std::int64_t slots) {
  if (!valid_host_name(host)) return fail("\"" + host + "\" is not a host name");
  auto settings = read_master_settings(directory + "/settings.toml");
  if (!settings) return fail(settings.what());
  auto port = read_file(directory + "/run/port");
  if (!port) return fail("the master does not run: " + port.what());
  DoorClient door(directory);
  int code = 0;
  const auto asked = door.call(door::RunCommand{AddHost{host, slots}}, [&](door::ReplyBody& frame) {
    const auto* answer = std::get_if<Answer>(&frame);
    if (!answer) return;
    code = static_cast<int>(answer->exit_code);
    for (const auto& line : answer->lines)
      (line.trouble ? std::cerr : std::cout) << line.text << "\n";
  });
  if (!asked) return fail(asked.what());
  if (code != 0) return code;
  const auto address = settings->address + ":" + std::string(trim(*port));
  if (auto created = create_agent_folder(directory, host, address); !created)
    return fail(created.what());
  std::cout << "agent folder: " << directory << "/agents/" << host
            << "; start it with: almanac-agent --dir " << directory << "/agents/" << host << "\n";
  return 0;
}

int replay_journal(const std::string& directory) {
  auto journal = RocksJournal::open_to_read(directory + "/store");
  if (!journal) return fail(journal.what());
  auto digest = replay(**journal);
  if (!digest) return fail(digest.what());
  std::cout << "replayed " << last_input(**journal).sequence << " inputs: the digest " << std::hex
            << *digest << " is that of the stored records\n";
  return 0;
}

} // namespace

} // namespace almanac

int main(int argc, char** argv) {
  CLI::App app("Makes and keeps Almanac cells.", "almanac-admin");
  app.set_version_flag("--version", std::string("almanac-admin ") + ALMANAC_VERSION);
  app.require_subcommand(1);
  std::string directory, host, cell = "default";
  std::int64_t slots = 1;
  auto* init = app.add_subcommand(
      "init", "make a cell: settings, authority and keys, an empty store with the default objects");
  init->add_option("DIR", directory, "a folder that is empty or not there")->required();
  init->add_option("--cell", cell, "the cell's name");
  auto* add_host =
      app.add_subcommand("add-host", "add an exec host and make the folder of its agent");
  add_host->add_option("DIR", directory, "the cell's folder; its master runs")->required();
  add_host->add_option("HOST", host, "the host's name in the cell")->required();
  add_host->add_option("--slots", slots, "its slots in all.q")
      ->check(CLI::Range(std::int64_t(1), std::int64_t(9'999'999)));
  auto* replay = app.add_subcommand(
      "replay", "decide all journaled inputs again and compare with the stored records");
  replay->add_option("DIR", directory, "the cell's folder; its master is stopped")->required();
  CLI11_PARSE(app, argc, argv);
  std::error_code error;
  directory = std::filesystem::absolute(directory, error).lexically_normal().string();
  if (*init) return almanac::init(directory, cell);
  if (*add_host) return almanac::add_host(directory, host, slots);
  return almanac::replay_journal(directory);
}
