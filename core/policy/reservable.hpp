// Who may reserve which nodes, by a site's own conditions: reservable.ad (spec/plus.md section 7).
//
// 1. The text is read once for all requests. Its attribute PLUS_NODE_RESERVABLE decides on a node.
// 2. Only `true` admits a node. Undefined, an error or a number does not (P7.7).
// 3. Normal conditions stay as they are: it is asked about nodes that meet them (P7.6).
#pragma once

#include "core/base/result.hpp"
#include "core/base/time.hpp"
#include "core/policy/classad/classad.hpp"
#include "core/policy/reservation_usage.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace almanac {

/// What a policy sees of an execution node (P7.18 to P7.26).
struct PolicyNode {
  std::string name;
  bool is_alive = false;
  std::optional<std::int64_t>
      load{}; ///< the average that is on record, in millionths; nothing: unknown
  std::int64_t running_jobs = 0;
  std::string arch{}, os{};                   ///< "": unknown
  std::int64_t processors = 0;                ///< 0: unknown
  std::int64_t memory_bytes = 0;              ///< 0: unknown
  std::optional<std::int64_t> idle_seconds{}; ///< nothing: unknown
  std::vector<std::string> queues{};
};

/// Made once for many requests: records of the nodes, in their order. Unknown attributes are
/// missing.
AdValue policy_nodes(const std::vector<PolicyNode>& nodes);

struct PolicyRequest {
  std::string owner;
  Window window;
  std::int64_t nodes = 0;
  std::vector<std::string> users{};
};

/// What an owner has reserved, without the request that is being checked.
using UsageOf = std::function<OwnerUsage(const std::string& owner, Window within)>;

class Reservable {
public:
  /// The error says line and column; a text without PLUS_NODE_RESERVABLE is one, too.
  static Result<Reservable> parse(std::string_view text);

  const Ad& ad() const { return ad_; }
  /// Whether the same nodes may be reservable at one time and not at another.
  bool depends_on_window() const;

private:
  explicit Reservable(Ad ad) : ad_(std::move(ad)) {}
  Ad ad_;
};

/// One request, node by node in the order in which they are tried (P7.5).
class ReservableCheck {
public:
  /// `all_nodes` is made by policy_nodes(); places below are those in it.
  ReservableCheck(const Reservable& policy, const PolicyRequest& request, AdValue all_nodes,
                  UsageOf usage, Instant now);
  ReservableCheck(const ReservableCheck&) = delete;
  ReservableCheck& operator=(const ReservableCheck&) = delete;

  /// Whether the request may have this node beside those that are allocated.
  bool admits(std::size_t node);
  void allocate(std::size_t node);
  /// Why it may not, as things are now; nothing where it may.
  std::vector<AdReason> reasons(std::size_t node);

  /// The first result that was neither true nor false: "n1: undefined"; "": there was none.
  const std::string& odd_result() const { return odd_result_; }

private:
  struct Answered {
    std::string owner;
    Window within;
    AdValue usage;
  };
  void set_candidate(std::size_t node);
  std::optional<AdValue> answer(const std::vector<AdValue>& given);

  Ad ad_;
  AdList all_;
  std::shared_ptr<std::vector<AdValue>> allocated_;
  UsageOf usage_;
  std::vector<Answered> answered_; ///< questions about usage are few, and the same for each node
  AdHost host_;
  std::string odd_result_;
};

/// The first candidates, in their order, that the policy admits; nothing where fewer than `wanted`.
std::optional<std::vector<std::size_t>>
choose(ReservableCheck& check, const std::vector<std::size_t>& candidates, std::size_t wanted);

} // namespace almanac
