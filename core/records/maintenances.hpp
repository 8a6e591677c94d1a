// Granted maintenances by the hosts that they close (spec/beyond.md section 6).
#pragma once

#include "core/records/index.hpp"

#include <map>
#include <set>
#include <string>
#include <vector>

namespace almanac {

/// A host is closed in this window, to all but the jobs inside the maintenance.
struct Maintenance {
  Window window;
  ReservationKey key;
  ReservationNumber number;
  bool has_begun = false;
  auto operator<=>(const Maintenance& other) const {
    return window.start != other.window.start ? window.start <=> other.window.start
                                              : key <=> other.key;
  }
  bool operator==(const Maintenance&) const = default;
};

class Maintenances : public ComparedIndex<Maintenances> {
public:
  using Index::changed;
  bool operator==(const Maintenances&) const = default;
  void rebuild(const Records& records) override;
  void changed(const Reservation* before, const Reservation* after) override;

  bool empty() const { return on_.empty(); }
  /// Ascending by their starts.
  const std::vector<Maintenance>& on(const std::string& host) const;
  /// Of all hosts, ascending.
  const std::set<ReservationKey>& keys() const { return keys_; }
  /// Of those that have begun on the host the one that ends last; nullptr: none has.
  const Maintenance* present_on(const std::string& host) const;

  void add(const Reservation& reservation);
  void remove(const Reservation& reservation);

private:
  std::map<std::string, std::vector<Maintenance>> on_;
  std::set<ReservationKey> keys_;
};

} // namespace almanac
