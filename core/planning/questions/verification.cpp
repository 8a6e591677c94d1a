#include "core/planning/questions/verification.hpp"

#include "core/matching/assumption.hpp"
#include "core/matching/attraction.hpp"
#include "core/matching/placement.hpp"
#include "core/matching/reservation_places.hpp"
#include "core/matching/suitability.hpp"
#include "core/matching/summed_obstacles.hpp"
#include "core/planning/commands/alteration.hpp"
#include "core/planning/commands/job_commands.hpp"
#include "core/planning/commands/maintain.hpp"
#include "core/planning/commands/reserve_from_job.hpp"
#include "core/planning/commands/targets.hpp"
#include "core/planning/concurrency.hpp"
#include "core/planning/proposals.hpp"
#include "core/planning/questions/alternatives.hpp"
#include "core/planning/questions/change_preview.hpp"
#include "core/planning/questions/series_preview.hpp"
#include "core/planning/soonest_start.hpp"
#include "core/planning/together.hpp"
#include "core/planning/wanted_job.hpp"
#include "core/policy/standing.hpp"
#include "core/request/altered_request.hpp"

#include <algorithm>
#include <iterator>

namespace almanac::rules {

namespace {

Answer verified(const std::optional<Assignment>& assignment, bool is_parallel,
                const Obstacles& obstacles) {
  Answer answer;
  if (assignment) {
    answer.say(is_parallel ? Statement{AnswerCode::assignment_found,
                                       {{"slots", slots_of(assignment->grants)}}}
                           : Statement{AnswerCode::suitable_queues_found, {}});
    return answer;
  }
  for (auto& obstacle : summed_up(obstacles)) answer.say(std::move(obstacle));
  answer.say({AnswerCode::no_suitable_queues_found, {}});
  answer.exit_code = 1;
  return answer;
}

Answer verified(const JobRequest& request, const Suitability& found) {
  return verified(found.assignment, !request.slots.empty(), found.obstacles);
}

// On an empty cluster one task is looked at.
Answer verified_alone(const JobRequest& request, const Suitability& found) {
  auto answer = verified(request, found);
  if (request.concurrent && found.assignment)
    answer.say({AnswerCode::one_task_was_verified, {{"tasks", request.tasks.count()}}});
  return answer;
}

// -tcon y: a place for each task; that of the first is told.
Suitability all_suitable_now(const Snapshot& state, const Job& job, const ClassRequest& wanted,
                             Instant now) {
  Suitability result;
  Together all(state, job, wanted, now);
  if (all.fit()) {
    auto first = std::move(all.take_tasks().front());
    result.assignment = Assignment{first.pe, first.grants, first.bookings};
    return result;
  }
  result.obstacles.add(all.in_numbers());
  if (all.obstacle()) result.obstacles.add(*all.obstacle());
  else {
    const auto rest = all.look();
    add_lasting_obstacles(rest, all.rest(), wanted, result.obstacles);
    place_now(rest, all.rest(), wanted, true, now, result.obstacles);
  }
  return result;
}

// -w p looks at the cluster as it is: would the next pass start it?
Suitability suitable_now(const Snapshot& state, const Job& job, Instant now) {
  Suitability result;
  if (auto why = obstacle(state, job, now)) {
    result.obstacles.add(std::move(*why));
    return result;
  }
  auto inside = job.starts_at_once() ? std::nullopt : place_attracted(state, job, now);
  if (inside) {
    result.assignment = std::move(inside->place.assignment);
    return result;
  }
  auto wanted = make_class_request(state, job);
  if (!wanted) {
    result.obstacles.add(wanted.error());
    return result;
  }
  if (job.starts_at_once()) return all_suitable_now(state, job, *wanted, now);
  add_lasting_obstacles(state, job, *wanted, result.obstacles);
  if (auto place = place_now(state, job, *wanted, true, now, result.obstacles))
    result.assignment = std::move(place->assignment);
  return result;
}

Answer verify_now(const State& state, const Caller& caller, const JobRequest& request,
                  Instant now) {
  return verified(request, suitable_now(state, imagined(state, caller, request, now), now));
}

// As the job would be changed: -w p as it is now, else on an empty cluster (spec/cli.md C4.8).
Answer verify_job(const State& state, const Job& job, const AlterJobs& asked, Instant now) {
  auto changed = job;
  changed.request = altered_request(job.request, asked);
  const JobRequest& request = changed.request;
  if (auto why = concurrency_obstacle(state.configuration(), request)) return unable_to_run(*why);
  if (request.reservation)
    if (auto why = reservation_obstacle(state, job.owner, request, now))
      return unable_to_run(std::move(*why));
  const auto demand = demand_of_job(state.configuration(), request, job.owner);
  if (!demand) return unable_to_run(demand.error());
  if (request.validation == Validation::poke)
    return verified(request, suitable_now(state, imagined(state, job.owner, request, now), now));
  return verified_alone(request, suitable(state, *demand, request, now));
}

constexpr std::size_t most_jobs_at_once = 20; // each is a search, and everybody waits meanwhile

Answer verify_jobs(const State& state, const Caller& caller, const AlterJobs& given, Instant now) {
  const auto asked = with_queue_read(state, given);
  if (auto why = option_obstacle(asked)) return Answer::refusal(*why);
  const auto selection = select_jobs(state, caller, asked.targets, asked.users);
  if (!selection) return Answer::refusal({AnswerCode::denied, {{"why", selection.error()}}});
  if (selection->targets.size() > most_jobs_at_once)
    return Answer::refusal({AnswerCode::too_many_jobs_to_verify,
                            {{"jobs", selection->targets.size()}, {"limit", most_jobs_at_once}}});
  Answer answer;
  for (const auto& target : selection->targets) {
    const auto& job = *state.job(target.key);
    if (!may_change(state.configuration(), caller, job.owner)) {
      answer.refuse(no_right_to(AnswerCode::no_right_to_modify_job, caller, job.number));
      continue;
    }
    auto found = verify_job(state, job, asked, now);
    answer.statements.insert(answer.statements.end(),
                             std::make_move_iterator(found.statements.begin()),
                             std::make_move_iterator(found.statements.end()));
    answer.exit_code = std::max(answer.exit_code, found.exit_code);
  }
  for (const auto& unknown : selection->unknown) answer.refuse(no_such_job(unknown));
  return answer.statements.empty() ? no_jobs_of(asked.users) : answer;
}

// What is found, and why the others are none (spec/reservations.md R6.39).
Answer found_for(const Reserve& asked, const Demand& demand, const Found& found,
                 const Shape& shape) {
  auto answer = verified(found.assignment, !demand.pe.empty(), {});
  const auto& why = found.obstacles.list();
  answer.statements.insert(answer.statements.begin(), why.begin(), why.end());
  if (asked.request.asap) answer.say(start_of(shape));
  return answer;
}

// `seen`: where it is looked for. `job`: that it is for, or nullptr.
Answer verify(const State& state, const Snapshot& seen, const Caller& caller, const Reserve& asked,
              const ForJob* job, Instant now) {
  if (auto obstacle = simple_obstacle(state, caller, asked.request, true)) return *obstacle;
  if (auto obstacle = override_obstacle(state, caller, asked)) return *obstacle;
  const auto started = with_start(seen, caller, asked, now);
  if (!started) return started.error();
  const auto& command = *started;
  auto window = requested_window(command.request, now);
  if (!window) return Answer::refusal(window.error());
  auto demand = demand_of_reservation(seen, caller, command.request);
  if (!demand) return Answer::refusal(demand.error());
  const auto found = find_for(seen, command, *demand, *window, now, true);
  if (!found.assignment) return verified({}, !demand->pe.empty(), found.obstacles);
  const auto shape = shape_of(state.configuration(), command.request, *window, *found.assignment);
  if (auto obstacle = slot_hours_obstacle(state, caller, caller, shape, nullptr, now))
    return *obstacle;
  if (job)
    if (auto why = binding_obstacle(state, *job, shape, now)) return Answer::refusal(*why);
  return found_for(asked, *demand, found, shape);
}

Answer verify(const State& state, const Caller& caller, const Reserve& asked, Instant now) {
  if (!asked.recurrence.rule.empty()) return series_preview(state, caller, asked, now);
  if (!asked.from_job) return verify(state, state, caller, asked, nullptr, now);
  const auto for_job = asked_for_job(state, caller, asked);
  if (!for_job) return for_job.error();
  Assumption without_its_hold(state);
  without_its_hold.drop_holds(*state.job(for_job->job));
  return verify(state, without_its_hold.look(), for_job->owner, for_job->command, &*for_job, now);
}

Answer with_standing(const Snapshot& state, const Caller& caller, Answer answer) {
  explain_standing(state.configuration(), caller, answer);
  return answer;
}

std::unique_ptr<Answering> answered(Answer answer) {
  return std::make_unique<Answered>(std::move(answer));
}

// -w v: a window at a time, as there may be one for each reservation.
class OnAnEmptyCluster : public Answering {
public:
  OnAnEmptyCluster(const Snapshot& state, Caller caller, WantedJob wanted, Instant now)
      : state_(state),
        caller_(std::move(caller)),
        request_(std::move(wanted.request)),
        search_(state, std::move(wanted.demand), request_, now) {}

