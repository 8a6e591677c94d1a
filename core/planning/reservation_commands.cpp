#include "core/matching/reservation_places.hpp"
#include "core/planning/rules.hpp"

#include "core/admission/kept_bytes.hpp"
#include "core/planning/selection.hpp"
#include "core/text/names.hpp"
#include "core/text/pattern.hpp"
#include "core/text/values.hpp"
#include "core/text/words.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace almanac::rules {

namespace {

bool may_reserve(const Configuration& configuration, const Caller& caller) {
  if (is_manager(configuration, caller)) return true;
  return configuration.is_in_userset("arusers", caller.user, caller.group);
}

std::int64_t standing(const State& state) {
  return std::count_if(state.reservations().begin(), state.reservations().end(),
                       [](auto& entry) { return !entry.second.is_ending(); });
}

std::int64_t kept_by_reservations(const State& state, const Caller& caller) {
  std::int64_t all = 0;
  for (const auto& [key, one] : state.reservations())
    if (one.owner.user == caller.user) all += kept_bytes(one.request);
  return all;
}

// Everything that can be said before looking for capacity.
std::optional<Answer> simple_obstacle(const State& state, const Caller& caller,
                                      const ReservationRequest& request, bool is_new) {
  const auto& configuration = state.configuration;
  if (!may_reserve(configuration, caller))
    return Answer::refusal("denied: \"" + caller.user +
                           "\" must be manager or in userset \"arusers\"");
  for (const auto& entry : request.users) {
    const auto name = entry.starts_with('!') ? entry.substr(1) : entry;
    if (name.starts_with('@') && !configuration.usersets().contains(name.substr(1)))
      return Answer::refusal("Userset \"" + excerpt(name.substr(1)) + "\" does not exist");
    if (name.empty())
      return Answer::refusal("error: " + excerpt(entry) + " is not known as a user");
  }
  const auto limit = configuration.global().max_advance_reservations;
  const auto all = static_cast<std::int64_t>(state.reservations().size());
  if (is_new && all >= limit && standing(state) >= limit)
    return Answer::refusal("rejected: only " + std::to_string(limit) +
                               " advance reservations are allowed per cluster",
                           25);
  if (is_new && !is_manager(configuration, caller))
    if (auto why =
            keep_obstacle(state, caller, kept_by_reservations(state, caller), kept_bytes(request)))
      return Answer::refusal("rejected: " + *why, 25);
  return std::nullopt;
}

Shape shape_of(const Configuration& configuration, const ReservationRequest& request, Window window,
               const Assignment& assignment) {
  const auto* pe = configuration.find(ObjectKind::parallel_environment, assignment.pe);
  const auto* rule = pe ? pe->find("allocation_rule") : nullptr;
  return {window,        assignment.grants, assignment.bookings,
          assignment.pe, request.users,     rule ? *rule : ""};
}

// What a change of it finds another place by; who owns it and what it is called stays.
void take_over(ReservationRequest& request, const ReservationRequest& change) {
  if (!change.has_duration && change.end.seconds == 0) return; // prepared by an older version
  request.start = change.start, request.end = change.end;
  request.duration = change.duration, request.has_duration = change.has_duration;
  request.resources = change.resources, request.queues = change.queues;
  request.pe = change.pe, request.slots = change.slots, request.users = change.users;
  request.groups = change.groups;
}

// A change that names no start leaves it; one of a running reservation may name it again.
Result<Window> changed_window(ReservationRequest request, const Reservation& own, Instant now) {
  const auto start = own.shape.window.start;
  if (request.start.seconds == 0 && (request.end.seconds == 0 || !request.has_duration))
    request.start = start;
  auto window = requested_window(request, request.start == start ? std::min(start, now) : now);
  if (window && window->end <= now) return Error{"end time is in the past"};
  return window;
}

Answer no_place(const Found& found) {
  Answer answer{1, 0, {}};
  for (const auto& reason : found.reasons.list()) answer.lines.push_back({reason, true});
  answer.lines.push_back({"advance_reservation: no suitable queues", true});
  return answer;
}

// Finds a place for a new reservation or a new shape; `own` is set free for the search.
struct Prepared {
  std::optional<Answer> refusal;
  Shape shape;
  bool on_unhealthy = false;
};
Prepared find_shape(State& state, const Caller& owner, const ReservationRequest& request,
                    const Reservation* own, Instant now) {
  Prepared prepared;
  const auto window = own ? changed_window(request, *own, now) : requested_window(request, now);
  if (!window) return {Answer::refusal(window.what()), {}, false};
  auto demand = demand_of_reservation(state, owner, request);
  if (!demand) return {Answer::refusal(demand.what()), {}, false};
  if (own) state.release(*own);
  const auto found = find_place(state, *demand, *window, now);
  if (own) state.book(*own);
  if (!found.assignment) return {no_place(found), {}, false};
  prepared.shape = shape_of(state.configuration, request, *window, *found.assignment);
  prepared.on_unhealthy = found.on_unhealthy;
  return prepared;
}

// A list is let in as a whole (spec/reservations.md R9.4), and may name somebody whom
// another list keeps out.
std::vector<std::string> kept_out(const Configuration& configuration, const Shape& shape) {
  std::vector<std::string> warnings;
  for (const auto& list : shape.users) {
    const auto set = configuration.usersets().find(list.starts_with('@') ? list.substr(1) : "");
    if (set == configuration.usersets().end()) continue;
    for (const auto& user : set->second.entries)
      for (const auto& grant : shape.grants) {
        const auto* instance = configuration.instance(grant.instance);
        const auto& host = configuration.hosts().at(host_of(grant.instance));
        if (configuration.allowed(user, "", {}, instance->settings.xuser_lists) &&
            configuration.allowed(user, "", {}, host.xuser_lists))
          continue;
        warnings.push_back("warning: user \"" + user + "\" of " + list +
                           " has no permission for \"" + grant.instance + "\"");
        break; // one place for each is enough
      }
  }
  return warnings;
}

void commit(State& state, std::int64_t key) {
  auto& reservation = state.edit_reservation(key);
  state.release(reservation);
  reservation.shape = reservation.proposed.front().shape;
  take_over(reservation.request, reservation.proposed.front().request);
  reservation.proposed.clear();
  reservation.original.clear(), reservation.note.clear();
  if (reservation.phase == ReservationPhase::held) reservation.phase = ReservationPhase::waiting;
  reservation.bad = health(state, reservation);
  state.book(reservation);
}

void drop_proposal(State& state, std::int64_t key) {
  const auto phase = state.reservation(key)->phase;
  if (phase == ReservationPhase::held) {
    state.erase_reservation(key);
    return;
  }
  auto& reservation = state.edit_reservation(key);
  state.release(reservation);
  reservation.proposed.clear();
  state.book(reservation);
}

Reservation& add_held(State& state, const Caller& caller, const ReservationRequest& request,
                      Proposal proposal, Instant now) {
  auto& reservation = state.add_reservation();
  reservation.owner = caller;
  reservation.submitted = now;
  reservation.request = request;
  reservation.proposed = {std::move(proposal)};
  state.book(reservation);
  return reservation;
}

// Ends a reservation: waiting jobs go at once, active tasks are told to, what runs on lost hosts is
// written off.
void begin_removal(State& state, std::int64_t key, ReservationPhase phase, bool force,
                   const std::string& reason, Instant now) {
  auto& reservation = state.edit_reservation(key);
  if (reservation.is_granted())
    mail(state,
         phase == ReservationPhase::closed ? Occasion::reservation_finished
                                           : Occasion::reservation_deleted,
         reservation);
  state.release(reservation);
  reservation.phase = phase;
  reservation.proposed.clear();
  state.book(reservation);
  for (const auto job_key : state.jobs_of(key)) {
    if (state.job(job_key)->active_tasks() == 0) { // nothing of it is copied
      tell_of_waiting(state, *state.job(job_key), reason, now);
      state.erase_job(job_key);
      continue;
    }
    drop_all_waiting(state, job_key, reason, now);
    const auto tasks = state.job(job_key)->tasks;
    for (const auto& task : tasks) {
      const bool lost =
          phase == ReservationPhase::closed &&
          state.host(host_of(task.grants.front().instance)).phase == HostPhase::unknown;
      if (force || lost) {
        ExitRecord record;
        record.failed = failed::killed, record.reason = reason;
        finish_task(state, job_key, task.number, record, now);
      } else {
        auto* kept = state.edit_job(job_key).find(task.number);
        kept->deleting = true, kept->after_end = AfterEnd::gone;
        kept->reason = reason;
      }
    }
    erase_if_finished(state, job_key);
  }
  remove_if_done(state, key);
}

void look_at_health(State& state, std::int64_t key) {
  const auto& reservation = *state.reservation(key);
  if (!reservation.is_granted()) return;
  if (auto bad = health(state, reservation); bad != reservation.bad)
    note_health(state, state.edit_reservation(key), std::move(bad));
}

// What tasks in it still hold: of a reservation that ends, the rest is free (ruling).
std::vector<Booking> held_by_tasks(const State& state, std::int64_t key) {
  std::map<std::pair<std::string, std::string>, std::int64_t> sums;
  for (const auto job_key : state.jobs_of(key))
    for (const auto& task : state.job(job_key)->tasks)
      for (const auto& booking : task.bookings)
        sums[{booking.container, booking.resource}] += booking.amount;
  std::vector<Booking> held;
  for (const auto& [place, amount] : sums) held.push_back({place.first, place.second, amount});
  return held;
}

// After begin_removal(): tasks of it may still have to stop.
std::string removal_text(const State& state, const Caller& caller, std::int64_t key,
                         const std::string& id) {
  return caller.user + (state.reservation(key)
                            ? " has registered the advance_reservation " + id + " for deletion"
                            : " has deleted advance_reservation " + id);
}

} // namespace

