#include "master/cell.hpp"

#include "actors/process/daemon.hpp"
#include "actors/process/rights.hpp"
#include "actors/process/users.hpp"
#include "core/planning/planner.hpp"
#include "core/text/words.hpp"
#include "jsv_include.hpp"
#include "master/certificates.hpp"
#include "master/rocks_journal.hpp"
#include "schema/store/checkpoint.hpp"

#include <ctime>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <sys/stat.h>
#include <unistd.h>

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

Outcome check_empty(const std::string& directory) {
  std::error_code error;
  if (!fs::exists(directory, error) || fs::is_empty(directory, error)) return Done{};
  return Error{directory + " is not empty: a cell is made in a folder of its own"};
}

// A folder that is open: whoever may rename it or what leads to it can't change which one is meant.
class HeldFolder {
public:
  HeldFolder(int above, const std::string& path)
      : folder_(::openat(above, path.c_str(), O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)) {}
  ~HeldFolder() {
    if (folder_ >= 0) ::close(folder_);
  }
  HeldFolder(const HeldFolder&) = delete;
  HeldFolder& operator=(const HeldFolder&) = delete;

  int handle() const { return folder_; }
  bool is_ours() const {
    struct stat facts {};
    return folder_ >= 0 && ::fstat(folder_, &facts) == 0 && facts.st_uid == ::geteuid();
  }
  /// Leads to it, for this process, as long as it is held.
  std::string path() const { return "/proc/self/fd/" + std::to_string(folder_); }

private:
  int folder_;
};

constexpr const char* arch_script = R"sh(#!/bin/sh
# What Grid Engine calls this kind of machine.
case $(uname -m) in
x86_64) echo lx-amd64 ;;
aarch64) echo lx-arm64 ;;
*) echo "lx-$(uname -m)" ;;
esac
)sh";

// What scripts look for below $SGE_ROOT, but for the commands, which a daemon links. Returns the
// folder `common`.
Result<std::string> make_sge_root(const std::string& root, const std::string& cell) {
  for (const auto& inner : {std::string("/util"), std::string("/util/resources"),
                            std::string("/util/resources/jsv"), "/" + cell, "/" + cell + "/common"})
    if (auto made = make_folder(root + inner, fs::perms(0755)); !made) return made.error();
  if (auto written = write_all(root, {{"util/arch", arch_script, 0755},
                                      {"util/resources/jsv/jsv_include.sh", jsv_include, 0644}});
      !written)
    return written.error();
  return root + "/" + cell + "/common";
}

Result<CertificateFiles> read_authority(const std::string& directory) {
  auto certificate = read_file(directory + "/ca/ca.pem"), key = read_file(directory + "/ca/ca.key");
  if (!certificate) return certificate.error();
  if (!key) return key.error();
  // Of the file no more than its certificate is handed on.
  auto alone = certificate_alone(*certificate);
  if (!alone) return Error{directory + "/ca/ca.pem: " + alone.what()};
  return CertificateFiles{*alone, *key};
}

Error not_ours(const std::string& place) {
  return {place + " is not a folder of " + user_name(::geteuid()) +
          ": name a host that was added, and be who added it"};
}

std::string agent_settings(const std::string& cell, const NewAgent& agent) {
  return "# Settings of the Almanac agent on " + agent.host +
         "; see conf/agent.toml for what each means.\ncell = \"" + cell + "\"\nhost = \"" +
         agent.host + "\"\nmaster = \"" + agent.master + "\"\naddress = \"127.0.0.1\"\nport = 0\n" +
         (agent.user.empty() ? "" : "user = \"" + agent.user + "\"\n");
}

// What new_keys() writes.
constexpr const char* key_files[] = {"ticket",  "ticket.sig", "sign.key",  "tls.key",
                                     "tls.pem", "ca.pem",     "master.pub"};

