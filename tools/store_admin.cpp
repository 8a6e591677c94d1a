#include "tools/store_admin.hpp"

#include "actors/process/daemon.hpp"
#include "actors/process/rights.hpp"
#include "core/text/values.hpp"
#include "master/backup.hpp"
#include "master/cell.hpp"
#include "master/rocks_journal.hpp"
#include "master/settings.hpp"
#include "master/store_check.hpp"
#include "tools/host_admin.hpp"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <iostream>
#include <sys/resource.h>
#include <unistd.h>

namespace almanac {

namespace {

int store_trouble(const std::string& why) {
  std::cerr << "almanac-admin: " << why << "\n";
  return 1;
}

std::string counted(std::int64_t count, const char* what) {
  return std::to_string(count) + " " + what + (count == 1 ? "" : "s");
}

int tell_check(const std::string& store, const StoreCheck& check) {
  for (const auto& note : check.notes) std::cerr << "almanac-admin: " << note << "\n";
  for (const auto& fault : check.faults) std::cout << store << ": " << fault << "\n";
  if (check.left_out > 0) std::cout << store << ": and " << check.left_out << " more\n";
  const auto looked_at = counted(static_cast<std::int64_t>(check.records), "record") + ", " +
                         counted(check.inputs, "input") + " decided again";
  if (check.faults.empty()) {
    std::cout << "nothing is wrong in " << store << ": " << looked_at << "\n";
    return 0;
  }
  const auto faults = static_cast<std::int64_t>(check.faults.size() + check.left_out);
  std::cout << counted(faults, "fault") << " in " << store << ": " << looked_at << "\n";
  return 1;
}

int check_store_in(const std::string& directory) {
  const auto store = directory + "/store";
  const auto journal = RocksJournal::open_to_read(store);
  return journal ? tell_check(store, check_store(**journal)) : store_trouble(journal.what());
}

// All files of a store are open at once.
void open_many_files() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  limit.rlim_cur = limit.rlim_max;
  ::setrlimit(RLIMIT_NOFILE, &limit);
}

// A file that is open for the caller, whoever this process becomes.
class CallersFile {
public:
  CallersFile(const std::string& path, int flags)
      : path_(path), handle_(::open(path.c_str(), flags | O_CLOEXEC, 0600)), errno_(errno) {}
  ~CallersFile() {
    if (handle_ >= 0) ::close(handle_);
  }
  CallersFile(const CallersFile&) = delete;
  CallersFile& operator=(const CallersFile&) = delete;

  int handle() const { return handle_; }
  std::string trouble() const {
    return errno_ == EEXIST ? path_ + " is there already"
                            : "can't open " + path_ + ": " + std::strerror(errno_);
  }

private:
  std::string path_;
  int handle_;
  int errno_;
};

} // namespace

int check_cell(const std::string& directory) {
  if (auto became = become_owner_of(directory, LowPorts::refused); !became)
    return store_trouble(became.what());
  if (const auto settings = read_master_settings(directory + "/settings.toml"); !settings)
    return store_trouble(settings.what());
  return check_store_in(directory);
}

int back_up_cell(const std::string& directory, const std::string& file, bool with_keys) {
  const CallersFile into(file, O_WRONLY | O_CREAT | O_EXCL);
  if (into.handle() < 0) return store_trouble(into.trouble());
  const auto fail = [&](const std::string& why) {
    // Nobody takes what is left for a backup.
    if (::unlink(file.c_str()) != 0 && ::ftruncate(into.handle(), 0) != 0)
      std::cerr << "almanac-admin: " << file << " is not whole: remove it\n";
    return store_trouble(why);
  };
  if (auto became = become_owner_of(directory, LowPorts::refused); !became)
    return fail(became.what());
  open_many_files();
  const auto size =
      write_backup(directory, with_keys ? BackupKeys::with : BackupKeys::without, into.handle());
  if (!size) return fail(size.what());
  std::cout << file << ": " << counted(static_cast<std::int64_t>(size->files), "file") << ", "
            << size->bytes << " bytes; "
            << (with_keys ? "the cell's private keys are in it: guard it"
                          : "without private keys: a restored cell makes new ones")
            << "\n";
  return 0;
}

int restore_cell(const std::string& directory, const std::string& file, const std::string& user,
                 std::int64_t gap) {
  const CallersFile from(file, O_RDONLY);
  if (from.handle() < 0) return store_trouble(from.trouble());
  if (auto prepared = prepare_cell_for(user, directory); !prepared)
    return store_trouble(prepared.what());
  const auto restored = read_backup(directory, from.handle());
  if (!restored) return store_trouble(file + ": " + restored.what());
  std::cout << "restored to " << directory << " as it was at " << restored->made << "\n";
  if (auto opened = open_gap(directory, gap); !opened) return store_trouble(opened.what());
  const int code = check_store_in(directory);
  std::cout << "keys and numbers go on " << gap << " beyond the last ones\n";
  if (restored->has_new_keys)
    std::cout << "authority and keys are new: for each host, almanac-admin rekey-host " << directory
              << " HOST, and copy its folder to it\n";
  std::cout << "make sure that the old master does not run, then start: almanac-master --dir "
            << directory << "\n";
  return code;
}

} // namespace almanac
