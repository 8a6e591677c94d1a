// The site's own conditions on the hosts of one reservation (spec/plus.md section 7).
//
// 1. A host is asked about after it has met the normal conditions, in the order in which hosts are
//    tried, beside those that are taken already (P7.5, P7.6).
// 2. What a reservation has is not asked anew: its own hosts, where its new window lies within the one
//    that was granted.
#pragma once

#include "core/matching/demand.hpp"
#include "core/matching/known_nodes.hpp"
#include "core/matching/node_order.hpp"
#include "core/matching/obstacles.hpp"

#include <cstdint>
#include <optional>
#include <set>
#include <string>

namespace almanac {

/// What an owner has reserved, as often as conditions ask for it while nothing changes.
struct UsageMemo {
  struct Known {
    std::string owner;
    Window within;
    OwnerUsage usage;
  };
  std::vector<Known> known;
};

/// The owner's reservations that are held, granted or expired, and canceled ones up to then
/// (P7.56 to P7.59). `except`: one that is asked about.
OwnerUsage reserved_by(const Snapshot& state, const std::string& owner, Window within,
                       ReservationKey except, Instant now);

class NodePolicy {
public:
  /// `demand` and `obstacles` outlive it. There is a question in the demand.
  NodePolicy(const Snapshot& state, const NodeDemand& demand, Obstacles& obstacles);

  /// Says why not, of the first few that are refused.
  bool admits(const Node& node);
  void allocate(const Node& node);
  /// Of so many hosts that could be had too few were admitted; nothing where that is not the reason.
  std::optional<Statement> shortage(std::int64_t admitted) const;

private:
  OwnerUsage usage_of(const std::string& owner, Window within);
  bool is_kept(const Node& node) const { return kept_.contains(node.host()); }
  void explain(const Node& node, std::size_t place);

  const Snapshot& state_;
  const NodeDemand& demand_;
  Obstacles& obstacles_;
  const KnownNodes& known_;
  std::set<std::string> kept_;
  bool tells_of_others_ = false; ///< the conditions have asked what somebody else has reserved
  std::int64_t refused_ = 0;
  std::optional<ReservableCheck> check_; ///< nothing: the conditions cannot be read
};

} // namespace almanac
