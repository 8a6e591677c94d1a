// What a coordinator writes down before it goes on, so that it can finish after a crash (M5.9): one
// record for each co-allocation, in its last state.
#pragma once

#include "core/base/result.hpp"
#include "core/base/time.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace almanac {

/// undecided: holds were asked for. What is not known to be committed is aborted. release: a site
/// has lost its hold after the decision, so the others are given back (M5.7).
enum class CoallocationVerdict { undecided, commit, abort, release };
/// As its enumerator.
std::string name_of(CoallocationVerdict verdict);

struct SiteGrant {
  std::string site;
  Instant start;           ///< by the clock of the coordinator
  std::string reservation; ///< RESID; empty as long as it is not known
  std::string key;         ///< RESKEY
  Duration shift{};        ///< what the site's clock is ahead

  bool operator==(const SiteGrant&) const = default;
};

struct CoallocationRecord {
  std::string id;           ///< of the co-allocation
  std::int64_t attempt = 0; ///< which of its candidates; part of each TXID
  CoallocationVerdict verdict = CoallocationVerdict::undecided;
  std::vector<SiteGrant> sites;

  bool operator==(const CoallocationRecord&) const = default;
};

/// Lines of tokens.
std::string print_coallocation(const CoallocationRecord& record);
/// The error says that the text is not such a record.
Result<CoallocationRecord> parse_coallocation(std::string_view text);

} // namespace almanac
