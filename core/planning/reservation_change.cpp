#include "core/planning/reservation_change.hpp"

#include "core/admission/kept_bytes.hpp"
#include "core/matching/changed_places.hpp"
#include "core/matching/suitability.hpp"
#include "core/planning/cut_off_share.hpp"
#include "core/planning/proposals.hpp"
#include "core/planning/replaced_grants.hpp"
#include "core/planning/soonest_start.hpp"
#include "core/planning/start.hpp"
#include "core/planning/tasks_inside.hpp"
#include "core/policy/standing.hpp"
#include "core/request/reserve_alterations.hpp"
#include "core/text/words.hpp"

#include <algorithm>
#include <array>
#include <set>
#include <utility>

namespace almanac::rules {

namespace {

constexpr std::size_t most_listed = 100; // of what is in the way

Answer not_changed(Answer why, ReservationNumber number) {
  why.refuse({AnswerCode::reservation_not_changed, {{"reservation", number}}}, why.exit_code);
  return why;
}

// Who may change which reservation.
std::optional<Answer> standing_obstacle(const State& state, const Caller& caller,
                                        const Reservation* was, ReservationNumber number,
                                        Instant now) {
  if (!was || was->is_over())
    return Answer::refusal({AnswerCode::no_such_reservation, {{"reservation", number}}});
  if (was->request.maintenance)
    if (auto why = maintenance_obstacle(state.configuration(), caller))
      return not_changed(std::move(*why), number);
  if (!may_change(state.configuration(), caller, was->owner))
    return Answer::refusal({AnswerCode::no_right_to_change_reservation,
                            {{"user", caller.user}, {"reservation", number}}});
  if (!was->proposed.empty() && lapses_at(*was) > now)
    return not_changed(Answer::refusal({AnswerCode::operation_pending, {{"reservation", number}}}),
                       number);
  // Its proposal has lapsed, and with it all there is.
  if (!was->is_granted())
    return Answer::refusal({AnswerCode::no_such_reservation, {{"reservation", number}}});
  return std::nullopt;
}

bool has_less(const Shape& next, const Shape& was) {
  if (next.pe != was.pe) return true;
  auto amounts = amounts_of(next.bookings);
  const auto before = amounts_of(was.bookings);
  return std::any_of(before.begin(), before.end(),
                     [&](const auto& one) { return amounts[one.first] < one.second; });
}

// Of the window, its users and what people read of it.
bool fits_maintenance(const std::string& name) {
  constexpr std::array fitting{"-a", "-e", "-d", "-u", "-m", "-M", "-N", "-A"};
  return std::find(fitting.begin(), fitting.end(), name) != fitting.end();
}

// Whether it was hit before in all the time that it is hit now.
bool was_hit_alike(const Reservation& stuck, const Window& was, const Window& next) {
  const auto alike = [&](const Window& own) {
    return !own.overlaps(next) ||
           (std::max(own.start, next.start) >= was.start && std::min(own.end, next.end) <= was.end);
  };
  return alike(stuck.shape.window) && alike(shape_to_move(stuck).window);
}

// What would be in the way in that window: reservations that cannot move, which are passed over as
// jobs are. Those that the hosts are closed to already are not asked anew.
std::vector<Statement> plan_maintenance(const State& state, const Reservation& was,
                                        ReservationChange& change, Window window, Instant now) {
  auto& request = change.request;
  if (window.end.is_never())
    request.end = {}, request.duration = Duration::endless(), request.has_duration = true;
  change.shape.window = window, change.shape.users = request.users;
  std::vector<Statement> in_the_way;
  if (window == was.shape.window) return in_the_way;
  auto next = was;
  next.shape = change.shape, next.request = request;
  change.maintenance = plan_of(state, next, &was, true, now);
  for (const auto& stuck : change.maintenance->reservations.stuck)
    if (!was_hit_alike(*state.reservation(stuck.key), was.shape.window, window))
      in_the_way.push_back(stuck.why);
  return in_the_way;
}

std::optional<Statement> shut_out(const Configuration& configuration, const Reservation& was,
                                  const Reservation& next, const Job& job) {
  if (admits(configuration, next, job.owner) || !admits(configuration, was, job.owner))
    return std::nullopt;
  return Statement{AnswerCode::user_shut_out, {{"user", job.owner.user}}};
}

// Checks J4 to J6, of jobs that have passed them until now.
std::optional<Statement> fits_no_more(const State& state, const Reservation& was,
                                      const Reservation& next, bool has_less_now, const Job& job,
                                      Instant now) {
  const auto obstacle = [&](const Reservation& reservation) {
    return reservation_obstacle(state, reservation, job.owner, job.request, now);
  };
  if (auto why = obstacle(next)) {
    return obstacle(was) ? std::nullopt : why;
  }
  if (!has_less_now) return std::nullopt;
  const auto demand = demand_of_job(state.configuration(), job.request, job.owner);
  if (!demand || is_suitable_in(state, next, *demand, job.request, now) ||
      !is_suitable_in(state, was, *demand, job.request, now))
    return std::nullopt;
  return Statement{AnswerCode::not_in_changed_reservation, {}};
}

// Those that name it, and those that run in it. What else waits of these waits for any place, or
// for any of its series.
std::set<JobKey> jobs_of_its_own(const State& state, const Reservation& reservation) {
  std::set<JobKey> jobs;
  for (const auto key : state.occupancy().jobs_of.of(reservation.key))
    if (state.job(key)->request->reservation == reservation.number) jobs.insert(key);
  each_task_inside(state, reservation, [&](const Job& job, const Task&) { jobs.insert(job.key); });
  return jobs;
}

// All of it, so that it stays booked where the rest ends earlier.
bool is_left_behind(const std::vector<LeftBehind>& left, const Shape& next, const Task& task) {
  return std::all_of(task.grants.begin(), task.grants.end(), [&](const Grant& grant) {
    return next.slots_on(grant.instance) == 0 &&
           std::any_of(left.begin(), left.end(),
                       [&](const LeftBehind& one) { return one.instance == grant.instance; });
  });
}

Statement in_other_pe(const Job& job, const Task& task, const std::string& pe) {
  return {AnswerCode::task_of_other_pe,
          {{"task", name_inside(job, task)}, {"pe", task.pe}, {"other", pe.empty() ? "none" : pe}}};
}

Statement has_no_room(const Job& job, const Task& task, bool again) {
  const auto code = again ? AnswerCode::task_requeued_by_change : AnswerCode::task_ended_by_change;
  return {code, {{"task", name_inside(job, task)}}};
}

std::int64_t most_slots(const Demand& demand) {
  std::int64_t most = 1;
  for (const auto& range : demand.slots) most = std::max(most, range.high);
  return most;
}

// The site's own conditions are asked, as for what is reserved anew.
Found find_place_for(const State& state, const Reservation& was, const Demand& demand,
                     Window window, Instant now) {
  return find_place_beside_share(state, was, asking_site(demand, window, now), window, now,
                                 held_in_shape(state, was, most_slots(demand)));
}

Answer refusal_by(const std::vector<Statement>& reasons, const std::vector<Statement>& in_the_way,
                  ReservationNumber number) {
  Answer answer;
  answer.exit_code = 1;
  std::size_t listed = 0;
  for (const auto* list : {&reasons, &in_the_way})
    for (const auto& why : *list)
      if (++listed <= most_listed) answer.warn(why);
  if (listed > most_listed) answer.warn({AnswerCode::and_more, {{"count", listed - most_listed}}});
  return not_changed(std::move(answer), number);
}

// One change that is looked for.
class Finding {
public:
  Finding(const State& state, const Caller& caller, const AlterReservation& command,
          const Reservation& was, Instant now)
      : state_(state), caller_(caller), command_(command), was_(was), now_(now) {
    change_.key = was.key, change_.request = was.request, change_.shape = was.shape;
  }

