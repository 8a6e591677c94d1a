// How many requests may be there at once: of all, of each user, and of those that one agent brings.
//
// An agent brings requests of whomever it names, so all that come through it have one share
// together, however many users they are of.
#pragma once

#include "core/admission/share.hpp"

#include <cstdint>
#include <limits>
#include <map>
#include <string>

namespace almanac {

class RequestPlaces {
public:
  struct Limits {
    std::int64_t all = std::numeric_limits<std::int64_t>::max();
    std::int64_t kept = 0; ///< of them, for those who come first
    std::int64_t of_user = 0;
    Share::Limits of_agent;
  };
  /// Whose request it is. `agent`: who brings it; "" where the kernel of the master's host knows
  /// the user.
  struct Asker {
    std::int64_t uid = 0;
    std::string agent;
  };

  explicit RequestPlaces(const Limits& limits) : limits_(limits), of_agent_(limits.of_agent) {}

  /// A place, or none: false. Whoever asks and gets none leaves nothing behind.
  bool take(const Asker& asker, Share::Rank rank = Share::Rank::ordinary);
  void give_back(const Asker& asker);

  std::int64_t taken() const { return taken_; }
  /// Those who have a place, by uid.
  const std::map<std::int64_t, std::int64_t>& of_users() const { return of_user_; }

private:
  Limits limits_;
  std::int64_t taken_ = 0;
  std::map<std::int64_t, std::int64_t> of_user_;
  Share of_agent_;
};

} // namespace almanac
