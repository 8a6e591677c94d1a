#include "core/planning/facts/repair_notes.hpp"

#include "core/matching/class_request.hpp"
#include "core/planning/replaced_grants.hpp"
#include "core/planning/reservation_health.hpp"
#include "core/planning/tasks_inside.hpp"
#include "core/planning/texts.hpp"
#include "core/text/words.hpp"

#include <algorithm>
#include <set>
#include <utility>

namespace almanac::rules {

namespace {

// Of where it lacks something now, with what was replaced there; what is wholly replaced is no loss any
// more. `lost`: with what is being replaced.
std::int64_t lost_slots(const Reservation& reservation, const std::vector<Grant>& lost) {
  std::int64_t slots = 0;
  for (const auto& grant : lost) {
    const auto& original = reservation.original;
    const auto it = std::find_if(original.begin(), original.end(),
                                 [&](const Grant& one) { return one.instance == grant.instance; });
    slots += std::max(grant.slots, it == original.end() ? 0 : it->slots);
  }
  return slots;
}

Statement in_part(std::int64_t slots, std::int64_t missing) {
  return {AnswerCode::repaired_in_part, {{"found", slots - missing}, {"slots", slots}}};
}

bool is_left_behind(const Reservation& reservation, const Task& task) {
  const auto& all = reservation.left_behind;
  return std::any_of(task.grants.begin(), task.grants.end(), [&](const Grant& grant) {
    return std::any_of(all.begin(), all.end(),
                       [&](const LeftBehind& left) { return left.instance == grant.instance; });
  });
}

// What is counted in the whole cell is not booked twice.
Amounts kept_of_cell(const State& state, const Reservation& reservation) {
  Amounts kept;
  if (reservation.left_behind.empty()) return kept;
  each_task_inside(state, reservation, [&](const Job&, const Task& task) {
    if (!is_left_behind(reservation, task)) return;
    for (const auto& booking : task.bookings)
      if (booking.container == Container::global() && !booking.resource.beside)
        kept[{booking.container, booking.resource}] += booking.amount;
  });
  return kept;
}

// Hosts, all of which are lost, where it may lie on no other one because of what it asks for.
std::string only_requested(const State& state, const Demand& demand) {
  const bool names_places =
      !demand.queues.empty() ||
      std::any_of(demand.fixed.begin(), demand.fixed.end(),
                  [](const FixedDemand& one) { return one.complex->name == "hostname"; });
  if (!names_places) return "";
  std::set<std::string> hosts;
  const auto suitable = suitable_for(state, demand);
  for (const auto* instance : *suitable) {
    if (!is_lost(state, instance->name)) return "";
    hosts.insert(instance->name.host);
  }
  return join({hosts.begin(), hosts.end()}, ",");
}

} // namespace

// Not of the last replacement only.
std::string note_of(const State& state, const Reservation& reservation,
                    const Replacement& replacement) {
  const auto& grants = reservation.shape.grants;
  auto lost = without(reservation.original, grants), found = without(grants, reservation.original);
  if (found.empty()) lost = replacement.replaced, found = replacement.found;
  if (found.empty()) return "";
  auto note = text_of(replacement.still_lost > 0
                          ? in_part(lost_slots(reservation, merged(lost_grants(state, reservation),
                                                                   replacement.replaced)),
                                    replacement.still_lost)
                          : replacement_of(lost, found));
  std::vector<Statement> amounts;
  for (const auto& [place, amount] : kept_of_cell(state, reservation))
    if (const auto* complex = state.configuration().complexes().find(place.second.name))
      amounts.push_back({AnswerCode::a_grant,
                         {{"queue", place.second.name}, {"slots", complex->print_amount(amount)}}});
  if (!amounts.empty())
    note += "; " + text_of({AnswerCode::left_behind_keeps, {{"what", std::move(amounts)}}});
  return note;
}

std::string note_of_undo(const std::vector<Grant>& before, const std::vector<Grant>& now) {
  const auto left = without(before, now), back = without(now, before);
  if (back.empty()) return "";
  if (left.empty()) return text_of({AnswerCode::repair_undone, {{"again", listed(back)}}});
  return text_of({AnswerCode::repair_undone, {{"left", listed(left)}, {"back", listed(back)}}});
}

Statement why_not(const State& state, const Reservation& reservation, const Demand& demand,
                  const std::vector<Grant>& lost, std::vector<Statement> obstacles) {
  constexpr std::size_t most = 3;
  const auto missing = slots_of(lost);
  if (const auto slots = lost_slots(reservation, lost); slots > missing)
    return in_part(slots, missing);
  if (const auto hosts = only_requested(state, demand); !hosts.empty())
    return {AnswerCode::only_lost_was_requested, {{"hosts", hosts}}};
  auto none = replacement_of(lost, {});
  const auto more = obstacles.size() > most ? obstacles.size() - most : 0;
  obstacles.resize(obstacles.size() - more);
  if (!obstacles.empty()) none.details.emplace_back("why", std::move(obstacles));
  if (more > 0) none.details.emplace_back("more", more);
  return none;
}

} // namespace almanac::rules
