#include "core/planning/commands/references.hpp"

#include "core/matching/instance_obstacles.hpp"
#include "core/matching/reservation_places.hpp"
#include "core/text/pattern.hpp"

#include <algorithm>
#include <functional>

// What jobs and reservations refer to stays while they do, and keeps its meaning (spec/objects.md
// section 0, Reference integrity; spec/reservations.md section 10.3, G11).

namespace almanac::rules {

namespace {

bool holds_a_grant(const Reservation& reservation,
                   const std::function<bool(const InstanceName&)>& is_meant) {
  for (const auto* shape : shapes_of(reservation))
    for (const auto& grant : shape->grants)
      if (is_meant(grant.instance)) return true;
  return false;
}

// Queues are asked by the configuration itself; what was taken out of them lives on in orphaned
// instances.
bool is_calendar_of_orphan(const State& state, const InstanceName& instance,
                           const std::string& calendar) {
  const auto* found = state.configuration().instance(instance);
  return found && found->orphaned && found->settings.calendar == calendar;
}

bool admits_list(const Shape& shape, const std::string& name) {
  return std::any_of(shape.users.begin(), shape.users.end(), [&](const std::string& user) {
    return user == "@" + name || user == "!@" + name;
  });
}

bool refers(const State& state, const Reservation& reservation, ObjectKind kind,
            const std::string& name) {
  const auto shapes = shapes_of(reservation);
  const auto any_shape = [&](const auto& is_meant) {
    return std::any_of(shapes.begin(), shapes.end(), [&](auto* shape) { return is_meant(*shape); });
  };
  switch (kind) {
  case ObjectKind::calendar:
    return holds_a_grant(reservation, [&](const InstanceName& instance) {
      return is_calendar_of_orphan(state, instance, name);
    });
  case ObjectKind::exec_host:
    return holds_a_grant(reservation,
                         [&](const InstanceName& instance) { return instance.host == name; });
  case ObjectKind::parallel_environment:
    return any_shape([&](const Shape& shape) { return shape.pe == name; });
  case ObjectKind::project: return !reservation.is_over() && reservation.request.project == name;
  case ObjectKind::userset:
    return any_shape([&](const Shape& shape) { return admits_list(shape, name); });
  default: return false;
  }
}

std::string title_of(ObjectKind kind) {
  return kind == ObjectKind::exec_host ? "host" : std::string(kind_name(kind));
}

// A job that waits for any of several parallel environments can do without one of them.
bool needs_pe(const State& state, const Job& job, const std::string& name) {
  for (const auto& task : state.tasks_of(job.key))
    if (task.is_active() && task.pe == name) return true;
  if (waiting_tasks(job, state.tally(job.key)) == 0 || !matches_expression(job.request->pe, name))
    return false;
  const auto& all = state.configuration().parallel_environments();
  return std::none_of(all.begin(), all.end(), [&](const auto& entry) {
    return entry.first != name && matches_expression(job.request->pe, entry.first);
  });
}

} // namespace

std::optional<Statement> reference_to(const State& state, ObjectKind kind,
                                      const std::string& name) {
  for (const auto& reservation : state.reservations())
    if (refers(state, reservation, kind, name))
      return Statement{
          AnswerCode::referenced_in_reservation,
          {{"kind", title_of(kind)}, {"object", name}, {"reservation", reservation.number}}};
  if (kind != ObjectKind::parallel_environment) return std::nullopt;
  for (const auto& [key, job] : state.jobs())
    if (!job->request->pe.empty() && needs_pe(state, *job, name))
      return Statement{AnswerCode::pe_referenced_in_job, {{"pe", name}, {"job", job->number}}};
  return std::nullopt;
}

// ---- who and what is let in ---------------------------------------------------------------------

namespace {

// What the change writes that keeps users out.
std::string changed_list(const State& state, const std::vector<ConfigurationChange>& changes) {
  for (const auto& [verb, object, entries] : changes) {
    if (object.kind == ObjectKind::userset) return "entries";
    const auto* before = state.configuration().find(object.kind, object.name);
    for (const char* name : {"user_lists", "xuser_lists", "projects", "xprojects"}) {
      const auto *now = object.find(name), *was = before ? before->find(name) : nullptr;
      if (now && (!was || *was != *now)) return name;
    }
  }
  return "user_lists";
}

bool has(const std::vector<std::string>& names, const std::string& name) {
  return std::count(names.begin(), names.end(), name) > 0;
}

// The type of queue that the reservation was granted for, where it goes (G12); nullptr: it stays.
const char* lost_type(const QueueInstance& before, const QueueInstance& after,
                      const ReservationRequest& request) {
  if (request.immediate)
    return before.settings.interactive && !after.settings.interactive ? "INTERACTIVE" : nullptr;
  return before.settings.batch && !after.settings.batch ? "BATCH" : nullptr;
}

std::optional<Statement> lost_access(const State& state, const Configuration& next,
                                     const std::vector<ConfigurationChange>& changes,
                                     const Reservation& reservation,
                                     const ReservationRequest& request, const Shape& shape) {
  const auto demand = demand_of_reservation(state, reservation.owner, request);
  for (const auto& grant : shape.grants) {
    const auto* before = state.configuration().instance(grant.instance);
    const auto* after = next.instance(grant.instance);
    if (!before || !after || after->orphaned) continue;
    if (has(before->settings.pe_list, shape.pe) && !has(after->settings.pe_list, shape.pe))
      return Statement{AnswerCode::pe_list_breaks_reservation,
                       {{"pe", shape.pe}, {"reservation", reservation.number}}};
    if (const char* type = lost_type(*before, *after, request))
      return Statement{AnswerCode::qtype_breaks_reservation,
                       {{"type", type}, {"reservation", reservation.number}}};
    const auto lets_in = [&](const Configuration& configuration, const QueueInstance& instance) {
      return lets_users_in(configuration, instance, *demand) &&
             lets_project_in(configuration, instance, *demand);
    };
    if (demand && lets_in(state.configuration(), *before) && !lets_in(next, *after))
      return Statement{
          AnswerCode::list_breaks_reservation,
          {{"attribute", changed_list(state, changes)}, {"reservation", reservation.number}}};
  }
  return std::nullopt;
}

} // namespace

std::optional<Statement> lost_access(const State& state, const Configuration& next,
                                     const std::vector<ConfigurationChange>& changes) {
  for (const auto& reservation : state.reservations()) {
    if (reservation.is_over()) continue;
    std::optional<Statement> lost;
    if (reservation.is_granted())
      lost = lost_access(state, next, changes, reservation, reservation.request, reservation.shape);
    for (const auto& proposal : reservation.proposed)
      if (!lost)
        lost = lost_access(state, next, changes, reservation, proposal.request, proposal.shape);
    if (lost) return lost;
  }
  return std::nullopt;
}

// ---- complexes ----------------------------------------------------------------------------------

namespace {

bool names(const std::vector<Attribute>& requests, const Complex& complex) {
  return std::any_of(requests.begin(), requests.end(), [&](const Attribute& request) {
    return request.name == complex.name || request.name == complex.shortcut;
  });
}

bool books(const std::vector<Booking>& bookings, const Complex& complex) {
  return std::any_of(bookings.begin(), bookings.end(), [&](const Booking& booking) {
    return booking.resource == complex.name || booking.resource == Resource(complex.name, true);
  });
}

bool uses(const State& state, const Job& job, const Complex& complex) {
  for (const auto& task : state.tasks_of(job.key))
    if (books(task.bookings, complex)) return true;
  return names(job.request->resources, complex) || names(job.request->soft_resources, complex) ||
         std::any_of(job.holds.begin(), job.holds.end(),
                     [&](const Hold& hold) { return books(hold.bookings, complex); });
}

bool uses(const Reservation& reservation, const Complex& complex) {
  if (!reservation.is_over() && names(reservation.request.resources, complex)) return true;
  for (const auto& proposal : reservation.proposed)
    if (names(proposal.request.resources, complex)) return true;
  for (const auto* shape : shapes_of(reservation))
    if (books(shape->bookings, complex)) return true;
  return false;
}

std::optional<Statement> user_of(const State& state, const Complex& complex) {
  for (const auto& reservation : state.reservations())
    if (uses(reservation, complex))
      return Statement{AnswerCode::a_reservation, {{"reservation", reservation.number}}};
  for (const auto& [key, job] : state.jobs())
    if (uses(state, *job, complex)) return Statement{AnswerCode::a_job, {{"job", job->number}}};
  // Queues are asked by the configuration itself.
  for (const auto& instance : state.configuration().instances())
    if (instance.orphaned && (instance.settings.complex_values.contains(complex.name) ||
                              instance.settings.complex_values.contains(complex.shortcut)))
      return Statement{AnswerCode::an_orphaned_queue, {{"queue", instance.name.text()}}};
  return std::nullopt;
}

// What an amount or a request means hangs on these.
bool means_the_same(const Complex& a, const Complex& b) {
  return a.type == b.type && a.consumable == b.consumable && a.relation == b.relation &&
         a.shortcut == b.shortcut && (b.requestable || !a.requestable);
}

} // namespace

std::optional<Statement> changed_meaning(const State& state, const Configuration& next) {
  for (const auto& [name, before] : state.configuration().complexes().all()) {
    const auto after = next.complexes().all().find(name);
    const bool goes = after == next.complexes().all().end();
    if (!goes && after->second.forced && !before.forced)
      for (const auto& reservation : state.reservations())
        if (!reservation.is_over() && !names(reservation.request.resources, before))
          return Statement{AnswerCode::forced_breaks_reservation,
                           {{"reservation", reservation.number}, {"complex", name}}};
    if (!goes && means_the_same(before, after->second)) continue;
    if (auto who = user_of(state, before))
      return Statement{goes ? AnswerCode::complex_referenced : AnswerCode::complex_used,
                       {{"complex", name}, {"who", std::move(*who)}}};
  }
  return std::nullopt;
}

} // namespace almanac::rules
