// When calendars close queues, and maintenances hosts, looked up again and again. Calendars are worked
// out once for each year.
//
// Equal for equal calendars and zones whatever was asked before. What lies more than two years
// ahead is not looked at.
#pragma once

#include "core/configuration/configuration.hpp"
#include "core/records/maintenances.hpp"

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace almanac {

class Closures {
public:
  /// The maintenances are looked up where they are; nullptr: there are none.
  explicit Closures(const Maintenances* maintenances = nullptr) : maintenances_(maintenances) {}
  /// The same calendars with other maintenances.
  Closures with(const Maintenances* maintenances) const;

  void set_zone(TimeZone zone);
  const TimeZone& zone() const { return zone_; }
  /// Calendars may mean something else from now on.
  void forget() { known_.clear(); }

  /// Whether calendar and maintenances leave the instance open during all of the window.
  bool is_open(const Configuration& configuration, const QueueInstance& instance,
               Window window) const {
    return calendar_is_open(configuration, instance, window) && !closing(instance, window);
  }
  /// The same of its calendar only; always where it has none.
  bool calendar_is_open(const Configuration& configuration, const QueueInstance& instance,
                        Window window) const;
  /// The first maintenance that closes its host in the window; nullptr: none does.
  const Maintenance* closing(const QueueInstance& instance, Window window) const;
  /// The first start from `from` on at which it is open for so long. `firm`: how long it has to be
  /// open to maintenances, which a job without a limit may never run into.
  std::optional<Instant> earliest(const Configuration& configuration, const QueueInstance& instance,
                                  Instant from, Duration length, Duration firm) const;
  /// The ends of closures within the window, and their starts less `length`.
  std::vector<Instant> changes(const Configuration& configuration, const QueueInstance& instance,
                               Window window, Duration length) const;
  /// The same of maintenances.
  std::vector<Instant> maintenance_changes(const QueueInstance& instance, Window window,
                                           Duration length) const;

private:
  const std::vector<Closure>& around(const Configuration& configuration,
                                     const std::string& calendar, Instant at) const;
  std::optional<Instant> calendar_earliest(const Configuration& configuration,
                                           const QueueInstance& instance, Instant from,
                                           Duration length) const;

  const Maintenances* maintenances_ = nullptr;
  TimeZone zone_;
  mutable std::map<std::pair<std::string, std::int64_t>, std::vector<Closure>> known_;
};

} // namespace almanac
