#include "core/planning/maintenance.hpp"

#include "core/matching/occupants.hpp"
#include "core/matching/reservation_places.hpp"
#include "core/planning/hooks.hpp"
#include "core/planning/letters.hpp"
#include "core/planning/replaced_grants.hpp"
#include "core/planning/reservation_health.hpp"
#include "core/planning/start.hpp"
#include "core/planning/tasks_inside.hpp"
#include "core/planning/texts.hpp"
#include "core/planning/transitions.hpp"
#include "core/policy/standing.hpp"
#include "core/text/names.hpp"
#include "core/text/pattern.hpp"
#include "core/text/words.hpp"

#include <algorithm>

namespace almanac::rules {

namespace {

constexpr std::size_t most_listed = 100;

constexpr std::size_t most_hosts = 10'000;

std::set<std::string> hosts_meant(const Configuration& configuration, const std::string& name) {
  std::set<std::string> found;
  const auto& hosts = configuration.hosts();
  if (name.starts_with('@')) {
    for (auto& host : configuration.hosts_of_group(name))
      if (hosts.contains(host)) found.insert(host);
  } else if (hosts.contains(name)) found.insert(name);
  else
    for (const auto& [host, values] : hosts)
      if (equal_ignoring_case(name, host) || matches_pattern(name, host)) found.insert(host);
  found.erase("global");
  return found;
}

Shape placed(const Assignment& place) {
  Shape shape;
  shape.grants = place.grants, shape.spares = place.spares;
  return shape;
}

// Tasks on its hosts that are not its own and run into its window, each once.
template <class Take>
void each_reaching_into(const State& state, const Reservation& maintenance, Take take) {
  std::set<TaskId> seen;
  for (const auto& host : maintenance.request.hosts)
    for (const auto& id : state.tasks_on(host)) {
      const auto& task = *state.task(id);
      const auto& job = *state.job(id.job);
      const auto* inside = state.reservation(job.reservation_key);
      const bool is_inside = inside && closes_host(*inside, host);
      if (is_inside || task.last_moment() <= maintenance.shape.window.start ||
          !seen.insert(id).second)
        continue;
      take(job, task, host);
    }
}

Statement still_runs(const Job& job, const Task& task, const std::string& host) {
  const auto end = task.last_moment();
  Statement runs{AnswerCode::still_runs_without_limit,
                 {{"task", name_inside(job, task)}, {"host", host}}};
  if (end.is_never()) return runs;
  runs.code = AnswerCode::still_runs_until;
  runs.details.emplace_back("end", end);
  return runs;
}

bool is_put_back(const State& state, const Job& job, const Task& task) {
  return !task.deleting && is_rerunnable(state, job, task);
}

enum class PutBack { named, left_out };

std::vector<Statement> running_into(const State& state, const Reservation& maintenance,
                                    std::size_t most, PutBack those) {
  std::vector<Statement> running;
  std::size_t more = 0;
  each_reaching_into(state, maintenance, [&](const Job& job, const Task& task, const auto& host) {
    if (those == PutBack::left_out && is_put_back(state, job, task)) return;
    if (running.size() == most) ++more;
    else running.push_back(still_runs(job, task, host));
  });
  if (more > 0) running.push_back({AnswerCode::and_more, {{"count", more}}});
  return running;
}

std::set<JobKey> holders_on(const State& state, const Reservation& maintenance) {
  std::set<JobKey> holders;
  for (const auto key : state.occupancy().jobs_with_holds.keys())
    for (const auto& hold : state.job(key)->holds)
      if (hold.window.overlaps(maintenance.shape.window) &&
          std::any_of(hold.grants.begin(), hold.grants.end(), [&](const Grant& grant) {
            return closes_host(maintenance, grant.instance.host);
          }))
        holders.insert(key);
  return holders;
}

} // namespace

Result<std::vector<std::string>, Statement> hosts_to_close(const Configuration& configuration,
                                                           const std::vector<std::string>& names) {
  std::set<std::string> found;
  for (const auto& name : names) {
    auto meant = hosts_meant(configuration, name);
    if (meant.empty()) return Statement{AnswerCode::no_host_matches, {{"host", excerpt(name)}}};
    found.merge(meant);
  }
  if (found.size() > most_hosts)
    return Statement{AnswerCode::too_many_hosts, {{"count", found.size()}, {"most", most_hosts}}};
  return std::vector<std::string>(found.begin(), found.end());
}

MaintenancePlan plan_of(const State& state, const Reservation& maintenance,
                        const Reservation* instead, bool force, Instant now) {
  MaintenancePlan plan;
  plan.reservations = moves_off_hosts(state, maintenance, instead, now);
  if (force && !plan.reservations.stuck.empty())
    plan.reservations =
        moves_around_stuck(state, maintenance, instead, now, std::move(plan.reservations));
  const bool begins =
      maintenance.phase != ReservationPhase::running && maintenance.shape.window.start <= now;
  plan.running = running_into(state, maintenance, most_listed,
                              begins && maintenance.request.requeue_running ? PutBack::left_out
                                                                            : PutBack::named);
  plan.holders = holders_on(state, maintenance);
  return plan;
}

std::vector<Statement> statements_of(const State& state, const MaintenancePlan& plan) {
  std::vector<Statement> all;
  for (const auto& move : plan.reservations.moves) {
    const auto& reservation = *state.reservation(move.key);
    all.push_back({AnswerCode::reservation_moves,
                   {{"reservation", reservation.number},
                    {"was", listed(shape_to_move(reservation).with_spares())},
                    {"next", listed(placed(move.place).with_spares())}}});
  }
  for (const auto& stuck : plan.reservations.stuck) all.push_back(stuck.why);
  if (all.size() > most_listed) {
    const auto more = all.size() - most_listed;
    all.resize(most_listed);
    all.push_back({AnswerCode::and_more, {{"count", more}}});
  }
  all.insert(all.end(), plan.running.begin(), plan.running.end());
  constexpr std::size_t most_holds = 10;
  std::vector<Statement> holds;
  for (const auto key : plan.holders) {
    const auto& job = *state.job(key);
    const auto& window = job.holds.front().window;
    if (holds.size() < most_holds)
      holds.push_back(
          {AnswerCode::a_hold,
           {{"job", job.number}, {"from", window.start}, {"end", taken_to(window.end)}}});
  }
  if (holds.empty()) return all;
  Statement move{AnswerCode::holds_move, {{"jobs", std::move(holds)}}};
  if (plan.holders.size() > most_holds)
    move.details.emplace_back("more", plan.holders.size() - most_holds);
  all.push_back(std::move(move));
  return all;
}

std::optional<Answer> maintenance_obstacle(const Configuration& configuration,
                                           const Caller& caller) {
  if (is_manager(configuration, caller)) return std::nullopt;
  return Answer::refusal({AnswerCode::maintenance_for_managers, {{"user", caller.user}}});
}

namespace {

// What is proposed is not granted yet: its owner reads of it then. The site hears of other places than
// it was asked about.
void tell_of_move(State& state, const Reservation& before, const std::string& note) {
  const auto& moved = *state.reservation(before.key);
  if (moved.proposed.empty()) {
    mail(state, Occasion::reservation_changed, moved, note);
    call_hook(state, HookEvent::change, moved, note, &before);
  } else if (moved.proposed.front().asks != 0)
    call_hook(state, HookEvent::change, as_proposed(moved), note, &before);
}

// What was granted at first is not come back to: the hosts go.
void move(State& state, const ReservationMoves::Move& move, ReservationNumber maintenance) {
  const auto before = *state.reservation(move.key);
  const auto was = shape_to_move(before).with_spares();
  state.edit<Reservation>(move.key, [&](Reservation& moved) {
    put_at(moved, move.place);
    if (moved.proposed.empty()) moved.original.clear();
  });
  note_left_behind(state, move.key);
  const auto note = text_of({AnswerCode::moved_for_maintenance,
                             {{"reservation", maintenance},
                              {"was", listed(was)},
                              {"next", listed(placed(move.place).with_spares())}}});
  tell_of_move(state, before, note);
}

// Its owner hears of it at once: it may still be changed. Where it is in error at once, that is told.
void tell_stuck(State& state, ReservationKey key, const Reservation& maintenance, Instant now) {
  const auto& reservation = *state.reservation(key);
  if (!reservation.shape.window.overlaps(maintenance.shape.window)) return; // what is proposed does
  const bool runs_into_it = reservation.phase == ReservationPhase::running &&
                            maintenance.shape.window.start <= now && reservation.bad.empty();
  std::vector<Grant> hit;
  for (const auto& grant : reservation.shape.with_spares())
    if (closes_host(maintenance, grant.instance.host)) hit.push_back(grant);
  if (hit.empty() || runs_into_it) return;
  mail(state, Occasion::reservation_in_error, reservation,
       text_of({AnswerCode::hit_by_maintenance,
                {{"reservation", maintenance.number},
                 {"grants", listed(hit)},
                 {"start", maintenance.shape.window.start},
                 {"end", taken_to(maintenance.shape.window.end)}}}));
}

// Before its start its owner was told of the maintenance, and of nothing else that may be wrong: that
// this is over is told, too.
void refresh_health(State& state, const std::vector<std::string>& hosts) {
  std::set<ReservationKey> in_error;
  for (const auto& host : hosts)
    for (const auto key : state.occupancy().reservations_on.on(host))
      if (const auto& one = *state.reservation(key);
          one.phase == ReservationPhase::waiting && !one.bad.empty())
        in_error.insert(key);
  for (const auto& host : hosts) refresh_reservation_health(state, host);
  for (const auto key : in_error)
    if (const auto& one = *state.reservation(key); one.bad.empty())
      mail(state, Occasion::reservation_valid_again, one, "");
}

} // namespace

void carry_out(State& state, const MaintenancePlan& plan, ReservationKey key, Instant now) {
  const auto maintenance = *state.reservation(key);
  for (const auto& one : plan.reservations.moves) {
    move(state, one, maintenance.number);
    auto bad = texts_of(health(state, *state.reservation(one.key)));
    if (bad != state.reservation(one.key)->bad) note_health(state, one.key, std::move(bad));
  }
  for (const auto& one : plan.reservations.stuck) tell_stuck(state, one.key, maintenance, now);
  follow_maintenance(state, maintenance.request.hosts);
  if (!plan.reservations.moves.empty()) state.want_repair(); // others may need what they gave up
  if (!plan.holders.empty())
    state.waiting().unsettle(
        {AnswerCode::closed_by_maintenance,
         {{"reservation", maintenance.number}, {"end", taken_to(maintenance.shape.window.end)}}},
        plan.holders);
  note_running(state, key);
}

// ---- its window -------------------------------------------------------------------------------

namespace {

void mark(State& state, const QueueInstance& instance) {
  const auto* present = state.occupancy().maintenances.present_on(instance.name.host);
  const auto wanted = present ? present->number : ReservationNumber{};
  if (state.condition_of(instance).maintenance != wanted)
    state.edit<InstanceState>(instance.name,
                              [&](InstanceState& marked) { marked.maintenance = wanted; });
}

} // namespace

void follow_maintenance(State& state, const std::vector<std::string>& hosts) {
  const std::set<std::string> on(hosts.begin(), hosts.end());
  for (const auto& instance : state.configuration().instances())
    if (on.contains(instance.name.host)) mark(state, instance);
  refresh_health(state, hosts);
}

void follow_maintenance(State& state) {
  for (const auto& instance : state.configuration().instances()) mark(state, instance);
}

namespace {

void requeue_running(State& state, const Reservation& maintenance) {
  if (!maintenance.request.requeue_running) return;
  std::vector<TaskId> found;
  each_reaching_into(state, maintenance, [&](const Job& job, const Task& task, const auto&) {
    if (is_put_back(state, job, task)) found.push_back(task.id());
  });
  const auto why =
      text_of({AnswerCode::requeued_for_maintenance, {{"reservation", maintenance.number}}});
  for (const auto& id : found)
    state.edit<Task>(id, [&](Task& task) {
      task.deleting = true, task.after_end = AfterEnd::again;
      task.reason = why;
    });
}

} // namespace

void begin_maintenance(State& state, ReservationKey key) {
  const auto maintenance = *state.reservation(key);
  follow_maintenance(state, maintenance.request.hosts);
  requeue_running(state, maintenance);
  note_running(state, key);
}

void note_running(State& state, ReservationKey key) {
  constexpr std::size_t most_noted = 10;
  const auto& maintenance = *state.reservation(key);
  if (!maintenance.is_granted()) return;
  std::string note;
  for (const auto& text : texts_of(running_into(state, maintenance, most_noted, PutBack::named)))
    note += (note.empty() ? "" : "; ") + text;
  if (note != maintenance.note)
    state.edit<Reservation>(key, [&](Reservation& noted) { noted.note = note; });
}

void note_running(State& state, const std::vector<Grant>& left) {
  const auto& maintenances = state.occupancy().maintenances;
  if (maintenances.empty()) return;
  std::set<ReservationKey> keys;
  for (const auto& grant : left)
    for (const auto& one : maintenances.on(grant.instance.host))
      if (!state.reservation(one.key)->note.empty()) keys.insert(one.key);
  for (const auto key : keys) note_running(state, key);
}

} // namespace almanac::rules