void remove_if_done(State& state, std::int64_t key) {
  const auto* reservation = state.reservation(key);
  if (!reservation || !reservation->is_ending()) return;
  if (!state.has_jobs(key)) return state.erase_reservation(key);
  auto held = held_by_tasks(state, key);
  if (held == reservation->shape.bookings) return;
  auto& ending = state.edit_reservation(key);
  state.release(ending);
  ending.shape.bookings = std::move(held);
  state.book(ending);
}

// Before its start nobody is told: it may be well again until then.
void note_health(State& state, Reservation& reservation, std::vector<std::string> bad) {
  const bool was_bad = !reservation.bad.empty();
  reservation.bad = std::move(bad);
  if (reservation.phase != ReservationPhase::running || was_bad == !reservation.bad.empty()) return;
  mail(state, was_bad ? Occasion::reservation_valid_again : Occasion::reservation_in_error,
       reservation);
}

void refresh_reservation_health(State& state) {
  std::vector<std::int64_t> keys;
  for (const auto& [key, reservation] : state.reservations()) keys.push_back(key);
  for (const auto key : keys) look_at_health(state, key);
  state.want_repair();
}

std::size_t refresh_reservation_health(State& state, const std::string& host) {
  const auto keys = state.reserved_on(host);
  for (const auto key : keys) look_at_health(state, key);
  state.want_repair();
  return keys.size();
}

