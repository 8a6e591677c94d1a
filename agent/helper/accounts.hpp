// Users as this machine knows them. What was looked up is remembered for some seconds: an array of
// a thousand tasks asks once, not each shepherd for itself.
#pragma once

#include "actors/process/user_ids.hpp"
#include "core/base/result.hpp"

#include <map>
#include <string>
#include <vector>

namespace almanac {

struct UserFacts {
  std::string name, home, shell;
  std::int64_t uid = 0, gid = 0;
  std::vector<gid_t> groups = {}; ///< all that the user is in
};

UserIds ids_of(const UserFacts& user);

class Accounts {
public:
  Result<UserFacts> find(const std::string& name);

private:
  struct Entry {
    UserFacts user;
    std::int64_t until = 0; ///< boot_clock_ms()
  };
  std::map<std::string, Entry> entries_;
};

} // namespace almanac
