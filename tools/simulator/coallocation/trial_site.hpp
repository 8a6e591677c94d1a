// A site of a trial: what answers the lines of a coordinator, and what it has granted.
//
// Times in milliseconds are those of the trial; what a site says is by its own clock.
#pragma once

#include "core/base/time.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace almanac {

enum class HoldState { held, committed, aborted, released };

/// What a site has, or had, of a reservation that it was asked to hold.
struct SiteHold {
  std::string reservation;   ///< RESID
  std::string transaction;   ///< TXID
  Instant start;             ///< by the clock of the site
  std::int64_t until_ms = 0; ///< when it ends by itself as long as it is held
  std::int64_t over_ms = 0;  ///< when its window ends
  HoldState state = HoldState::held;
  std::string key;               ///< RESKEY of its answer; empty: nobody looks at it
  std::int64_t forgotten_ms = 0; ///< when the site no longer knows how it was settled (M5.8)
};

class TrialSite {
public:
  struct Reply {
    std::vector<std::string> lines;
    std::int64_t at_ms; ///< when it leaves: not before the line has come
  };

  virtual ~TrialSite() = default;

  /// A line arrives. Nothing: nobody is there, or the way back has ended.
  virtual std::optional<Reply> answer(const std::string& line, std::int64_t now_ms) = 0;
  /// Nothing else happens there up to that moment.
  virtual void pass_time(std::int64_t to_ms) = 0;
  /// All that were ever granted, in the order in which they were.
  virtual const std::vector<SiteHold>& holds() const = 0;
};

} // namespace almanac
