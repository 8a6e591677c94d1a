// Slots over hosts, as the allocation rule of a parallel environment says.
//
// 1. Instances of one host share what the host offers; they give it in the order of preference.
// 2. The first slot is on an instance that can take the master. A host with such an instance comes
//    first, and the instance gives the host's first slots.
//    An instance that can take nothing but the master gives that one slot, before all others there.
// 3. What is granted on an instance is never more than what it offers, and on several together never
//    more than they share. Where they share something, the first in order take from it first; only
//    where that is too little, because what they share overlaps, they leave some of it to others
//    (allocation_exchange.hpp).
//
// Source: spec/scheduling.md sections 7.1 (S7.6 to S7.9) and 7.5, spec/quotas.md Q4.24.
#pragma once

#include "core/matching/allocation_exchange.hpp"
#include "core/matching/offers.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace almanac {

/// Slots that several offers have together only.
struct SharedSlots {
  std::vector<std::int64_t> left; ///< at least one each
  std::vector<std::vector<std::uint32_t>>
      shares; ///< of each offer: what of it; empty: none has any
};

/// Which host has the first slot: the first one that can, or the first of those on which the master
/// leaves the most slots to others.
enum class MastersHost { first, with_most_slots };

class Allocation {
public:
  /// Offers with slots, in the order of preference, of a cell with so many hosts.
  Allocation(const ParallelEnvironment& pe, std::vector<Offer> offers, std::size_t hosts_of_cell,
             SharedSlots shared = {}, MastersHost masters_host = MastersHost::first);

  /// Slots come from so many hosts at the most.
  void limit_hosts(std::int64_t most);
  /// All slots that the rule of the PE can make use of; that there are so many is all that is asked.
  std::int64_t available(std::int64_t wanted = most_slots) const;
  /// The grants for the largest number of slots of the ranges, `most` at the most, that the rule can
  /// make; the master's instance first. Empty if there is no such number.
  std::vector<Grant> largest(const std::vector<SlotRange>& ranges, std::int64_t most) const;

private:
  static constexpr std::size_t none = static_cast<std::size_t>(-1);

  // What a host gives by the rule: its instances are the chain of offers from `first` on.
  struct Host {
    std::int64_t slots = 0;
    std::size_t first = none, last = none;
    std::int64_t offered = 0;       ///< by all of them, whatever the host has and the rule says
    std::size_t only_master = none; ///< an instance for the master alone; in no chain
  };
  // What is still to be had while slots are shared out.
  struct Rest {
    std::vector<std::int64_t> shared;
    std::vector<std::int64_t> taken; ///< from each offer
  };
  // What can be taken by the rule, each time with slots of these offers.
  struct Ways {
    using Part = std::vector<std::pair<std::size_t, std::int64_t>>; ///< the offer, slots
    Choices choices;
    std::vector<Part> parts;         ///< of each choice
    std::vector<std::int64_t> times; ///< that each is taken
    std::int64_t slots = 0;          ///< in all
  };
  void chain(std::size_t hosts_of_cell);
  void put_master_first(Host& host);
  void add_to(Host& host, std::size_t offer);
  void settle(Host& host) const;
  Host with_master(Host host);
  std::vector<Host>::iterator find_masters_host(MastersHost which);
  bool can_have_master(const Host& host) const;
  bool gives_its_number(const Host& host) const;
  Rest all() const { return {shared_.left, std::vector<std::int64_t>(offers_.size(), 0)}; }
  std::int64_t take(const Host& host, std::int64_t slots, Rest& rest) const;
  std::int64_t take_from(std::size_t offer, std::int64_t slots, Rest& rest) const;
  void give_back(const Host& host, Rest& rest) const;
  std::int64_t fill(std::int64_t slots, Rest& rest) const;
  std::int64_t go_round(std::int64_t slots, Rest& rest) const;
  std::int64_t take_turns(std::int64_t slots, Rest& rest) const;
  std::int64_t on_one_host(std::int64_t slots, Rest& rest) const;
  std::int64_t spread(std::int64_t slots, Rest& rest) const;
  std::vector<Grant> grants(const Rest& rest) const;

  const Ways& exchanged(std::int64_t wanted) const;
  Ways ways_of(const std::vector<Host>& hosts) const;
  void add_ways(const Host& host, Ways& ways) const;
  void add_way(const Ways::Part& part, std::int64_t most, bool shares_host, Ways& ways) const;
  void split(std::size_t offer, std::int64_t slots, Ways::Part& part,
             std::vector<Ways::Part>& found) const;
  void exchange_in(Ways ways, std::int64_t wanted, Ways& best) const;
  Rest trimmed(const Ways& ways, std::int64_t slots) const;
  std::int64_t slots_each_time() const { return rule_ == AllocationRule::fixed ? per_host_ : 1; }

  AllocationRule rule_;
  std::int64_t per_host_;
  std::vector<Offer> offers_;
  SharedSlots shared_;
  std::vector<std::size_t> next_;         ///< of each offer: the next one on the same host
  std::vector<Host> hosts_;               ///< in the order of preference, the master's first
  bool has_first_ = false;                ///< whether that one can have the master
  mutable std::optional<Ways> exchanged_; ///< once that was needed
};

/// Whether the rule can make any number of the ranges: a fixed one only makes its multiples.
bool can_make_any(const ParallelEnvironment& pe, const std::vector<SlotRange>& ranges);

} // namespace almanac
