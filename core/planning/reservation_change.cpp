#include "core/planning/reservation_change.hpp"

#include "core/admission/kept_bytes.hpp"
#include "core/matching/changed_places.hpp"
#include "core/matching/suitability.hpp"
#include "core/planning/proposals.hpp"
#include "core/planning/soonest_start.hpp"
#include "core/planning/tasks_inside.hpp"
#include "core/policy/standing.hpp"
#include "core/request/reserve_table.hpp"
#include "core/text/words.hpp"

#include <algorithm>
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

// One change that is looked for.
class Finding {
public:
  Finding(const State& state, const Caller& caller, const AlterReservation& command,
          const Reservation& was, Instant now)
      : state_(state), caller_(caller), command_(command), was_(was), now_(now) {
    change_.key = was.key, change_.request = was.request, change_.shape = was.shape;
  }

  FoundChange run() {
    if (auto why = apply_options()) return refused(Answer::refusal(*why));
    if (auto why = request_obstacle()) return refused(*why);
    if (change_.reshapes) {
      if (auto why = find_place()) return refused(*why);
      look_at_tasks();
      look_at_jobs();
    }
    if (reasons_.empty() && (command_.force || in_the_way_.empty()))
      return {std::nullopt, std::move(change_)};
    return {refusal_by_jobs(), std::move(change_)};
  }

private:
  FoundChange refused(Answer why) const {
    return {not_changed(std::move(why), was_.number), std::nullopt};
  }

  Answer refusal_by_jobs() const {
    Answer answer;
    answer.exit_code = 1;
    std::size_t listed = 0;
    for (const auto* list : {&reasons_, &in_the_way_})
      for (const auto& why : *list)
        if (++listed <= most_listed) answer.warn(why);
    if (listed > most_listed)
      answer.warn({AnswerCode::and_more, {{"count", listed - most_listed}}});
    return not_changed(std::move(answer), was_.number);
  }

  // ---- what is asked for ------------------------------------------------------------------------

  // What is not given stays; of the window, as requested_window() says.
  std::optional<Statement> apply_options() {
    auto& request = change_.request;
    times_ = was_.request;
    times_.start = times_.end = {}, times_.duration = {}, times_.has_duration = false;
    for (const auto& name : command_.options) {
      const auto* option = find_reserve_alteration(name);
      if (!option)
        return Statement{AnswerCode::reservation_option_fixed, {{"option", excerpt(name)}}};
      const bool is_of_window = name == "-a" || name == "-e" || name == "-d";
      (*option->copy)(is_of_window ? times_ : request, command_.request);
      change_.reshapes = change_.reshapes || *option->reshapes;
      names_users_ = names_users_ || name == "-u";
    }
    return std::nullopt;
  }

  std::optional<Answer> request_obstacle() const {
    if (names_users_)
      if (auto why = users_obstacle(state_.configuration(), change_.request))
        return Answer::refusal(*why);
    if (is_manager(state_.configuration(), caller_)) return std::nullopt;
    return budget_obstacle(state_, was_.owner,
                           kept_bytes(change_.request) - kept_bytes(was_.request));
  }

  std::optional<Answer> find_place() {
    auto& request = change_.request;
    const auto demand = demand_of_reservation(state_, was_.owner, request);
    if (!demand) return Answer::refusal(demand.error());
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
    const auto found =
        find_changed_place(state_, was_, *demand, *window, now_, held_by_tasks(state_, was_));
    if (!found.assignment) return no_place(found);
    change_.shape = shape_of(state_.configuration(), request, *window, *found.assignment);
    change_.on_unhealthy = found.on_unhealthy;
    return slot_hours_obstacle(state_, caller_, was_.owner, change_.shape, &was_, now_);
  }

  // ---- who is in it -------------------------------------------------------------------------------

  void look_at_tasks() {
    KeptByShape kept(change_.shape);
    each_task_inside(state_, was_, [&](const Job& job, const Task& task) {
      if (!task.pe.empty() && task.pe != change_.shape.pe)
        reasons_.push_back({AnswerCode::task_of_other_pe,
                            {{"task", name_inside(job, task)},
                             {"pe", task.pe},
                             {"other", change_.shape.pe.empty() ? "none" : change_.shape.pe}}});
      else if (auto why = kept.lacks(job, task)) reasons_.push_back(std::move(*why));
      look_at_end(job, task);
    });
  }

