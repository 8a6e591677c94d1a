#include "actors/process/users.hpp"

#include "actors/process/user_ids.hpp"

#include <algorithm>
#include <cerrno>
#include <grp.h>
#include <optional>
#include <pwd.h>
#include <unistd.h>
#include <vector>

namespace almanac {

namespace {

// One entry of a table of accounts, whatever its length.
template <class Entry> class Found {
public:
  template <class Ask, class Key> Found(Ask ask, Key key) {
    constexpr std::size_t most = 16 << 20;
    int problem = 0;
    do {
      buffer_.resize(buffer_.size() * 4);
      problem = ask(key, &entry_, buffer_.data(), buffer_.size(), &found_);
    } while (problem == ERANGE && buffer_.size() < most);
    if (problem != 0) found_ = nullptr;
    // getpwnam(3): these say that there is none, others that nobody could tell.
    const auto none = {0, ENOENT, ESRCH, EBADF, EPERM};
    has_failed_ = std::find(none.begin(), none.end(), problem) == none.end();
  }
  Found(const Found&) = delete;
  Found& operator=(const Found&) = delete;
  explicit operator bool() const { return found_ != nullptr; }
  const Entry* operator->() const { return found_; }
  bool has_failed() const { return has_failed_; }

private:
  std::vector<char> buffer_ = std::vector<char>(4096);
  Entry entry_{};
  Entry* found_ = nullptr;
  bool has_failed_ = false;
};

std::string said_of(const Caller& caller) {
  return "\"" + caller.user + "\" with uid " + std::to_string(caller.uid);
}

std::optional<std::string> contradiction(const Caller& caller) {
  const Found<passwd> named(::getpwnam_r, caller.user.c_str());
  if (named.has_failed()) return said_of(caller) + " can't be looked up";
  if (named && named->pw_uid != caller.uid)
    return said_of(caller) + " has uid " + std::to_string(named->pw_uid) + " here";
  if (named) return std::nullopt; // as one of several names of that uid, perhaps
  if (caller.uid != static_cast<uid_t>(caller.uid)) return std::nullopt;
  const Found<passwd> numbered(::getpwuid_r, static_cast<uid_t>(caller.uid));
  if (numbered.has_failed()) return said_of(caller) + " can't be looked up";
  if (!numbered) return std::nullopt;
  return said_of(caller) + " is \"" + numbered->pw_name + "\" here";
}

bool is_in_his_group(const Caller& caller) {
  const Found<group> group(::getgrnam_r, caller.group.c_str());
  if (!group) return !group.has_failed(); // nobody is known in it
  const Found<passwd> user(::getpwnam_r, caller.user.c_str());
  if (!user) return false;
  const auto all = ids_of(caller.user, user->pw_uid, user->pw_gid).groups;
  return std::find(all.begin(), all.end(), group->gr_gid) != all.end();
}

} // namespace

std::string user_name(uid_t uid) {
  const Found<passwd> user(::getpwuid_r, uid);
  return user ? user->pw_name : std::to_string(uid);
}
std::string group_name(gid_t gid) {
  const Found<group> group(::getgrgid_r, gid);
  return group ? group->gr_name : std::to_string(gid);
}

std::string host_name() {
  char name[256] = "localhost";
  ::gethostname(name, sizeof name - 1);
  return name;
}

std::optional<std::int64_t> uid_of(const std::string& user) {
  const Found<passwd> named(::getpwnam_r, user.c_str());
  return named ? std::optional<std::int64_t>(named->pw_uid) : std::nullopt;
}

Vouched vouched(Caller caller) {
  if (auto why = contradiction(caller)) {
    caller.user.clear(), caller.group.clear(), caller.uid = caller.gid = nobody;
    return {std::move(caller), "he is nobody: " + *why};
  }
  if (is_in_his_group(caller)) return {std::move(caller), ""};
  auto why = "his group is a number: " + said_of(caller) + " is not known in group \"" +
             caller.group + "\" here";
  caller.group = std::to_string(caller.gid);
  return {std::move(caller), std::move(why)};
}

} // namespace almanac