  FoundChange run(bool with_series) {
    with_series_ = with_series;
    if (auto why = apply_options()) return refused(Answer::refusal(*why));
    if (auto why = request_obstacle()) return refused(*why);
    if (change_.reshapes)
      if (auto why = find_place()) return refused(*why);
    return what_is_in_the_way();
  }

  // With the place that it has already.
  FoundChange run(const Proposal& proposal) {
    change_.request = proposal.request, change_.reshapes = proposal.verb == ReservationVerb::change;
    if (change_.reshapes) change_.shape = proposal.shape, change_.on_unhealthy = true; // if it is
    names_users_ = change_.request.users != was_.request.users;
    change_.starts_asap = std::exchange(change_.request.asap, false);
    return what_is_in_the_way();
  }

private:
  FoundChange what_is_in_the_way() {
    if (change_.reshapes) look_at_tasks(), look_at_jobs();
    if (reasons_.empty() && (command_.force || in_the_way_.empty()))
      return {std::nullopt, std::move(change_)};
    auto why = refusal_by(reasons_, in_the_way_, was_.number);
    if (!reasons_.empty()) return {std::move(why), std::nullopt};
    return {std::move(why), std::move(change_)};
  }

  FoundChange refused(Answer why) const {
    return {not_changed(std::move(why), was_.number), std::nullopt};
  }

