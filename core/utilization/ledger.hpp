// All diagrams of a cluster, or of one reservation: what is booked where and when.
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
  void book(const std::vector<Booking>& bookings, Window window);
  /// Takes back what book() was given, with the same values.
  void release(const std::vector<Booking>& bookings, Window window);

  std::int64_t used(const Container& container, const Resource& resource, Window window) const;
  /// The diagram itself: it stays where it is as long as the ledger. An empty one is as good as
  /// none.
  const Diagram& at(const Container& container, const Resource& resource) const {
    return diagrams_.emplace(container)[resource];
  }
  /// Nullptr where nothing was ever booked.
  const Diagram* find(const Container& container, const Resource& resource) const;
  /// Whether both have the same booked, at all places.
  bool operator==(const Ledger& other) const { return is_within(other) && other.is_within(*this); }

private:
  bool is_within(const Ledger& other) const;

  mutable Lookup<std::map<Resource, Diagram>, Container> diagrams_;
};

} // namespace almanac
