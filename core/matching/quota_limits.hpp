// What resource quota sets leave of places, for one request in one window.
//
// 1. Jobs in a reservation, and reservations, are not limited (spec/quotas.md Q4.35, Q4.36).
// 2. Limits that are the same everywhere are looked at once, the others at each place.
// 3. Without jobs (-w v), limits hold and nothing is used.
//
// Source: spec/quotas.md sections 3 and 4 (Q4.23 to Q4.26).
#pragma once

#include "core/matching/allocation.hpp"
#include "core/matching/obstacles.hpp"
#include "core/matching/supply.hpp"
#include "core/policy/quota_counters.hpp"

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace almanac {

/// A limit that the request meets at a place.
struct QuotaPool {
  std::size_t set = 0, rule = 0;
  const QuotaLimit* limit = nullptr;
  QuotaKey key;
  const ConsumableDemand* asked = nullptr;
  std::int64_t most = 0;
  const Diagram* used = nullptr;   ///< nullptr: nothing is
  const Diagram* shared = nullptr; ///< for who is alone or beside: what the others have
};

class QuotaLimits {
public:
  /// In the parallel environment; "": in none. All of these outlive it.
  QuotaLimits(const Snapshot& state, const Supply& supply, const Demand& demand,
              const std::string& pe);

  /// Whether any rule may concern the request.
  bool any() const { return membership_ != nullptr; }
  /// What the limits leave that are the same everywhere, with the obstacle where that is too little
  /// for the smallest request.
  CellOffer everywhere(Window window, Obstacles& obstacles) const;
  /// Whether the other limits leave a slot there, with the obstacle.
  bool admits(const QueueInstance& instance, Window window, Obstacles& obstacles) const;
  /// Drops offers of which nothing is left, and says which of the others share what is left.
  SharedSlots narrow(std::vector<Offer>& offers, Window window, Obstacles& obstacles) const;
  /// Where these offers, as they were before they were narrowed, came to no place: names the limits of
  /// which fewer slots are left than they offer and the smallest request takes. Ten at the most.
  void explain_few(const std::vector<Offer>& offers, Window window, Obstacles& obstacles) const;

  /// Whether the grants fit into what is left during all of the window.
  bool fits(const std::vector<Grant>& grants, Window window) const;

  /// Whether what is asked of fixed attributes is never let in there.
  bool is_denied_for_good(const QueueInstance& instance) const;

  /// Limits met at a place, but for those that are the same everywhere.
  std::vector<QuotaPool> pools_at(const QueueInstance& instance) const;
  /// Those that are.
  std::vector<QuotaPool> pools_everywhere() const;

private:
  struct FixedDenial {
    std::size_t limit = 0;              ///< of the rule
    std::string most;                   ///< as it is on the host
    const std::string* asked = nullptr; ///< nullptr: it is not asked for, and has to be
  };
  class Sharing;
  class Wanting;
  bool narrow(Offer& offer, Window window, Sharing& sharing, Obstacles& obstacles) const;
  template <class Take>
  void each_pool(std::size_t set, std::size_t rule, const QueueInstance& instance, Take take) const;
  template <class Take> void each_pool_at(const QueueInstance& instance, Take take) const;
  template <class Take> void each_pool_everywhere(Take take) const;
  std::optional<FixedDenial> fixed_denial(std::size_t set, std::size_t rule,
                                          const QueueInstance& instance) const;
  bool admits_fixed(std::size_t set, std::size_t rule, const QueueInstance& instance,
                    Obstacles& obstacles) const;
  std::int64_t most_of(const QuotaLimit& limit, const QueueInstance& instance) const;
  std::int64_t times_needed(const ConsumableDemand& asked) const;
  std::int64_t times_free(const QuotaPool& pool, Window window) const;
  void explain(const QuotaPool& pool, Window window, Obstacles& obstacles) const;
  Statement denial(const QuotaPool& pool, Window window) const;
  void add_holders(Statement& statement, const QuotaPool& pool, Window window) const;
  std::optional<Instant> earliest_fit(const QuotaPool& pool, Window window) const;

  const Snapshot& state_;
  const Supply& supply_;
  const Demand& demand_;
  const QuotaCounters& counters_;
  const QuotaMembership* membership_ = nullptr; ///< nullptr: no rule may concern the request
  mutable std::set<std::string> explained_;     ///< once for each key and rule (Q7.6)
};

/// The same of one who asks nothing else.
bool is_within_quotas(const Snapshot& state, const Supply& supply, const Demand& demand,
                      const std::string& pe, const std::vector<Grant>& grants, Window window);

} // namespace almanac
