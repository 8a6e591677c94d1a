// The queue instances by their place in the configuration's list, with what is asked about each of
// them all the time: without looking up names.
//
// 1. Derived from configuration and tasks; rebuilt when the configuration changes.
// 2. The order in which hosts are tried follows their load, so it is kept here and changes with it.
// 3. A position is open while the tasks on it, those of reservations apart, leave a slot. What is
//    held or reserved there does not count: an open position may be full, one that is not open has
//    no room.
#pragma once

#include "core/configuration/configuration.hpp"
#include "core/job/job.hpp"

#include <cstdint>
#include <set>
#include <vector>

namespace almanac {

class InstanceOrder {
public:
  /// Where a position comes in the order of preference: the lowest first.
  struct Preference {
    std::int64_t first = 0, second = 0;
    std::size_t position = 0;
    auto operator<=>(const Preference&) const = default;
  };

  void rebuild(const Configuration& configuration);
  void place(std::size_t position, std::int64_t first, std::int64_t second);
  const std::vector<std::size_t>& on_host(std::size_t host_index) const {
    return on_host_[host_index];
  }

  void take(const Configuration& configuration, const std::vector<Grant>& grants,
            std::int64_t sign);
  bool is_open(std::size_t position) const { return taken_[position] < total_[position]; }
  /// Whether both know of the same slots; the order of preference is another matter.
  bool counts_the_same(const InstanceOrder& other) const {
    return taken_ == other.taken_ && total_ == other.total_ && free_slots_ == other.free_slots_;
  }
  /// In the order of preference.
  const std::set<Preference>& open() const { return open_; }
  /// Slots that no task takes, in all instances together.
  std::int64_t free_slots() const { return free_slots_; }

private:
  std::vector<std::int64_t> taken_, total_;
  std::vector<Preference> preferences_;
  std::vector<std::vector<std::size_t>> on_host_;
  std::set<Preference> open_;
  std::int64_t free_slots_ = 0;
};

/// The place of an instance in the configuration's list.
inline std::size_t position_of(const Configuration& configuration, const QueueInstance& instance) {
  return static_cast<std::size_t>(&instance - configuration.instances().data());
}

} // namespace almanac