Answer reserve(State& state, const Caller& caller, const Reserve& command, Instant now) {
  if (auto obstacle = simple_obstacle(state, caller, command.request, true)) return *obstacle;
  auto prepared = find_shape(state, caller, command.request, nullptr, now);
  if (prepared.refusal) return *prepared.refusal;
  auto& reservation = add_held(state, caller, command.request,
                               {"", Instant::never(), false, prepared.shape, command.request}, now);
  commit(state, reservation.key);
  reservation_due(state, reservation.key, now);
  Answer answer;
  answer.number = reservation.number;
  answer.lines.push_back(
      {"Your advance reservation " + std::to_string(answer.number) + " has been granted", false});
  if (prepared.on_unhealthy)
    for (const auto& bad : reservation.bad)
      answer.lines.push_back(
          {"warning: " + bad + "; the reservation is in state W until it is well", true});
  for (const auto& warning : kept_out(state.configuration, reservation.shape))
    answer.lines.push_back({warning, true});
  return answer;
}

Answer verify(const State& state, const Caller& caller, const Reserve& command, Instant now) {
  if (auto obstacle = simple_obstacle(state, caller, command.request, true)) return *obstacle;
  auto window = requested_window(command.request, now);
  if (!window) return Answer::refusal(window.what());
  auto demand = demand_of_reservation(state, caller, command.request);
  if (!demand) return Answer::refusal(demand.what());
  const auto found = find_place(state, *demand, *window, now);
  Answer answer;
  if (!found.assignment) {
    for (const auto& reason : found.reasons.list()) answer.lines.push_back({reason, false});
    answer.lines.push_back({"verification: no suitable queues", false});
    answer.exit_code = 1;
    return answer;
  }
  std::int64_t slots = 0;
  for (const auto& grant : found.assignment->grants) slots += grant.slots;
  answer.lines.push_back({demand->pe.empty() ? "verification: found suitable queue(s)"
                                             : "verification: found possible assignment with " +
                                                   std::to_string(slots) + " slots",
                          false});
  return answer;
}