  bool look() override { return search_.look(); }
  Answer answer() override {
    return with_standing(state_, caller_, verified_alone(request_, search_.found()));
  }

private:
  const Snapshot& state_;
  const Caller caller_;
  const JobRequest request_;
  SuitabilitySearch search_;
};

} // namespace

std::unique_ptr<Answering> verification(const State& state, const VerifySubmit& asked,
                                        Instant now) {
  const auto& [caller, command, jobs] = asked;
  if (asked.is_of_jobs()) {
    if (auto why = host_obstacle(state.configuration(), caller, jobs))
      return answered(Answer::refusal(*why));
    return answered(with_standing(state, caller, verify_jobs(state, caller, jobs, now)));
  }
  if (auto why = host_obstacle(state.configuration(), caller, command))
    return answered(Answer::refusal(*why));
  auto wanted = wanted_job(state, caller, command, now);
  if (!wanted) return answered(with_standing(state, caller, wanted.error()));
  if (wanted->request.validation == Validation::poke)
    return answered(with_standing(state, caller, verify_now(state, caller, wanted->request, now)));
  return std::make_unique<OnAnEmptyCluster>(state, caller, std::move(*wanted), now);
}

std::unique_ptr<Answering> verification(const State& state, const VerifyReserve& asked,
                                        Instant now) {
  const auto& [caller, command, wants_alternatives] = asked;
  if (auto why = host_obstacle(state.configuration(), caller, command))
    return answered(Answer::refusal(*why));
  if (command.request.maintenance)
    return answered(with_standing(state, caller, verify_maintenance(state, caller, command, now)));
  if (wants_alternatives && command.recurrence.rule.empty()) return alternatives(state, asked, now);
  return answered(with_standing(state, caller, verify(state, caller, command, now)));
}

std::unique_ptr<Answering> verification(const State& state, const VerifyAlterReservation& asked,
                                        Instant now) {
  const auto& [caller, command] = asked;
  if (auto why = host_obstacle(state.configuration(), caller, command))
    return answered(Answer::refusal(*why));
  return answered(with_standing(state, caller, preview(state, caller, command, now)));
}

} // namespace almanac::rules
