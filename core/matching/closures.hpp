// When calendars close queues, looked up again and again: worked out once for each year.
//
// Equal for equal calendars and zones whatever was asked before. What lies more than two years
// ahead is not looked at.
#pragma once

#include "core/configuration/configuration.hpp"

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace almanac {

class Closures {
public:
  void set_zone(TimeZone zone);
  const TimeZone& zone() const { return zone_; }
  /// Calendars may mean something else from now on.
  void forget() { known_.clear(); }

  /// Whether the instance is open during all of the window; always where it has no calendar.
  bool is_open(const Configuration& configuration, const QueueInstance& instance,
               Window window) const;
  /// The first start from `from` on at which it is open for so long.
  std::optional<Instant> earliest(const Configuration& configuration, const QueueInstance& instance,
                                  Instant from, Duration length) const;
  /// The ends of closures within the window, and their starts less `length`.
  std::vector<Instant> changes(const Configuration& configuration, const QueueInstance& instance,
                               Window window, Duration length) const;

private:
  const std::vector<Closure>& around(const Configuration& configuration,
                                     const std::string& calendar, Instant at) const;

  TimeZone zone_;
  mutable std::map<std::pair<std::string, std::int64_t>, std::vector<Closure>> known_;
};

} // namespace almanac
