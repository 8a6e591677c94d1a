// Values that formulas of quota rules name and that hosts do not have: the limit is 0 there, which
// may not be what was meant.
//
// 1. It follows the records, and is asked now and then what is new. A gap that was closed and opens
//    again is new.
// 2. Only hosts count that have told what they are, and only those that the rule concerns: on others
//    nothing starts, or nothing of it.
//
// Source: spec/quotas.md section 4 (Q4.32).
#pragma once

#include "core/records/index.hpp"

#include <compare>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace almanac {

struct QuotaGap {
  std::string rule;    ///< "A/1"
  std::string limit;   ///< "slots=$cores*2"
  std::string complex; ///< that has no value there
  std::string host;
  auto operator<=>(const QuotaGap&) const = default;
};

class QuotaGaps : public Index {
public:
  explicit QuotaGaps(const Records& records) : records_(records) {}

  using Index::changed;
  void rebuild(const Records&) override { are_all_stale_ = true; }
  bool agrees(const Records&) const override { return true; }
  void reconfigured(const Records&, ChangedKinds kinds) override;
  void changed(const HostState* before, const HostState* after) override;

  /// Those that came since the last call, by host. No more than 10,000 are looked for at a time.
  std::vector<QuotaGap> take_found();

private:
  using OfHosts = std::map<std::string, std::set<QuotaGap>>;
  bool is_asked_about(const std::string& host) const {
    return are_all_stale_ || stale_.contains(host);
  }
  OfHosts find() const;

  const Records& records_;
  OfHosts known_;
  std::set<std::string> stale_; ///< hosts that are to be looked at
  bool are_all_stale_ = true;
};

} // namespace almanac
