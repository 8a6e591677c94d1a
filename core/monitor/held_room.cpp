#include "core/monitor/held_room.hpp"

#include "core/monitor/booked_slots.hpp"
#include "core/records/bookkeeping.hpp"

namespace almanac {

namespace {

template <class Take> void each_held(const Reservation& reservation, Take take) {
  if (reservation.is_over() || reservation.request.maintenance) return;
  if (reservation.left_behind.empty()) return each_booked_slots(reservation, take);
  auto without = reservation;
  without.left_behind.clear();
  each_booked_slots(without, take);
}

void book(Diagram& diagram, Window window, std::int64_t slots, std::int64_t sign) {
  sign > 0 ? diagram.add(window, slots) : diagram.remove(window, slots);
}

std::optional<std::string> above(const Configuration& configuration, const InstanceName& name,
                                 const std::map<InstanceName, Diagram>& diagrams, Window window,
                                 std::int64_t more = 0) {
  const auto* instance = configuration.instance(name);
  const auto it = diagrams.find(name);
  const auto used = more + (it == diagrams.end() ? 0 : it->second.max(window));
  if (!instance || used <= instance->settings.slots) return std::nullopt;
  return std::to_string(used) + " of " + std::to_string(instance->settings.slots) + " slots on " +
         name.text();
}

} // namespace

void HeldRoom::count(const Reservation& reservation, std::int64_t sign) {
  each_held(reservation,
            [&](const InstanceName& name, std::int64_t slots, Window window, Claim claim) {
              book(held_[name], window, slots, sign);
              if (claim != Claim::preempting) book(stays_[name], window, slots, sign);
            });
}

void HeldRoom::count(const Task& task, std::int64_t sign) {
  if (task.rerunnable || task.deleting) return;
  for (const auto& grant : task.grants)
    book(stays_[grant.instance], firm_window(task), grant.slots, sign);
}

std::optional<std::string> HeldRoom::taken_by(const Configuration& configuration,
                                              const Task& task) const {
  for (const auto& grant : task.grants)
    if (auto where = above(configuration, grant.instance, stays_, firm_window(task),
                           task.rerunnable ? grant.slots : 0))
      return where;
  return std::nullopt;
}

std::optional<std::string> HeldRoom::taken_by(const Configuration& configuration,
                                              const Reservation& reservation, bool is_new) const {
  std::optional<std::string> found;
  each_held(reservation, [&](const InstanceName& name, std::int64_t, Window window, Claim claim) {
    if (!found) found = above(configuration, name, held_, window);
    if (!found && is_new && claim != Claim::preempting)
      found = above(configuration, name, stays_, window);
  });
  return found;
}

} // namespace almanac