  void look_at_end(const Job& job, const Task& task) {
    const auto end = change_.shape.window.end;
    std::optional<Statement> overrun;
    if (end < was_.shape.window.end) overrun = overrun_of(state_, job, task, change_.shape.window);
    if (task.deleting || (!overrun && task.ended_at.seconds == 0)) return;
    const auto latest = end - state_.configuration().scheduler().duration_offset;
    const bool by_limit = task.booked.start + task.limit <= latest;
    // Never at once: its last moments are those of the reservation.
    const auto ended_at = by_limit        ? Instant{}
                          : latest > now_ ? latest
                                          : std::min(end, task.last_moment());
    if (overrun) {
      in_the_way_.push_back(std::move(*overrun));
      look_at_hosts(job, task);
    }
    if (ended_at == task.ended_at) return;
    Statement what{AnswerCode::task_cut_short,
                   {{"task", name_inside(job, task)},
                    {"left", ended_at - now_},
                    {"less", task.last_moment() - ended_at}}};
    const bool is_earlier = overrun.has_value();
    change_.ends.push_back({task.id(), ended_at, std::move(what), is_earlier});
  }

  // The master ends it, and could not there (spec/beyond.md section 11).
  void look_at_hosts(const Job& job, const Task& task) {
    for (const auto& grant : task.grants)
      if (state_.host(grant.instance.host).phase != HostPhase::up)
        return reasons_.push_back(
            {AnswerCode::task_out_of_reach,
             {{"host", grant.instance.host}, {"task", name_inside(job, task)}}});
  }

  void look_at_jobs() {
    auto next = was_;
    next.proposed.clear();
    next.shape = change_.shape, next.request = change_.request;
    const bool has_less_now = has_less(next.shape, was_.shape);
    for (const auto key : state_.occupancy().jobs_of.of(was_.key)) {
      const auto& job = *state_.job(key);
      const bool waits = waiting_tasks(job, state_.tally(key)) > 0;
      auto code = AnswerCode::about_a_job;
      auto why = shut_out(next, job);
      if (!why && waits) {
        code = AnswerCode::job_fits_no_more;
        why = fits_no_more(next, job, has_less_now);
      }
      if (!why) continue;
      if (waits) change_.held.push_back({key, *why});
      in_the_way_.push_back({code, {{"job", job.number}, {"why", std::move(*why)}}});
    }
  }

  std::optional<Statement> shut_out(const Reservation& next, const Job& job) const {
    const auto& configuration = state_.configuration();
    if (!names_users_ || admits(configuration, next, job.owner) ||
        !admits(configuration, was_, job.owner))
      return std::nullopt;
    return Statement{AnswerCode::user_shut_out, {{"user", job.owner.user}}};
  }

  // Checks J4 to J6, of jobs that have passed them until now.
  std::optional<Statement> fits_no_more(const Reservation& next, const Job& job,
                                        bool has_less_now) const {
    const auto obstacle = [&](const Reservation& reservation) {
      return reservation_obstacle(state_, reservation, job.owner, job.request, now_);
    };
    if (auto why = obstacle(next)) {
      return obstacle(was_) ? std::nullopt : why;
    }
    if (!has_less_now) return std::nullopt;
    const auto demand = demand_of_job(state_.configuration(), job.request, job.owner);
    if (!demand || is_suitable_in(state_, next, *demand, job.request, now_) ||
        !is_suitable_in(state_, was_, *demand, job.request, now_))
      return std::nullopt;
    return Statement{AnswerCode::not_in_changed_reservation, {}};
  }

  const State& state_;
  const Caller& caller_;
  const AlterReservation& command_;
  const Reservation& was_;
  const Instant now_;
  ReservationRequest times_; ///< with the given times only
  bool names_users_ = false;
  ReservationChange change_;
  std::vector<Statement> reasons_;    ///< what cannot be passed over
  std::vector<Statement> in_the_way_; ///< what can
};

} // namespace

FoundChange find_change(const State& state, const Caller& caller, const AlterReservation& command,
                        Instant now) {
  const auto* was = state.reservation_by_number(command.number);
  if (auto why = standing_obstacle(state, caller, was, command.number, now)) return {why, {}};
  return Finding(state, caller, command, *was, now).run();
}

std::vector<Statement> consequences(const State& state, const ReservationChange& change) {
  std::vector<Statement> all;
  for (const auto& end : change.ends)
    if (end.is_earlier) all.push_back(end.what);
  for (const auto& [key, why] : change.held)
    all.push_back(
        {AnswerCode::job_held_by_change, {{"job", state.job(key)->number}, {"why", why}}});
  if (all.size() <= most_listed) return all;
  const auto more = all.size() - most_listed;
  all.resize(most_listed);
  all.push_back({AnswerCode::and_more, {{"count", more}}});
  return all;
}

} // namespace almanac::rules
