#include "core/planning/commands/references.hpp"

#include "core/matching/instance_obstacles.hpp"
#include "core/matching/reservation_places.hpp"
#include "core/planning/commands/held_nodes.hpp"
#include "core/text/pattern.hpp"

#include <algorithm>
#include <functional>
#include <optional>

// What jobs and reservations refer to stays while they do, and keeps its meaning (spec/objects.md
// section 0, Reference integrity; spec/reservations.md section 10.3, G11).

namespace almanac::rules {

namespace {

bool holds_a_grant(const std::vector<const Shape*>& shapes,
                   const std::function<bool(const InstanceName&)>& is_meant) {
  for (const auto* shape : shapes)
    for (const auto& grant : shape->with_spares())
      if (is_meant(grant.instance)) return true;
  return false;
}

// Queues are asked by the configuration itself; what was taken out of them lives on in orphaned
// instances.
bool names_in_orphan(const State& state, const InstanceName& instance, ObjectKind kind,
                     const std::string& name) {
  const auto* found = state.configuration().instance(instance);
  if (!found || !found->orphaned) return false;
  const auto& settings = found->settings;
  const auto is_in = [&](const std::vector<std::string>& names) {
    return std::count(names.begin(), names.end(), name) > 0;
  };
  switch (kind) {
  case ObjectKind::calendar: return settings.calendar == name;
  case ObjectKind::userset: return is_in(settings.user_lists) || is_in(settings.xuser_lists);
  case ObjectKind::project: return is_in(settings.projects) || is_in(settings.xprojects);
  default: return false;
  }
}

bool admits_list(const Shape& shape, const std::string& name) {
  return std::any_of(shape.users.begin(), shape.users.end(), [&](const std::string& user) {
    return user == "@" + name || user == "!@" + name;
  });
}

bool has_project(const Reservation& reservation, const std::string& name) {
  return (!reservation.is_over() && reservation.request.project == name) ||
         std::any_of(reservation.proposed.begin(), reservation.proposed.end(),
                     [&](const Proposal& proposal) { return proposal.request.project == name; });
}

bool refers(const State& state, const Reservation& reservation, ObjectKind kind,
            const std::string& name) {
  const auto shapes = shapes_of(reservation);
  const auto any_shape = [&](const auto& is_meant) {
    return std::any_of(shapes.begin(), shapes.end(), [&](auto* shape) { return is_meant(*shape); });
  };
  if (holds_a_grant(shapes, [&](const InstanceName& instance) {
        return names_in_orphan(state, instance, kind, name);
      }))
    return true;
  switch (kind) {
  case ObjectKind::project: return has_project(reservation, name);
  case ObjectKind::exec_host:
    return (!reservation.is_over() && closes_host(reservation, name)) ||
           holds_a_grant(shapes_keeping(reservation, {name}),
                         [&](const InstanceName& instance) { return instance.host == name; });
  case ObjectKind::parallel_environment:
    return any_shape([&](const Shape& shape) { return shape.pe == name; });
  case ObjectKind::checkpoint: return !shapes.empty() && reservation.request.checkpoint == name;
  case ObjectKind::userset:
    return any_shape([&](const Shape& shape) { return admits_list(shape, name); });
  default: return false;
  }
}

std::string title_of(ObjectKind kind) {
  switch (kind) {
  case ObjectKind::exec_host: return "host";
  case ObjectKind::checkpoint: return "ckpt";
  default: return std::string(kind_name(kind));
  }
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

// Grid Engine begins the sentence with a capital letter for some.
std::string name_in_sentence(ObjectKind kind) {
  return kind == ObjectKind::checkpoint ? "Ckpt" : title_of(kind);
}

bool is_named_by_jobs(ObjectKind kind) {
  return kind == ObjectKind::parallel_environment || kind == ObjectKind::project ||
         kind == ObjectKind::checkpoint;
}

void add_reference(const State& state, const Job& job, ObjectKind kind, const std::string& name,
                   Obstacles& obstacles) {
  if (kind == ObjectKind::parallel_environment) {
    if (!job.request->pe.empty() && needs_pe(state, job, name))
      obstacles.add({AnswerCode::pe_referenced_in_job, {{"pe", name}, {"job", job.number}}});
  } else if (kind == ObjectKind::checkpoint ? job.request->checkpoint == name
                                            : job.request->project == name)
    obstacles.add({AnswerCode::referenced_in_job,
                   {{"kind", name_in_sentence(kind)}, {"object", name}, {"job", job.number}}});
}

} // namespace

void add_references(const State& state, ObjectKind kind, const std::string& name,
                    Obstacles& obstacles) {
  for (const auto& reservation : state.reservations())
    if (refers(state, reservation, kind, name))
      obstacles.add(
          {AnswerCode::referenced_in_reservation,
           {{"kind", title_of(kind)}, {"object", name}, {"reservation", reservation.number}}});
  if (!is_named_by_jobs(kind)) return;
  for (const auto& [key, job] : state.jobs()) {
    if (obstacles.list().size() >= most_reasons) return;
    add_reference(state, *job, kind, name, obstacles);
  }
}

// ---- who and what is let in ---------------------------------------------------------------------

namespace {

// What the change writes that keeps users or projects out.
std::string changed_list(const State& state, const std::vector<ConfigurationChange>& changes,
                         const char* list, const char* excluding) {
  for (const auto& [verb, object, entries] : changes) {
    if (object.kind == ObjectKind::userset) return "entries";
    const auto* before = state.configuration().find(object.kind, object.name);
    for (const char* name : {list, excluding}) {
      const auto *now = object.find(name), *was = before ? before->find(name) : nullptr;
      if (now && (!was || *was != *now)) return name;
    }
  }
  return list;
}

bool has(const std::vector<std::string>& names, const std::string& name) {
  return std::count(names.begin(), names.end(), name) > 0;
}

bool is_complex_value(const Configuration& configuration, const QueueInstance& instance,
                      const std::string& name) {
  return instance.settings.complex_values.contains(name) ||
         configuration.host_values(instance.name.host).contains(name) ||
         configuration.host_values("global").contains(name);
}

// Guard G2: what was requested and is no amount keeps a value that satisfies the request, and
// nothing comes that would have had to be requested.
std::optional<Statement> lost_value(const State& state, const Configuration& next,
                                    ReservationNumber number, const Demand& demand,
                                    const QueueInstance& before, const QueueInstance& after) {
  const auto& facts = state.host(before.name.host).facts;
  const auto name = unmet_value(next, facts, after, demand);
  if (name.empty() || !unmet_value(state.configuration(), facts, before, demand).empty())
    return std::nullopt;
  if (is_complex_value(next, after, name) || is_complex_value(state.configuration(), before, name))
    return Statement{AnswerCode::amount_breaks_reservation, {{"complex", name}}};
  return Statement{AnswerCode::list_breaks_reservation,
                   {{"attribute", name}, {"reservation", number}}};
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
  const auto demand =
      demand_of_reservation(state, reservation.owner, request, NamedQueues::may_be_gone);
  const auto keeps_out = [&](const char* list, const char* excluding) {
    return Statement{AnswerCode::list_breaks_reservation,
                     {{"attribute", changed_list(state, changes, list, excluding)},
                      {"reservation", reservation.number}}};
  };
  for (const auto& grant : shape.with_spares()) {
    const auto* before = state.configuration().instance(grant.instance);
    const auto* after = next.instance(grant.instance);
    if (!before || !after) continue;
    if (has(before->settings.pe_list, shape.pe) && !has(after->settings.pe_list, shape.pe))
      return Statement{AnswerCode::pe_list_breaks_reservation,
                       {{"pe", shape.pe}, {"reservation", reservation.number}}};
    const auto& ckpt = reservation.request.checkpoint;
    if (has(before->settings.ckpt_list, ckpt) && !has(after->settings.ckpt_list, ckpt))
      return Statement{AnswerCode::ckpt_list_breaks_reservation,
                       {{"ckpt", ckpt}, {"reservation", reservation.number}}};
    if (const char* type = lost_type(*before, *after, request))
      return Statement{AnswerCode::qtype_breaks_reservation,
                       {{"type", type}, {"reservation", reservation.number}}};
    if (!demand) continue;
    if (lets_users_in(state.configuration(), *before, *demand) &&
        !lets_users_in(next, *after, *demand))
      return keeps_out("user_lists", "xuser_lists");
    if (lets_project_in(state.configuration(), *before, *demand) &&
        !lets_project_in(next, *after, *demand))
      return keeps_out("projects", "xprojects");
    if (auto lost = lost_value(state, next, reservation.number, *demand, *before, *after))
      return lost;
  }
  return std::nullopt;
}

} // namespace

void add_lost_access(const State& state, const Configuration& next,
                     const std::vector<ConfigurationChange>& changes, Obstacles& obstacles) {
  for (const auto& reservation : state.reservations()) {
    if (reservation.is_over()) continue;
    std::optional<Statement> lost;
    if (reservation.is_granted())
      lost = lost_access(state, next, changes, reservation, reservation.request, reservation.shape);
    for (const auto& proposal : reservation.proposed)
      if (!lost)
        lost = lost_access(state, next, changes, reservation, proposal.request, proposal.shape);
    if (lost) obstacles.add(std::move(*lost));
  }
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
  const auto& request = *job.request;
  return names(request.resources, complex) || names(request.soft_resources, complex) ||
         names(request.master_resources, complex) || names(request.slave_resources, complex) ||
         std::any_of(job.holds.begin(), job.holds.end(),
                     [&](const Hold& hold) { return books(hold.bookings, complex); });
}

bool uses(const Reservation& reservation, const Complex& complex) {
  if (!reservation.is_over() && names(reservation.request.resources, complex)) return true;
  for (const auto& proposal : reservation.proposed)
    if (names(proposal.request.resources, complex)) return true;
  for (const auto* shape : shapes_of(reservation))
    if (books(shape->bookings, complex) || books(shape->spare_bookings, complex)) return true;
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

void add_changed_meaning(const State& state, const Configuration& next, Obstacles& obstacles) {
  for (const auto& [name, before] : state.configuration().complexes().all()) {
    const auto after = next.complexes().all().find(name);
    const bool goes = after == next.complexes().all().end();
    if (!goes && after->second.forced && !before.forced)
      for (const auto& reservation : state.reservations())
        if (!reservation.is_over() && !names(reservation.request.resources, before))
          obstacles.add({AnswerCode::forced_breaks_reservation,
                         {{"reservation", reservation.number}, {"complex", name}}});
    if (!goes && means_the_same(before, after->second)) continue;
    if (auto who = user_of(state, before))
      obstacles.add({goes ? AnswerCode::complex_referenced : AnswerCode::complex_used,
                     {{"complex", name}, {"who", std::move(*who)}}});
  }
}

} // namespace almanac::rules
