// What each queue instance offers to one request in one window, and why it offers nothing.
//
// 1. What the cell has is counted once for all instances; what a host has, with each of its instances.
// 2. Obstacles are made only where somebody reads them (obstacles.hpp). They come in the order in which
//    instances are asked, and for each in the order of the consumptions: the host's, then the
//    instance's own.
//
// Source: spec/scheduling.md sections 6, 7.4 (S7.13, S7.14) and 15.
#pragma once

#include "core/matching/obstacles.hpp"
#include "core/matching/pool.hpp"
#include "core/matching/occupants.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace almanac {

/// What the cell has for all instances together.
struct CellOffer {
  std::int64_t slots = most_slots;
  std::int64_t hosts = most_slots; ///< for so many there is enough of what is taken per host
};

/// One instance with the number of slots that it can give.
struct Offer {
  const QueueInstance* instance = nullptr;
  std::int64_t slots = most_slots;
  std::int64_t on_host = most_slots; ///< that the host can give in all its instances together
  bool can_be_master = true;         ///< the first slot may be here
  bool can_be_slave = true;          ///< another slot than the first may be here
  std::int64_t unmet = 0;            ///< soft requests, for each slot
};

class Offers {
public:
  /// For as long as all of these live.
  Offers(const Snapshot& state, const Supply& supply, const Demand& demand, Window window,
         Obstacles& obstacles);

  /// Nothing, with the obstacle, where the cell has too little for the smallest request.
  std::optional<CellOffer> of_cell();
  /// What the instance can give by itself; where that is nothing, with the obstacle.
  Offer of(const QueueInstance& instance);

  /// That the parallel environment has too few slots, where that is to be said in full.
  void explain_pe(const ParallelEnvironment& pe);

  const std::vector<Consumption>& consumptions() const { return consumptions_; }

private:
  void explain_scope(const QueueInstance& instance, const char* scope);
  void count(const Consumption& consumption, Offer& offer);
  void explain_none(const QueueInstance& instance, const ConsumableDemand& asked);
  bool is_there(const Pools& pools, const ConsumableDemand& asked) const;
  std::int64_t unmet_by(const QueueInstance& instance) const;
  void explain_closed(const QueueInstance& instance);
  void explain_maintenance(const QueueInstance& instance, const Maintenance& closing);
  void explain_full(const Pool& pool, const ConsumableDemand& asked);
  void explain_in_full(Statement container, const Capacity& capacity, const Container& place,
                       const ConsumableDemand& asked);
  bool is_less(std::int64_t times, const ConsumableDemand& asked) const;
  std::int64_t times_needed(const ConsumableDemand& asked) const;
  Occupants& occupants();
  std::vector<Statement> shares(const Container& container, const ConsumableDemand& asked);

  const Snapshot& state_;
  const Supply& supply_;
  const Demand& demand_;
  Window window_;
  Obstacles& obstacles_;
  std::vector<Consumption> consumptions_, soft_;
  std::optional<Occupants> occupants_; ///< made for the first obstacle that names them
};

} // namespace almanac