  // ---- what is asked for ------------------------------------------------------------------------

  // What is not given stays; of the window, as requested_window() says.
  std::optional<Statement> apply_options() {
    auto& request = change_.request;
    times_ = was_.request;
    times_.start = times_.end = {}, times_.duration = {}, times_.has_duration = false;
    for (const auto& name : command_.options) {
      const auto* option = find_reserve_alteration(name);
      if (!option || (was_.request.maintenance && !fits_maintenance(name)))
        return Statement{AnswerCode::reservation_option_fixed, {{"option", excerpt(name)}}};
      const bool is_time_of_day = name == "-e" && command_.recurrence.ends_at > 0;
      if (is_of_series(name) || is_time_of_day)
        return Statement{AnswerCode::not_a_series,
                         {{"reservation", was_.number}, {"option", name}}};
      const bool is_of_window = name == "-a" || name == "-e" || name == "-d";
      (*option->copy)(is_of_window ? times_ : request, command_.request);
      change_.reshapes = change_.reshapes || *option->reshapes;
      names_users_ = names_users_ || name == "-u";
      if (name == "-q") queues_ = NamedQueues::must_be_there;
    }
    return change_obstacle(request);
  }

  std::optional<Answer> request_obstacle() const {
    if (names_users_)
      if (auto why = users_obstacle(state_.configuration(), change_.request))
        return Answer::refusal(*why);
    if (is_manager(state_.configuration(), caller_)) return std::nullopt;
    return budget_obstacle(state_, was_.owner,
                           kept_bytes(change_.request) - kept_bytes(was_.request));
  }

  // A maintenance takes no place.
  std::optional<Answer> find_window() {
    if (times_.asap)
      return Answer::refusal({AnswerCode::maintenance_and_option, {{"option", "asap"}}});
    const auto window = requested_window(times_, now_, &was_);
    if (!window) return Answer::refusal(window.error());
    auto& request = change_.request;
    request.start = window->start, request.end = window->end;
    request.duration = {}, request.has_duration = false;
    in_the_way_ = plan_maintenance(state_, was_, change_, *window, now_);
    return std::nullopt;
  }

  std::optional<Answer> find_place() {
    auto& request = change_.request;
    if (request.maintenance) return find_window();
    auto demand = demand_of_reservation(state_, was_.owner, request, queues_);
    if (!demand) return Answer::refusal(demand.error());
    demand->nodes.changes = was_.key;
    change_.starts_asap = times_.asap;
    if (times_.asap) {
      auto found = with_start(state_, was_, *demand, times_, now_);
      if (!found) return found.error();
      times_ = std::move(*found);
    }
    const auto window = requested_window(times_, now_, &was_);
    if (!window) return Answer::refusal(window.error());
    request.start = window->start, request.end = window->end;
    request.duration = {}, request.has_duration = false;
    const auto found = find_place_for(state_, was_, *demand, *window, now_);
    if (!found.assignment) return no_place(found);
    change_.shape = shape_of(state_.configuration(), request, *window, *found.assignment);
    change_.on_unhealthy = found.on_unhealthy;
    return slot_hours_obstacle(state_, caller_, was_.owner, change_.shape, &was_, now_);
  }

  // ---- who is in it -------------------------------------------------------------------------------

  void look_at_tasks() {
    left_behind_ = left_with_share(state_, was_, change_.shape);
    change_.original = original_beside_share(state_, was_, change_.request, change_.shape);
    KeptByShape kept(change_.shape, left_behind_);
    const bool is_smaller = change_.shape.slots() < was_.shape.slots();
    each_task_by_age(state_, was_, [&](const Job& job, const Task& task) {
      if (was_.request.maintenance) return look_at_end(job, task); // it has whole hosts
      if (!task.pe.empty() && task.pe != change_.shape.pe && change_.request.nodes == 0)
        reasons_.push_back(in_other_pe(job, task, change_.shape.pe));
      else if (auto why = kept.lacks(job, task)) {
        if (is_smaller) return end_at_once(job, task, std::move(*why));
        reasons_.push_back(std::move(*why));
      }
      look_at_end(job, task);
    });
  }

  void end_at_once(const Job& job, const Task& task, Statement why) {
    in_the_way_.push_back(std::move(why));
    if (task.deleting) return;
    const bool again = is_rerunnable(state_, job, task);
    if (again) returning_.insert(job.key);
    change_.ends.push_back({task.id(), {}, has_no_room(job, task, again), true, true, again});
  }

