// What a job or a reservation asks of a place, with names resolved against the complexes.
#pragma once

#include "core/answer/statement.hpp"
#include "core/job/consumables.hpp"
#include "core/matching/snapshot.hpp"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace almanac {

struct FixedDemand {
  const Complex* complex;
  std::string value;
};

/// What is preferred and may be missing (-soft).
struct SoftDemand {
  std::vector<FixedDemand> fixed;
  std::vector<ConsumableDemand> consumables; ///< looked for, never booked
  std::vector<std::string> queues;
  bool is_empty() const { return fixed.empty() && consumables.empty() && queues.empty(); }
};

/// What the site's own conditions on hosts are asked with (spec/plus.md section 7).
struct NodeQuestion {
  Instant now;
  Window window; ///< all of it, also what has passed
};
struct UsageMemo;

/// Whole hosts, or some slots on each of several hosts (spec/plus.md section 3).
struct NodeDemand {
  std::int64_t count = 0;           ///< hosts; 0: the demand is for slots, wherever they are
  std::int64_t slots = 0;           ///< on each of them; 0: all that it has
  bool whole = false;               ///< nobody else is there
  std::vector<FixedDemand> least{}; ///< amounts that each has at least, whatever their relation is
  std::string system{};             ///< its operating system or architecture; "": any
  std::string owner{};              ///< who asks
  std::vector<std::string> users{}; ///< who may use them
  ReservationKey changes{};         ///< that it is another shape of; 0: of none
  bool asks_site = true;            ///< false: as if the site had no conditions of its own
  /// Nothing: they are not asked, as where what is lost is replaced.
  std::optional<NodeQuestion> question{};
  /// Where they are asked often while nothing changes.
  std::shared_ptr<UsageMemo> usage{};
};

struct Demand {
  std::vector<FixedDemand> fixed;
  std::vector<ConsumableDemand> consumables; ///< slots first
  std::vector<FixedDemand> load; ///< what hosts report all the time: counts for now only
  std::vector<std::string> queues;
  std::vector<std::string> master_queues;  ///< where its first slot has to be; empty: anywhere
  std::vector<FixedDemand> master_fixed{}; ///< beside `fixed`, of the instance of the first slot
  std::vector<std::string> slave_queues{}; ///< where its other slots have to be; empty: anywhere
  std::vector<FixedDemand> slave_fixed{};  ///< beside `fixed`, of the instances of the others
  SoftDemand soft;
  std::string project;
  std::string checkpoint;   ///< the instance has to list it; "": none
  bool interactive = false; ///< looks for interactive queues, not for batch queues
  bool reserves = false;    ///< for a reservation, whose users may be several
  std::string pe;
  std::vector<SlotRange> slots;
  std::int64_t spares = 0; ///< hosts, of a reservation
  NodeDemand nodes{};      ///< of a reservation by hosts, which has no PE
  bool preempts = false;   ///< jobs outside of reservations are not in its way (spec/plus.md P5.9)
  /// In place of that of the PE: of -par, or of a reservation that is repaired; "": as it is today.
  std::string pe_rule{};
  /// Everybody who must be let in: users with their group, or "@list" as user.
  std::vector<std::pair<std::string, std::string>> users;
  std::string description; ///< "-l a=1,b=2" for reasons

  /// Whether some instances may take the first slot only.
  bool has_slave_scope() const { return !slave_queues.empty() || !slave_fixed.empty(); }
};

/// Looks up the requests; the error names what is unknown, not requestable or malformed.
/// `kind` is what messages call the request: "job" or "advance_reservation". `rule`: of -alloc, with
/// the slots.
Result<Demand, Statement> resolve_demand(const Configuration& configuration,
                                         const std::vector<Attribute>& resources,
                                         const std::vector<std::string>& queues,
                                         const std::string& pe, const std::vector<SlotRange>& slots,
                                         const std::string& kind, const std::string& rule = "");

/// Refuses the first requested queue that does not exist.
Result<Done, Statement> check_queues(const Configuration& configuration,
                                     const std::vector<std::string>& queues);

/// Of requests for the same resource, by name or by shortcut, the last one counts (spec/cli.md C3.4,
/// spec/reservations.md R6.7).
std::vector<Attribute> last_of_each(const ComplexTable& complexes,
                                    const std::vector<Attribute>& requests);

/// The same for a job of this owner.
Result<Demand, Statement> demand_of_job(const Configuration& configuration,
                                        const JobRequest& request, const Caller& owner);

/// Whether one of the queues that are asked for ("all.q", "*@h1", "all.q@@group") is this instance.
bool is_among(const Configuration& configuration, const std::vector<std::string>& queues,
              const QueueInstance& instance);

} // namespace almanac
