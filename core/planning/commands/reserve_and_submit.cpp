#include "core/planning/commands/reserve_and_submit.hpp"

#include "core/planning/commands/reserve.hpp"
#include "core/planning/commands/submission.hpp"
#include "core/planning/grant_answer.hpp"
#include "core/planning/site_consent.hpp"
#include "core/request/reserve_checks.hpp"

#include <utility>

namespace almanac::rules {

namespace {

ReservationRequest reservation_for(const JobRequest& job) {
  ReservationRequest request;
  if (valid_reservation_name(job.name)) request.name = job.name;
  request.account = job.account;
  request.start = job.execution_time;
  request.duration = job.reserve_for, request.has_duration = true;
  request.resources = job.resources;
  request.queues = job.queues;
  request.master_queues = job.master_queues;
  request.checkpoint = job.checkpoint;
  request.pe = job.pe, request.slots = job.slots;
  request.allocation_rule = job.allocation_rule, request.pe_rule = job.pe_rule;
  request.project = job.project;
  request.ends_when_idle = true; // with its last job
  return request;
}

} // namespace

Answer reserve_and_submit(State& state, const Caller& caller, const Submit& command, Instant now) {
  if (site_must_agree(state, HookEvent::confirm))
    return Answer::refusal(site_is_asked_first(HookEvent::confirm, "-reserve"));
  const auto counters = state.counters();
  const auto granted = grant(state, caller, {reservation_for(command.request)}, now);
  if (!granted) return granted.error();
  auto inside = command;
  inside.request.reservation = state.reservation(granted->key)->number;
  auto submitted = submit(state, caller, inside, now);
  if (submitted.exit_code != 0) {
    leave_out_number(submitted.statements, inside.request.reservation);
    state.take_back(granted->key, counters);
    return submitted;
  }
  auto told = tell_of(state, caller, *granted, now);
  for (auto& statement : told.statements) submitted.statements.push_back(std::move(statement));
  return submitted;
}

} // namespace almanac::rules
