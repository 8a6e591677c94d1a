// What jobs and reservations refer to stays while they do (spec/objects.md section 0, Reference
// integrity; spec/reservations.md section 10.3, G11).
#include "core/planning/rules.hpp"

namespace almanac::rules {

namespace {

std::vector<const Shape*> shapes_of(const Reservation& reservation) {
  std::vector<const Shape*> shapes;
  if (reservation.phase != ReservationPhase::held) shapes.push_back(&reservation.shape);
  for (const auto& proposal : reservation.proposed) shapes.push_back(&proposal.shape);
  return shapes;
}

// Queues and hosts are asked by the configuration itself; what was taken out of them lives on in
// orphaned instances.
bool is_calendar_of(const State& state, const Reservation& reservation, const std::string& name) {
  for (const auto* shape : shapes_of(reservation))
    for (const auto& grant : shape->grants)
      if (const auto* instance = state.configuration.instance(grant.instance))
        if (instance->orphaned && instance->settings.calendar == name) return true;
  return false;
}

bool refers(const State& state, const Reservation& reservation, ObjectKind kind,
            const std::string& name) {
  return kind == ObjectKind::calendar && is_calendar_of(state, reservation, name);
}

} // namespace

std::optional<std::string> reference_to(const State& state, ObjectKind kind,
                                        const std::string& name) {
  for (const auto& [key, reservation] : state.reservations())
    if (refers(state, reservation, kind, name))
      return "denied: " + std::string(kind_name(kind)) + " \"" + name +
             "\" is referenced in advance reservation " + std::to_string(reservation.number);
  return std::nullopt;
}

} // namespace almanac::rules
