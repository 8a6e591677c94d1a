#include "agent/shepherd/removal.hpp"

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <grp.h>
#include <poll.h>
#include <sys/fsuid.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace almanac {

namespace {

namespace fs = std::filesystem;

constexpr unsigned longest_s = 3'600; // that nobody waits for
constexpr std::size_t most_waiting = 1'000;

// A name in the folder around it, which has to be this process's own: in one that others may change
// the name could lead anywhere. Nothing is asked of a file system that a user may have mounted
// there.
class Entry {
public:
  explicit Entry(const std::string& path) : name_(fs::path(path).filename().string()) {
    around_ =
        ::open(fs::path(path).parent_path().c_str(), O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    struct statx facts {};
    if (around_ < 0 ||
        (::statx(around_, "", AT_EMPTY_PATH | AT_STATX_DONT_SYNC, STATX_MODE | STATX_UID, &facts) ==
             0 &&
         facts.stx_uid == ::geteuid() && (facts.stx_mode & (S_IWGRP | S_IWOTH)) == 0))
      return;
    ::close(std::exchange(around_, -1));
    errno = EPERM;
  }
  ~Entry() {
    if (around_ >= 0) ::close(around_);
  }
  Entry(const Entry&) = delete;
  Entry& operator=(const Entry&) = delete;

  /// Both with errno.
  bool remove() const {
    return around_ >= 0 && ::unlinkat(around_, name_.c_str(), AT_REMOVEDIR) == 0;
  }
  bool rename(const std::string& name) const {
    return around_ >= 0 && ::renameat(around_, name_.c_str(), around_, name.c_str()) == 0;
  }

private:
  std::string name_;
  int around_ = -1;
};

bool is_gone(const std::string& folder) {
  return folder.empty() || Entry(folder).remove() || errno == ENOENT;
}

void tell_what_is_left(const std::string& folder) {
  if (!is_gone(folder))
    std::fprintf(stderr, "%s is left: %s\n", folder.c_str(), std::strerror(errno));
}

// On files alone (credentials(7)): by its other ids, which stay root's, it would be the user's to
// signal, to trace and to slow down. Without capabilities they give it no rights.
bool take_rights_on_files(const UserIds& user) {
  if (::setgroups(user.groups.size(), user.groups.data()) != 0) return false;
  ::setfsgid(user.gid), ::setfsuid(user.uid);
  constexpr auto unchanged = static_cast<uid_t>(-1); // the only way to ask
  return drop_capabilities() && static_cast<uid_t>(::setfsuid(unchanged)) == user.uid &&
         static_cast<gid_t>(::setfsgid(unchanged)) == user.gid;
}

// A user may have closed folders to everybody, as some package managers do. What a link leads to is
// left as it is.
void open_up(const fs::path& folder) {
  std::error_code error;
  if (!fs::is_directory(fs::symlink_status(folder, error))) return;
  ::chmod(folder.c_str(), 0700);
  for (const auto& entry : fs::directory_iterator(folder, error)) open_up(entry.path());
}

// From the opened folder on: whatever the name comes to mean, nothing else is removed. Links inside
// are not followed.
void empty(const std::string& path) {
  const int folder = ::open(path.c_str(), O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (folder < 0) return;
  ::chmod(("/proc/self/fd/" + std::to_string(folder)).c_str(), 0700); // it may be closed, too
  const bool inside = ::fchdir(folder) == 0;
  ::close(folder);
  if (!inside) return;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(".", error)) {
    std::error_code failed;
    fs::remove_all(entry.path(), failed);
    if (!failed) continue;
    open_up(entry.path());
    fs::remove_all(entry.path(), failed);
  }
}

// Nothing is inherited: a lock or a socket would outlive whose it is.
[[noreturn]] void remove_folders(const std::vector<std::string>& folders, const UserIds& user,
                                 unsigned seconds, int end) {
  for (const int place : {0, 1, 2}) ::dup2(end, place);
  ::close_range(3, ~0U, 0);
  sigset_t none;
  sigemptyset(&none);
  ::signal(SIGALRM, SIG_DFL);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  ::alarm(seconds);
  if (::geteuid() == 0 && !take_rights_on_files(user)) ::_exit(1);
  ::prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
  for (const auto& folder : folders) empty(folder);
  ::setfsuid(::geteuid());
  for (const auto& folder : folders) Entry(folder).remove();
  ::_exit(0);
}

// What can be polled for its end; -1 where it can't begin.
int begin(const std::vector<std::string>& folders, const UserIds& user, unsigned seconds) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return -1;
  const auto child = ::fork();
  if (child == 0) remove_folders(folders, user, seconds, ends[1]);
  ::close(ends[1]);
  if (child > 0) return ends[0];
  ::close(ends[0]);
  return -1;
}

bool ends_within(int process, int milliseconds) {
  pollfd file{process, 0, 0};
  return ::poll(&file, 1, milliseconds) == 1;
}

} // namespace

// It may outlive its alarm, in a file system that answers nobody.
void remove_as_user(const std::string& folder, const UserIds& user, unsigned seconds) {
  if (is_gone(folder)) return;
  const int process = begin({folder}, user, seconds);
  if (process >= 0) ends_within(process, static_cast<int>(seconds) * 1'000 + 500), ::close(process);
  tell_what_is_left(folder);
}

Removals::~Removals() {
  for (const auto& [uid, removal] : of_users_)
    if (!removal.waiting.empty()) begin(removal.waiting, removal.user, longest_s);
}

void Removals::add(const std::string& folder, const UserIds& user) {
  if (is_gone(folder)) return; // its shepherd has removed it, mostly
  auto& removal = of_users_[user.uid];
  removal.user = user;
  if (removal.waiting.size() >= most_waiting) return tell_what_is_left(folder);
  const auto name = fs::path(folder).filename().string() + ".removed";
  removal.waiting.push_back(Entry(folder).rename(name) ? folder + ".removed" : folder);
  go_on();
}

void Removals::go_on() {
  for (auto it = of_users_.begin(); it != of_users_.end();) {
    auto& [user, process, under_way, waiting] = it->second;
    if (process >= 0 && ends_within(process, 0)) {
      ::close(std::exchange(process, -1));
      for (const auto& folder : under_way) tell_what_is_left(folder);
    }
    if (process < 0 && !waiting.empty()) {
      process = begin(waiting, user, longest_s);
      if (process >= 0) under_way = std::exchange(waiting, {});
    }
    it = process < 0 && waiting.empty() ? of_users_.erase(it) : std::next(it);
  }
}

} // namespace almanac