Answer prepare(State& state, const Caller& caller, const PrepareReservation& command, Instant now) {
  const auto* existing = command.number ? state.reservation_by_number(command.number) : nullptr;
  const auto id = std::to_string(command.number);
  if (command.number && (!existing || existing->is_ending()))
    return Answer::refusal("denied: advance_reservation \"" + id + "\" does not exist");
  if (existing && !existing->proposed.empty())
    return Answer::refusal("denied: a change of advance_reservation \"" + id +
                           "\" is held already");
  if (existing && !may_change(state.configuration, caller, existing->owner))
    return Answer::refusal(
        caller.user +
        " - you do not have the necessary privileges to change the advance_reservation \"" + id +
        "\"");
  if (command.hold.seconds <= 0 || command.hold.is_endless())
    return Answer::refusal("a proposal is held for a time from one second on");
  Proposal proposal{command.transaction, now + command.hold, command.removal, {}, command.request};
  if (!command.removal) {
    if (auto obstacle = simple_obstacle(state, caller, command.request, !existing))
      return *obstacle;
    auto prepared =
        find_shape(state, existing ? existing->owner : caller, command.request, existing, now);
    if (prepared.refusal) return *prepared.refusal;
    proposal.shape = prepared.shape;
  } else if (!existing) return Answer::refusal("only a reservation that exists can be removed");
  Answer answer;
  if (!existing) {
    answer.number = add_held(state, caller, command.request, proposal, now).number;
  } else {
    auto& reservation = state.edit_reservation(existing->key);
    state.release(reservation);
    reservation.proposed = {proposal};
    state.book(reservation);
    answer.number = reservation.number;
  }
  answer.lines.push_back(
      {"Your advance reservation " + std::to_string(answer.number) + " is held", false});
  return answer;
}

Answer settle(State& state, const Caller& caller, const SettleReservation& command, Instant now) {
  const auto* reservation = state.reservation_by_number(command.number);
  const auto id = std::to_string(command.number);
  if (!reservation || reservation->proposed.empty() ||
      reservation->proposed.front().transaction != command.transaction)
    return Answer::refusal("denied: nothing is held for advance_reservation \"" + id +
                           "\" in this transaction");
  if (!may_change(state.configuration, caller, reservation->owner))
    return Answer::refusal(
        caller.user +
        " - you do not have the necessary privileges to change the advance_reservation \"" + id +
        "\"");
  const auto key = reservation->key;
  Answer answer{0, command.number, {}};
  if (!command.commit) {
    drop_proposal(state, key);
    answer.lines.push_back({"advance reservation " + id + ": the held change is dropped", false});
  } else if (reservation->proposed.front().removal) {
    begin_removal(state, key, ReservationPhase::deleted, false,
                  "advance reservation deleted by " + caller.user, now);
    answer.lines.push_back({removal_text(state, caller, key, id), false});
  } else {
    commit(state, key);
    answer.lines.push_back({"Your advance reservation " + id + " has been granted", false});
  }
  return answer;
}