// What an agent proves its name with. The ticket comes last: without it the keys beside it are
// good for nothing, and the agent says so.
Result<std::vector<File>> new_keys(const std::string& directory, const std::string& cell,
                                   const std::string& host, TicketTerms terms) {
  const auto authority = read_authority(directory);
  if (!authority) return authority.error();
  auto sign = read_file(directory + "/ca/sign.key");
  if (!sign) return sign.error();
  auto master = SigningKey::parse(trim(*sign));
  if (!master) return master.error();
  auto own = make_certificate(*authority, host, CertificateRole::agent);
  if (!own) return own.error();
  const auto key = SigningKey::generate();
  const auto ticket =
      sign_ticket(*master, cell, host, key.public_key(), terms.serial, terms.expires);
  return std::vector<File>{{"ca.pem", authority->certificate},
                           {"tls.pem", own->certificate},
                           {"tls.key", own->key},
                           {"sign.key", key.print() + "\n"},
                           {"ticket", ticket.ticket},
                           {"ticket.sig", ticket.signature},
                           {"master.pub", to_hex(master->public_key()) + "\n"}};
}

} // namespace

Outcome make_folder_for(const Account& owner, const std::string& directory) {
  if (auto empty = check_empty(directory); !empty) return empty;
  if (auto made = make_folder(directory, fs::perms(0755)); !made) return made;
  const HeldFolder folder(AT_FDCWD, directory);
  if (!folder.is_ours()) return Error{directory + " is not a folder of " + user_name(::geteuid())};
  if (::fchown(folder.handle(), owner.uid, owner.gid) != 0)
    return Error{"can't give " + directory + " to " + owner.name + ": " + std::strerror(errno)};
  return Done{};
}

Outcome prepare_cell_for(const std::string& user, const std::string& directory) {
  if (user.empty()) return Done{};
  const auto account = account_of(user);
  if (!account) return Error{"--user: " + account.what()};
  if (account->uid == ::geteuid()) return Done{};
  if (::geteuid() != 0)
    return Error{"--user: only root can make a cell that belongs to somebody else"};
  if (auto made = make_folder_for(*account, directory); !made) return made;
  return become_for_good(*account, LowPorts::refused);
}

Outcome make_cell_folders(const std::string& directory) {
  if (auto empty = check_empty(directory); !empty) return empty;
  if (auto made = make_folder(directory, fs::perms(0755)); !made) return made;
  for (const char* folder : {"ca", "store"})
    if (auto made = make_folder(directory + "/" + folder, fs::perms::owner_all); !made) return made;
  if (auto made = make_folder(directory + "/agents", passage); !made) return made;
  for (const char* folder : {"run", "log"})
    if (auto made = make_folder(directory + "/" + folder, fs::perms(0755)); !made) return made;
  return Done{};
}

Outcome make_cell_keys(const std::string& directory, const std::string& cell) {
  auto authority = make_authority(cell);
  if (!authority) return authority.error();
  auto own = make_certificate(*authority, "master", CertificateRole::master);
  if (!own) return own.error();
  const auto key = SigningKey::generate();
  return write_all(directory, {{"ca/ca.pem", authority->certificate, 0644},
                               {"ca/ca.key", authority->key},
                               {"ca/master.pem", own->certificate},
                               {"ca/master.key", own->key},
                               {"ca/sign.key", key.print() + "\n"}});
}

Outcome create_cell(const std::string& directory, const std::string& cell,
                    const std::string& admin) {
  if (auto valid = valid_object_name(cell); !valid) return Error{"--cell: " + valid.what()};
  if (auto made = make_cell_folders(directory); !made) return made;
  if (auto made = make_cell_keys(directory, cell); !made) return made;
  MasterSettings settings;
  settings.cell = cell;
  const auto written =
      write_all(directory, {{"settings.toml", print_master_settings(settings), 0644}});
  if (!written) return written;
  // Which host is the master's will be known when it starts there.
  const auto records = Planner::initial_records(admin, "");
  auto writes = store::writes_of(records);
  const Instant now{std::time(nullptr)};
  for (auto& write : store::checkpoint_writes(records, {}, now)) writes.push_back(std::move(write));
  return RocksJournal::create(directory + "/store", writes);
}

std::string agent_folder(const std::string& directory, const std::string& host) {
  return directory + "/agents/" + host;
}

