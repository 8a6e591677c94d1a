// Who users on a host are, looked up once for a time: who runs a thousand commands costs a server of
// names one question.
#pragma once

#include "actors/ports/accounts.hpp"
#include "core/base/time.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <tuple>

namespace almanac {

class KnownAccounts {
public:
  /// As `vouched` says of the caller; nullptr: the caller is believed. Valid until the next call.
  const Vouched& find(const Caller& caller, VouchFor vouched, Instant now);

private:
  std::map<std::tuple<std::string, std::int64_t, std::string, std::int64_t>, Vouched> known_;
  Instant forgotten_at_;
};

} // namespace almanac
