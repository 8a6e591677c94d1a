// Removing folders that a user has filled, with the user's rights on files.
//
// 1. A process of its own does it, which the user can neither signal nor trace nor slow down.
// 2. What is removed, and renamed before, is an entry of a folder of this process's own. In another
//    one, which its owner could put a link in the place of, it is left.
// 3. It may take for ever (file systems of the user's own): nobody waits for it without end, and it
//    ends itself in time. What is left then is said on standard error.
#pragma once

#include "actors/process/user_ids.hpp"

#include <map>
#include <string>
#include <vector>

namespace almanac {

/// Of a shepherd: its task has not ended before. The helper goes on with what is left.
constexpr unsigned patience_s = 60;

/// Until `folder` is gone, or for `seconds`.
void remove_as_user(const std::string& folder, const UserIds& user, unsigned seconds);

/// What nobody waits for. Each user has one such process at a time, which outlives this one.
class Removals {
public:
  Removals() = default;
  ~Removals(); ///< what waits for another one begins
  Removals(const Removals&) = delete;
  Removals& operator=(const Removals&) = delete;

  /// `folder` has another name at once, so that a new one can be made in its place.
  void add(const std::string& folder, const UserIds& user);
  /// To be called now and then: what waited for another one may begin.
  void go_on();

private:
  struct OfUser {
    UserIds user;
    int process = -1; ///< ends with it
    std::vector<std::string> under_way = {}, waiting = {};
  };
  std::map<uid_t, OfUser> of_users_;
};

} // namespace almanac
