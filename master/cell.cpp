#include "master/cell.hpp"

#include "actors/process/daemon.hpp"
#include "core/planning/planner.hpp"
#include "core/text/words.hpp"
#include "master/certificates.hpp"
#include "master/rocks_journal.hpp"

#include <cerrno>
#include <cstring>
#include <filesystem>

namespace almanac {

namespace {

namespace fs = std::filesystem;

// Jobs and users pass through to their script and the agent's door, and see no names.
constexpr auto passage = fs::perms::owner_all | fs::perms::group_exec | fs::perms::others_exec;

struct File {
  std::string path;
  std::string content;
  unsigned mode = 0600;
};

Outcome write_all(const std::string& directory, const std::vector<File>& files) {
  for (const auto& file : files)
    if (auto written = write_file(directory + "/" + file.path, file.content, file.mode); !written)
      return written;
  return Done{};
}

Outcome make_folder(const std::string& path, fs::perms mode) {
  std::error_code error;
  fs::create_directories(path, error);
  if (!error) fs::permissions(path, mode, error);
  if (error) return Error{"can't make " + path + ": " + error.message()};
  return Done{};
}

} // namespace

Outcome create_cell(const std::string& directory, const std::string& cell,
                    const std::string& admin) {
  if (auto valid = valid_object_name(cell); !valid) return Error{"--cell: " + valid.what()};
  std::error_code error;
  if (fs::exists(directory, error) && !fs::is_empty(directory, error))
    return Error{directory + " is not empty: a cell is made in a folder of its own"};
  if (auto made = make_folder(directory, fs::perms(0755)); !made) return made;
  for (const char* folder : {"ca", "store"})
    if (auto made = make_folder(directory + "/" + folder, fs::perms::owner_all); !made) return made;
  if (auto made = make_folder(directory + "/agents", passage); !made) return made;
  for (const char* folder : {"run", "log"})
    if (auto made = make_folder(directory + "/" + folder, fs::perms(0755)); !made) return made;
  auto authority = make_authority(cell);
  if (!authority) return authority.error();
  auto own = make_certificate(*authority, "master");
  if (!own) return own.error();
  const auto key = SigningKey::generate();
  MasterSettings settings;
  settings.cell = cell;
  const auto written =
      write_all(directory, {{"ca/ca.pem", authority->certificate, 0644},
                            {"ca/ca.key", authority->key},
                            {"ca/master.pem", own->certificate},
                            {"ca/master.key", own->key},
                            {"ca/sign.key", key.print() + "\n"},
                            {"settings.toml", print_master_settings(settings), 0644}});
  if (!written) return written;
  // Which host is the master's will be known when it starts there.
  const auto records = Planner::initial_records(admin, "");
  auto writes = store::writes_of(records);
  for (auto& write : store::checkpoint_writes(records, 0)) writes.push_back(std::move(write));
  return RocksJournal::create(directory + "/store", writes);
}

Outcome create_agent_folder(const std::string& directory, const std::string& host,
                            const std::string& master_address) {
  const auto folder = directory + "/agents/" + host;
  std::error_code error;
  if (fs::exists(folder, error)) return Error{folder + " exists already"};
  auto certificate = read_file(directory + "/ca/ca.pem"),
       authority_key = read_file(directory + "/ca/ca.key"),
       sign = read_file(directory + "/ca/sign.key");
  for (const auto* file : {&certificate, &authority_key, &sign})
    if (!*file) return file->error();
  auto settings = read_master_settings(directory + "/settings.toml");
  if (!settings) return settings.error();
  auto master = SigningKey::parse(trim(*sign));
  if (!master) return master.error();
  auto own = make_certificate({*certificate, *authority_key}, host);
  if (!own) return own.error();
  const auto key = SigningKey::generate();
  const auto ticket = sign_ticket(*master, settings->cell, host, key.public_key());
  if (auto made = make_folder(folder, passage); !made) return made;
  for (const char* inner : {"run", "log", "spool"})
    if (auto made = make_folder(folder + "/" + inner, fs::perms(0755)); !made) return made;
  return write_all(folder, {{"ca.pem", *certificate},
                            {"tls.pem", own->certificate},
                            {"tls.key", own->key},
                            {"sign.key", key.print() + "\n"},
                            {"ticket", ticket.ticket},
                            {"ticket.sig", ticket.signature},
                            {"master.pub", to_hex(master->public_key()) + "\n"},
                            {"settings.toml",
                             "# Settings of the Almanac agent on " + host +
                                 "; see conf/agent.toml for what each means.\ncell = \"" +
                                 settings->cell + "\"\nhost = \"" + host + "\"\nmaster = \"" +
                                 master_address + "\"\naddress = \"127.0.0.1\"\nport = 0\n",
                             0644}});
}

Result<std::string> common_folder(const std::string& directory, const std::string& cell) {
  auto folder = directory;
  for (const auto& inner : {std::string("root"), cell, std::string("common")}) {
    folder += "/" + inner;
    if (auto made = make_folder(folder, fs::perms(0755)); !made) return made.error();
  }
  return folder;
}

Result<Identity> read_master_identity(const std::string& directory,
                                      const MasterSettings& settings) {
  auto sign = read_file(directory + "/ca/sign.key");
  if (!sign) return sign.error();
  auto key = SigningKey::parse(trim(*sign));
  if (!key) return Error{directory + "/ca/sign.key: " + key.what()};
  return Identity{settings.cell, "master", session::Role::master, *key, {}, {}, key->public_key()};
}

TlsFiles master_tls_files(const std::string& directory) {
  return {directory + "/ca/master.pem", directory + "/ca/master.key", directory + "/ca/ca.pem"};
}

} // namespace almanac