Outcome create_agent_folder(const std::string& directory, const NewAgent& agent,
                            TicketTerms terms) {
  const auto place = agent_folder(directory, agent.host);
  auto settings = read_master_settings(directory + "/settings.toml");
  if (!settings) return settings.error();
  auto files = new_keys(directory, settings->cell, agent.host, terms);
  if (!files) return files.error();

  const HeldFolder agents(AT_FDCWD, directory + "/agents");
  if (::mkdirat(agents.handle(), agent.host.c_str(), 0711) != 0)
    return Error{errno == EEXIST ? place + " exists already"
                                 : "can't make " + place + ": " + std::strerror(errno)};
  const HeldFolder folder(agents.handle(), agent.host);
  if (!folder.is_ours()) return Error{place + " was changed by somebody else meanwhile"};
  if (auto made = make_folder(folder.path(), passage); !made) return made;
  for (const char* inner : {"run", "log", "spool"})
    if (auto made = make_folder(folder.path() + "/" + inner, fs::perms(0755)); !made) return made;
  if (auto made = make_sge_root(folder.path(), settings->cell); !made) return made.error();
  files->push_back({"settings.toml", agent_settings(settings->cell, agent), 0644});
  return write_all(folder.path(), *files);
}

Outcome replace_agent_keys(const std::string& directory, const std::string& host,
                           TicketTerms terms) {
  auto settings = read_master_settings(directory + "/settings.toml");
  if (!settings) return settings.error();
  auto files = new_keys(directory, settings->cell, host, terms);
  if (!files) return files.error();
  const HeldFolder agents(AT_FDCWD, directory + "/agents");
  const HeldFolder folder(agents.handle(), host);
  if (!folder.is_ours()) return not_ours(agent_folder(directory, host));
  return write_all(folder.path(), *files);
}

Result<std::string> retire_agent_folder(const std::string& directory, const std::string& host,
                                        Instant now) {
  const auto place = agent_folder(directory, host);
  const HeldFolder agents(AT_FDCWD, directory + "/agents");
  const HeldFolder folder(agents.handle(), host);
  if (folder.handle() < 0 && errno == ENOENT) return std::string();
  if (!folder.is_ours()) return not_ours(place);
  for (const char* file : key_files)
    if (::unlinkat(folder.handle(), file, 0) != 0 && errno != ENOENT)
      return Error{"can't remove " + place + "/" + file + ": " + std::strerror(errno)};
  const auto retired = ".removed-" + host + "-" + std::to_string(now.seconds);
  if (::renameat(agents.handle(), host.c_str(), agents.handle(), retired.c_str()) != 0)
    return Error{"can't rename " + place + ": " + std::strerror(errno)};
  return agent_folder(directory, retired);
}

Outcome renew_master_certificates(const std::string& directory) {
  auto authority = read_authority(directory);
  if (!authority) return authority.error();
  const auto own = read_file(directory + "/ca/master.pem");
  if (!own) return own.error();
  auto renewed = renew_authority(*authority);
  if (!renewed) return renewed.error();
  authority->certificate = *renewed;
  const auto certificate = renew_certificate(*authority, *own, "master", CertificateRole::master);
  if (!certificate) return certificate.error();
  return write_all(directory + "/ca",
                   {{"ca.pem", authority->certificate, 0644}, {"master.pem", *certificate}});
}

Outcome renew_agent_certificate(const std::string& directory, const std::string& host) {
  const auto place = agent_folder(directory, host);
  const auto authority = read_authority(directory);
  if (!authority) return authority.error();
  const HeldFolder agents(AT_FDCWD, directory + "/agents");
  const HeldFolder folder(agents.handle(), host);
  if (!folder.is_ours()) return not_ours(place);
  const auto old = read_file(folder.path() + "/tls.pem");
  if (!old) return Error{"can't read " + place + "/tls.pem"};
  const auto certificate = renew_certificate(*authority, *old, host, CertificateRole::agent);
  if (!certificate) return certificate.error();
  return write_all(folder.path(), {{"ca.pem", authority->certificate}, {"tls.pem", *certificate}});
}

Result<std::string> common_folder(const std::string& directory, const std::string& cell) {
  const auto root = directory + "/root";
  if (auto made = make_folder(root, fs::perms(0755)); !made) return made.error();
  return make_sge_root(root, cell);
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