  void look_at_end(const Job& job, const Task& task) {
    const auto end = change_.shape.window.end;
    std::optional<Statement> overrun;
    if (end < was_.shape.window.end) overrun = overrun_of(state_, job, task, change_.shape.window);
    if (task.deleting || (!overrun && task.ended_at.seconds == 0)) return;
    if (overrun) {
      in_the_way_.push_back(std::move(*overrun));
      if (const auto* host = out_of_reach(state_, task)) return leave(job, task, *host);
    }
    const auto ended_at = end_before(state_, task, end, now_);
    if (ended_at == task.ended_at) return;
    change_.ends.push_back(
        {task.id(), ended_at, cut_short(job, task, ended_at, now_), overrun.has_value()});
  }

  // The master ends it, and could not there (spec/beyond.md section 11).
  void leave(const Job& job, const Task& task, const std::string& host) {
    const std::vector<Detail> about{{"host", host}, {"task", name_inside(job, task)}};
    const bool stays_booked = is_left_behind(left_behind_, change_.shape, task);
    (stays_booked ? in_the_way_ : reasons_).push_back({AnswerCode::task_out_of_reach, about});
    if (stays_booked)
      change_.ends.push_back(
          {task.id(), task.ended_at, {AnswerCode::task_keeps_limit, about}, true});
  }

  void look_at_jobs() {
    auto next = was_;
    next.proposed.clear(), next.shape = change_.shape, next.request = change_.request;
    const bool has_less_now = has_less(next.shape, was_.shape);
    for (const auto key : jobs_of_its_own(state_, was_)) {
      const auto& job = *state_.job(key);
      const bool waits = job.request->reservation == was_.number &&
                         (waiting_tasks(job, state_.tally(key)) > 0 || returning_.contains(key));
      auto code = AnswerCode::about_a_job;
      auto why = names_users_ ? shut_out(state_.configuration(), was_, next, job) : std::nullopt;
      if (!why && waits) {
        code = AnswerCode::job_fits_no_more;
        why = fits_no_more(state_, was_, next, has_less_now, job, now_);
      }
      if (!why) continue;
      if (waits) change_.held.push_back({key, *why});
      in_the_way_.push_back({code, {{"job", job.number}, {"why", std::move(*why)}}});
    }
    if (with_series_) return;
    for (auto& lost :
         jobs_without_place(state_, was_.series, {{was_.key}, {next}}, returning_, now_))
      in_the_way_.push_back(said_of(state_, lost)), change_.held.push_back(std::move(lost));
  }

  const State& state_;
  const Caller& caller_;
  const AlterReservation& command_;
  const Reservation& was_;
  const Instant now_;
  ReservationRequest times_; ///< with the given times only
  bool names_users_ = false;
  NamedQueues queues_ = NamedQueues::may_be_gone;
  ReservationChange change_;
  std::vector<LeftBehind> left_behind_; ///< with what tasks hold that cannot be told
  std::set<JobKey> returning_;
  bool with_series_ = false;
  std::vector<Statement> reasons_;    ///< what cannot be passed over
  std::vector<Statement> in_the_way_; ///< what can
};

} // namespace

FoundChange find_change(const State& state, const Caller& caller, const AlterReservation& command,
                        Instant now, bool with_series) {
  const auto* was = state.reservation_by_number(command.number);
  if (auto why = standing_obstacle(state, caller, was, command.number, now)) return {why, {}};
  return Finding(state, caller, command, *was, now).run(with_series);
}

FoundChange find_asked_change(const State& state, const Reservation& asked, Instant now) {
  const auto& proposal = asked.proposed.front();
  const auto by = requester(asked);
  auto was = asked; // and not what of it can be used meanwhile
  was.proposed.clear();
  AlterReservation command;
  command.number = asked.number, command.force = proposal.force;
  return Finding(state, by, command, was, now).run(proposal);
}

std::vector<Statement> consequences(const State& state, const ReservationChange& change) {
  std::vector<Statement> all;
  for (const auto& end : change.ends)
    if (end.is_earlier) all.push_back(end.what);
  for (const auto& [key, why] : change.held)
    all.push_back(
        {AnswerCode::job_held_by_change, {{"job", state.job(key)->number}, {"why", why}}});
  if (!change.original.empty()) {
    const auto& was = state.reservation(change.key)->shape.grants;
    const auto& next = change.shape.grants;
    all.push_back(replacement_of(without(was, next), without(next, was)));
  }
  if (change.maintenance)
    for (auto& what : statements_of(state, *change.maintenance)) all.push_back(std::move(what));
  if (all.size() <= most_listed) return all;
  const auto more = all.size() - most_listed;
  all.resize(most_listed);
  all.push_back({AnswerCode::and_more, {{"count", more}}});
  return all;
}

} // namespace almanac::rules