void reservation_due(State& state, std::int64_t key, Instant now) {
  const auto* reservation = state.reservation(key);
  if (!reservation) return;
  auto due = step(*reservation, now);
  if (due.proposal_expires) {
    drop_proposal(state, key);
    if (!state.reservation(key)) return;
  }
  if (due.opens && !due.closes) {
    auto& opened = state.edit_reservation(key);
    opened.phase = ReservationPhase::running;
    opened.bad = health(state, opened);
    if (!opened.bad.empty()) mail(state, Occasion::reservation_in_error, opened);
    mail(state, Occasion::reservation_started, opened);
  }
  if (due.closes)
    begin_removal(state, key, ReservationPhase::closed, false,
                  "advance reservation " + std::to_string(reservation->number) + " ended", now);
}

namespace {

std::optional<std::string> matching_obstacle(const State& state,
                                             const DeleteReservations& command) {
  NamesToMatch all;
  for (const auto& [key, reservation] : state.reservations()) all.add(reservation);
  return all.obstacle(command.users, command.targets);
}

// The keys of those that are meant, each once; what means none is refused.
std::vector<std::int64_t> select_reservations(const State& state, const Caller& caller,
                                              const DeleteReservations& command, Answer& answer) {
  std::vector<std::int64_t> keys;
  std::set<std::int64_t> selected;
  const auto select = [&](const Reservation& reservation) {
    if (selected.insert(reservation.key).second) keys.push_back(reservation.key);
    return true;
  };
  const auto listed = [&](const Reservation& r) {
    return command.users.empty() ||
           owner_listed(state.configuration, command.users, r.owner, caller);
  };
  if (command.targets.empty())
    for (const auto& [key, reservation] : state.reservations())
      if (listed(reservation)) select(reservation);
  for (const auto& target : command.targets) {
    // R<id> names it as a queue would be named (ruling in spec/rulings.md).
    const auto number = parse_reservation_id(target);
    if (!number && !target.empty() && target.front() >= '0' && target.front() <= '9') {
      answer.refuse("denied: \"" + excerpt(target) +
                    "\" is not a valid object name (cannot start with a digit)");
      continue;
    }
    if (number && *number == 0) {
      answer.refuse("You have to specify a username or advance_reservation ids");
      continue;
    }
    bool found = false;
    if (const auto* meant = number ? state.reservation_by_number(*number) : nullptr) {
      found = listed(*meant) && select(*meant);
    } else
      for (const auto& [key, reservation] : state.reservations()) {
        const bool mine =
            command.users.empty() ? owns(caller, reservation.owner) : listed(reservation);
        if (mine && matches_pattern(target, reservation.request.name)) found = select(reservation);
      }
    if (!found)
      answer.refuse("denied: advance_reservation \"" + excerpt(target) + "\" does not exist");
  }
  return keys;
}

} // namespace

Answer delete_reservations(State& state, const Caller& caller, const DeleteReservations& command,
                           Instant now) {
  if (command.targets.empty() && command.users.empty())
    return Answer::refusal("You have to specify a username or advance_reservation ids");
  for (const auto& user : command.users)
    if (is_pattern(user) && !is_manager(state.configuration, caller))
      return Answer::refusal("denied: \"" + caller.user +
                             "\" must be manager to modify all advance reservations");
  if (auto why = matching_obstacle(state, command)) return Answer::refusal("denied: " + *why);
  Answer answer;
  for (const auto key : select_reservations(state, caller, command, answer)) {
    const auto* reservation = state.reservation(key);
    if (!reservation) continue;
    const auto id = std::to_string(reservation->number);
    if (!may_change(state.configuration, caller, reservation->owner)) {
      answer.refuse(
          caller.user +
          " - you do not have the necessary privileges to delete the advance_reservation \"" + id +
          "\"");
      continue;
    }
    begin_removal(state, key, ReservationPhase::deleted, command.force,
                  "advance reservation deleted by " + caller.user, now);
    answer.lines.push_back({removal_text(state, caller, key, id), false});
  }
  if (answer.lines.empty())
    answer.refuse("There is no advance_reservation registered for the following users: " +
                  excerpt(command.users));
  return answer;
}

} // namespace almanac::rules
