#include "core/planning/commands/configuration_guards.hpp"

#include "core/job/inside.hpp"
#include "core/planning/commands/held_nodes.hpp"
#include "core/planning/commands/references.hpp"

#include <algorithm>
#include <optional>
#include <set>

namespace almanac::rules {

namespace {

void open_spares(const Reservation& reservation, Ledger& ledger) {
  each_booked(reservation, [&](const std::vector<Booking>& bookings, Window, Claim claim) {
    if (claim != Claim::spare) return;
    for (const auto& booking : bookings) ledger.open_spare(booking.container, booking.resource);
  });
}

Ledger reserved_in(const State& state) {
  Ledger reserved;
  for (const auto& reservation : state.reservations())
    if (!reservation.is_over()) open_spares(reservation, reserved);
  for (const auto& reservation : state.reservations())
    if (!reservation.is_over())
      each_booked(reservation, [&](const std::vector<Booking>& bookings, Window window,
                                   Claim claim) { reserved.book(bookings, window, claim); });
  return reserved;
}

// With what runs; what is held for waiting jobs gives way.
Ledger taken_in(const State& state) {
  auto taken = reserved_in(state);
  for (const auto key : state.occupancy().ends.jobs())
    for (const auto& task : state.tasks_of(key))
      if (!reservation_of(*state.job(key), task))
        taken.book(task.bookings, task.booked, task.rerunnable ? Claim::rerunnable : Claim::plain);
  return taken;
}

// The slots of a parallel environment below which it can't go.
std::int64_t peak_of(const State& state, const Ledger& taken, const Booking& slots) {
  std::int64_t peak = 0;
  for (const auto& reservation : state.reservations())
    if (!reservation.is_over())
      for (const auto* shape : shapes_of(reservation))
        if (shape->pe == slots.container.name)
          peak = std::max(peak, taken.used(slots.container, slots.resource, shape->window));
  return peak;
}

std::vector<Booking> all_bookings(const Shape& shape) {
  auto all = shape.bookings;
  all.insert(all.end(), shape.spare_bookings.begin(), shape.spare_bookings.end());
  return all;
}

// Guards G1, G3 and G4 of spec/reservations.md section 10.3: would this void what was granted?
void add_broken_promises(const State& state, const Configuration& next,
                         const std::set<std::string>& erased, Obstacles& obstacles) {
  const auto reserved = reserved_in(state);
  // Many reservations may lie on what one sentence is about.
  std::set<std::pair<AnswerCode, std::string>> said;
  const auto add = [&](const std::string& about, Statement reason) {
    if (said.emplace(reason.code, about).second) obstacles.add(std::move(reason));
  };
  std::optional<Ledger> taken; // most changes touch nothing that is reserved
  const Window always{{0}, Instant::never()};
  for (const auto& reservation : state.reservations()) {
    if (reservation.is_over()) continue;
    for (const auto* shape : shapes_keeping(reservation, erased)) {
      for (const auto& booking : all_bookings(*shape)) {
        const auto before =
            configured_capacity(state.configuration(), booking.container, booking.resource);
        const auto after = configured_capacity(next, booking.container, booking.resource);
        if (before == after || (before && after && *before < *after)) continue;
        if (!taken) taken.emplace(taken_in(state));
        const auto used = taken->used(booking.container, booking.resource, shape->window);
        if (after && used <= *after) continue;
        const auto most = reserved.used(booking.container, booking.resource, always);
        if (booking.container.kind == Container::Kind::pe) {
          add(booking.container.name, {AnswerCode::pe_slots_break_reservations,
                                       {{"slots", peak_of(state, *taken, booking)}}});
        } else if (booking.container.kind == Container::Kind::queue &&
                   booking.resource == "slots") {
          const auto more = used - reserved.used(booking.container, "slots", shape->window);
          add(booking.container.name,
              {more > 0 ? AnswerCode::slots_reserved_and_used : AnswerCode::slots_reserved,
               {{"slots", most}, {"queue", booking.container.name}, {"used", more}}});
        } else
          add(booking.resource.name,
              {AnswerCode::amount_breaks_reservation, {{"complex", booking.resource.name}}});
      }
    }
  }
}

// Guard G7: a calendar may not close what is reserved.
void add_closed_promises(const State& state, const Configuration& next, Instant now,
                         Obstacles& obstacles) {
  Closures closures;
  closures.set_zone(state.closures().zone());
  const auto closed = [&](const Shape& shape) -> const QueueInstance* {
    const Window window{std::max(shape.window.start, now), shape.window.end};
    if (window.end <= now) return nullptr;
    for (const auto& grant : shape.with_spares()) {
      const auto* instance = next.instance(grant.instance);
      if (!instance || closures.calendar_is_open(next, *instance, window)) continue;
      const auto* before = state.configuration().instance(grant.instance);
      if (before && !state.closures().calendar_is_open(state.configuration(), *before, window))
        continue;
      return instance;
    }
    return nullptr;
  };
  for (const auto& reservation : state.reservations()) {
    if (reservation.is_over()) continue;
    for (const auto* shape : shapes_of(reservation))
      if (const auto* instance = closed(*shape)) {
        obstacles.add(
            {AnswerCode::calendar_breaks_reservation,
             {{"calendar", instance->settings.calendar}, {"reservation", reservation.number}}});
        break;
      }
  }
}

// Those that are taken away, or live on only for what has them.
std::set<InstanceName> lost_instances(const Configuration& before, const Configuration& next) {
  std::set<InstanceName> lost;
  for (const auto& instance : before.instances()) {
    const auto* after = next.instance(instance.name);
    if (!after || (after->orphaned && !instance.orphaned)) lost.insert(instance.name);
  }
  return lost;
}

// What running tasks stand on has to stay.
void add_broken_jobs(const State& state, const Configuration& next, Obstacles& obstacles) {
  const auto lost = lost_instances(state.configuration(), next);
  if (lost.empty()) return;
  std::set<std::pair<InstanceName, JobKey>> said; // an array may have many tasks there
  for (const auto& task : state.tasks()) {
    if (obstacles.list().size() >= most_reasons) return;
    for (const auto& grant : task.grants) {
      if (!lost.contains(grant.instance) || !said.emplace(grant.instance, task.job).second)
        continue;
      const bool is_deleted = !next.find(ObjectKind::cluster_queue, grant.instance.queue);
      obstacles.add({is_deleted ? AnswerCode::running_jobs_in_deleted_queue
                                : AnswerCode::running_jobs_in_queue,
                     {{"queue", grant.instance.text()}, {"job", state.job(task.job)->number}}});
    }
  }
}

// The host on which the master runs always has its say.
void add_lost_master_host(const State& state, const Configuration& next, Obstacles& obstacles) {
  const auto& host = state.master_host();
  if (host.empty() || (next.is_admin_host(host) && next.is_submit_host(host))) return;
  obstacles.add({AnswerCode::master_host_stays,
                 {{"host", host}, {"list", next.is_admin_host(host) ? "submit" : "admin"}}});
}

} // namespace

std::vector<Statement> obstacles_to_erasing(const State& state,
                                            const std::vector<ConfigurationChange>& changes) {
  Obstacles found;
  for (const auto& change : changes)
    if (change.verb == ChangeVerb::erase)
      add_references(state, change.object.kind, change.object.name, found);
  return found.list();
}

std::vector<Statement> obstacles(const State& state, const Configuration& next,
                                 const std::vector<ConfigurationChange>& changes, Instant now) {
  Obstacles found;
  add_changed_meaning(state, next, found);
  add_lost_master_host(state, next, found);
  add_lost_access(state, next, changes, found);
  add_broken_promises(state, next, erased_hosts(changes), found);
  add_closed_promises(state, next, now, found);
  add_broken_jobs(state, next, found);
  return found.list();
}

} // namespace almanac::rules
