// All diagrams of a cluster, or of one reservation: what is booked where and when.
//
// Where spare hosts lie there are two diagrams: one without what is booked for these, and one with it,
// but without rerunnable jobs. Neither may exceed the capacity. Where reservations that preempt lie
// there is one more, without these: it does not exceed the capacity, while with them and the jobs that
// will give way the first one may. Everywhere else one says it all.
#pragma once

#include "core/base/lookup.hpp"
#include "core/utilization/booking.hpp"
#include "core/utilization/diagram.hpp"

#include <map>
#include <string>
#include <vector>

namespace almanac {

class Ledger {
public:
  Ledger() = default;
  Ledger(Ledger&&) = default; // diagrams stay where they are
  Ledger& operator=(Ledger&&) = default;

  /// For a spare host only where open_spare() was called before.
  void book(const std::vector<Booking>& bookings, Window window, Claim claim = Claim::plain);
  /// Takes back what book() was given, with the same values.
  void release(const std::vector<Booking>& bookings, Window window, Claim claim = Claim::plain);

  /// From now on there are two diagrams; the second begins as the first one is.
  void open_spare(const Container& container, const Resource& resource);
  void close_spare(const Container& container, const Resource& resource);
  /// Takes from the second ones what rerunnable jobs had when they were opened.
  void release_beside_spares(const Booking& booking, Window window);

  /// From now on there is a diagram without reservations that preempt; it begins as the first one is,
  /// in which none is booked yet.
  void open_preempted(const Container& container, const Resource& resource);
  void close_preempted(const Container& container, const Resource& resource);

  /// The larger of both, where spare hosts lie.
  std::int64_t used(const Container& container, const Resource& resource, Window window) const;
  /// The diagram itself: it stays where it is as long as the ledger. An empty one is as good as
  /// none.
  const Diagram& at(const Container& container, const Resource& resource) const {
    return diagrams_.emplace(container)[resource];
  }
  /// The second one of the diagram; nullptr where no spare host lies.
  const Diagram* with_spares(const Diagram* diagram) const {
    if (with_spares_.empty()) return nullptr;
    const auto it = with_spares_.find(diagram);
    return it == with_spares_.end() ? nullptr : &it->second;
  }
  /// The one without reservations that preempt; nullptr where none lies.
  const Diagram* without_preempting(const Diagram* diagram) const {
    if (without_preempting_.empty()) return nullptr;
    const auto it = without_preempting_.find(diagram);
    return it == without_preempting_.end() ? nullptr : &it->second;
  }
  /// Nullptr where nothing was ever booked.
  const Diagram* find(const Container& container, const Resource& resource) const;
  /// Whether both have the same booked, at all places.
  bool operator==(const Ledger& other) const { return is_within(other) && other.is_within(*this); }

private:
  Diagram* with_spares(const Diagram& diagram);
  Diagram* without_preempting(const Diagram& diagram);
  bool is_within(const Ledger& other) const;

  mutable Lookup<std::map<Resource, Diagram>, Container> diagrams_;
  std::map<const Diagram*, Diagram> with_spares_;        ///< only looked up
  std::map<const Diagram*, Diagram> without_preempting_; ///< likewise
};

} // namespace almanac
