#include "core/planning/planner.hpp"

#include "core/planning/acting.hpp"
#include "core/planning/commands/alter_reservation.hpp"
#include "core/planning/commands/alter_series.hpp"
#include "core/planning/commands/alteration.hpp"
#include "core/planning/commands/claims.hpp"
#include "core/planning/commands/configuration_commands.hpp"
#include "core/planning/commands/delete_reservations.hpp"
#include "core/planning/commands/deletion.hpp"
#include "core/planning/commands/holding.hpp"
#include "core/planning/commands/host_removal.hpp"
#include "core/planning/commands/job_actions.hpp"
#include "core/planning/commands/maintain.hpp"
#include "core/planning/commands/offer.hpp"
#include "core/planning/commands/queue_commands.hpp"
#include "core/planning/commands/remove_reservations.hpp"
#include "core/planning/commands/reserve.hpp"
#include "core/planning/commands/reserve_and_submit.hpp"
#include "core/planning/commands/reserve_earliest.hpp"
#include "core/planning/commands/reserve_from_job.hpp"
#include "core/planning/commands/reserve_series.hpp"
#include "core/planning/commands/resubmission.hpp"
#include "core/planning/commands/scheduler_commands.hpp"
#include "core/planning/commands/submission.hpp"
#include "core/planning/commands/transactions.hpp"
#include "core/planning/facts/host_facts.hpp"
#include "core/planning/facts/hours.hpp"
#include "core/planning/facts/idle_hosts.hpp"
#include "core/planning/facts/repair.hpp"
#include "core/planning/facts/site_files.hpp"
#include "core/planning/facts/task_facts.hpp"
#include "core/planning/throttling.hpp"
#include "core/planning/pass/slice.hpp"
#include "core/planning/hooks.hpp"
#include "core/planning/idle_reservations.hpp"
#include "core/planning/maintenance.hpp"
#include "core/planning/named_jobs.hpp"
#include "core/planning/overstaying.hpp"
#include "core/planning/questions/schedule_trace.hpp"
#include "core/planning/reservation_transitions.hpp"
#include "core/planning/series_jobs.hpp"
#include "core/planning/series_transitions.hpp"
#include "core/planning/site_consent.hpp"
#include "core/planning/subordination.hpp"
#include "core/planning/texts.hpp"
#include "core/planning/transitions.hpp"
#include "core/policy/standing.hpp"

namespace almanac {

namespace {

// For whom a command is decided, or why nothing is decided about it.
Result<Caller, Answer> user_of(State& state, const Command& command, Instant now) {
  if (auto why = host_obstacle(state.configuration(), command.caller, command.body))
    return Answer::refusal(*why);
  auto user = rules::acting_for(state.configuration(), command);
  if (!user) return user;
  if (auto why = rules::claim_obstacle(state, command, *user, now)) return *why;
  return user;
}

bool is_for_queues(const CommandBody& body) {
  const auto* jobs = std::get_if<ModifyJobs>(&body);
  return jobs && jobs->or_queues;
}

// What is done for a command; each alternative names its rule.
class CarryOut {
public:
  CarryOut(State& state, Instant now, Decisions& decisions)
      : state_(state), now_(now), decisions_(decisions) {}

  Answer answer(const Caller& caller, const Submit& c) {
    return c.request.reserve_for == Duration{} ? rules::submit(state_, caller, c, now_)
                                               : rules::reserve_and_submit(state_, caller, c, now_);
  }
  Answer answer(const Caller& caller, const DeleteJobs& c) {
    return rules::delete_jobs(state_, caller, c, now_);
  }
  Answer answer(const Caller& caller, const ChangeHold& c) {
    return rules::change_hold(state_, caller, c);
  }
  Answer answer(const Caller& caller, const ClearJobErrors& c) {
    return rules::clear_job_errors(state_, caller, c, now_);
  }
  Answer answer(const Caller& caller, const ModifyJobs& c) {
    return rules::modify_jobs(state_, caller, c, now_);
  }
  Answer answer(const Caller& caller, const AlterJobs& c) {
    return rules::alter_jobs(state_, caller, c, now_);
  }
  Answer answer(const Caller& caller, const ResubmitJobs& c) {
    return rules::resubmit(state_, caller, c, now_);
  }
  Answer answer(const Caller& caller, const ModifyQueues& c) {
    return rules::modify_queues(state_, caller, c, now_);
  }
  Answer answer(const Caller& caller, const Reserve& c) {
    if (!c.recurrence.rule.empty()) return rules::reserve_series(state_, caller, c, now_);
    if (c.request.maintenance) return rules::maintain(state_, caller, c, now_);
    if (c.offer_for > Duration{}) return rules::offer(state_, caller, c, now_);
    return c.from_job ? rules::reserve_from_job(state_, caller, c, now_)
                      : rules::reserve(state_, caller, c, now_);
  }
  Answer answer(const Caller& caller, const RemoveReservations& c) {
    return rules::remove_reservations(state_, caller, c, now_);
  }
  Answer answer(const Caller& caller, const DeleteReservations& c) {
    return rules::delete_reservations(state_, caller, c, now_);
  }
  Answer answer(const Caller& caller, const PrepareReservation& c) {
    return rules::prepare(state_, caller, c, now_);
  }
  Answer answer(const Caller& caller, const ReserveEarliest& c) {
    return rules::reserve_earliest(state_, caller, c, now_);
  }
  Answer answer(const Caller& caller, const SettleReservation& c) {
    return rules::settle(state_, caller, c, now_);
  }
  Answer answer(const Caller& caller, const IssueChallenge& c) {
    return rules::issue_challenge(state_, caller, c, now_);
  }
  Answer answer(const Caller& caller, const SpendChallenge& c) {
    return rules::key_is_good(state_, caller, c);
  }
  Answer answer(const Caller& caller, const AlterReservation& c) {
    return c.rest || state_.series(c.number) ? rules::alter_series(state_, caller, c, now_)
                                             : rules::alter_reservation(state_, caller, c, now_);
  }
  Answer answer(const Caller& caller, const Configure& c) {
    return rules::configure(state_, caller, c, now_);
  }
  Answer answer(const Caller& caller, const ConfigureAll& c) {
    return rules::configure_all(state_, caller, c, now_);
  }
  Answer answer(const Caller& caller, const AddHost& c) {
    return rules::add_host(state_, caller, c, now_);
  }
  Answer answer(const Caller& caller, const RemoveHost& c) {
    return rules::remove_host(state_, caller, c, now_);
  }
  Answer answer(const Caller& caller, const ChangeHostKey& c) {
    return rules::change_host_key(state_, caller, c, now_);
  }
  Answer answer(const Caller& caller, const ControlScheduler& c) {
    auto said = rules::control_scheduler(state_, caller, c);
    if (said.exit_code != 0) return said;
    // The run that follows finds what it would have found anyway: what is booked now is what the last
    // one left.
    if (c.action == SchedulerAction::run) decisions_.schedule = schedule_trace(state_, now_);
    else decisions_.warnings = texts_of(said.statements);
    return said;
  }

private:
  State& state_;
  Instant now_;
  Decisions& decisions_;
};

// Applies one input; each alternative names its rule.
class Apply {
public:
  Apply(State& state, Instant now, Decisions& decisions)
      : state_(state), now_(now), decisions_(decisions) {}

  void operator()(const Command& command) {
    state_.note_command(command.caller);
    const auto* submit = std::get_if<Submit>(&command.body);
    if (!submit || submit->request.immediate) rules::extend_overdue(state_, now_);
    const auto user = user_of(state_, command, now_);
    if (!user) return void(decisions_.answer = user.error());
    const auto last_hook = state_.counters().last_hook;
    CarryOut carry_out(state_, now_, decisions_);
    decisions_.answer =
        std::visit([&](const auto& body) { return carry_out.answer(*user, body); }, command.body);
    decisions_.awaits = asked_of_site({decisions_.answer->number}, last_hook);
    rules::bind_named_jobs(state_, {decisions_.answer->number}, now_);
    explain_standing(state_.configuration(), command.caller, *decisions_.answer);
    note(command.body);
    decisions_.pass_wanted = true;
    if (submit) decisions_.gather = state_.configuration().scheduler().flush_submit;
  }
  void operator()(const TaskStarted& fact) { rules::task_started(state_, fact, now_); }
  void operator()(const LaunchFailed& fact) { rules::launch_failed(state_, fact, now_), wake(); }
  void operator()(const TaskEnded& fact) {
    rules::task_ended(state_, fact, now_), wake();
    decisions_.gather = state_.configuration().scheduler().flush_finish;
  }
  void operator()(const TaskLost& fact) { rules::task_lost(state_, fact, now_), wake(); }
  void operator()(const TaskFenced& fact) { rules::task_fenced(state_, fact, now_), wake(); }
  void operator()(const PartSilent& fact) { rules::part_silent(state_, fact); }
  void operator()(const TaskSaved& fact) { rules::task_saved(state_, fact); }
  void operator()(const HostRegistered& fact) {
    if (auto refusal = rules::host_registered(state_, fact, now_)) {
      decisions_.answer = std::move(refusal);
      return;
    }
    wake();
    state_.forget_class_requests(); // what the machine offers may have changed
  }
  void operator()(const HostSilent& fact) { rules::host_silent(state_, fact, now_), wake(); }
  void operator()(const LoadChanged& fact) { rules::load_changed(state_, fact), wake(); }
  void operator()(const TaskOverdue& fact) {
    rules::end_cut_task(state_, fact, now_);
    rules::extend_overdue(state_, now_);
  }
  void operator()(const ReservationDue& fact) {
    rules::extend_overdue(state_, now_);
    const auto* due = state_.reservation(fact.reservation);
    const bool has_waited = due && due->phase == ReservationPhase::waiting;
    rules::reservation_due(state_, fact.reservation, now_), wake();
    if (has_waited)
      decisions_.warnings = texts_of(rules::overstaying(state_, fact.reservation, now_));
  }
  void operator()(const HookEnded& fact) {
    decisions_.answer = rules::site_answered(state_, fact, now_);
    if (decisions_.answer) decisions_.answers = fact.reservation;
    if (decisions_.answer) rules::bind_named_jobs(state_, {decisions_.answer->number}, now_);
    else rules::hook_ended(state_, fact, now_);
    wake();
  }
  void operator()(const SiteFileRead& fact) {
    if (auto fault = rules::site_file_read(state_, fact, now_))
      decisions_.warnings.push_back(std::move(*fault));
    wake();
  }
  void operator()(const Pass&) {
    rules::extend_overdue(state_, now_);
    const bool sweeps = now_ >= state_.waiting().next_sweep;
    if (sweeps) rules::throttle(state_, now_), rules::drop_old_challenges(state_, now_);
    if (state_.take_repair_wanted() || sweeps) {
      rules::repair_reservations(state_, now_);
      if (rules::retry_conflicts(state_, now_)) state_.waiting().disturb();
    }
    decisions_.pass_wanted = rules::pass(state_, now_);
    if (!decisions_.pass_wanted && state_.configuration().scheduler().monitor)
      decisions_.schedule = schedule_trace(state_, now_);
  }
  void operator()(const Restarted& fact) {
    state_.switch_passes(fact.passes_off), wake();
    state_.restarted(now_, {fact.zone});
    state_.believe_anew();
    rules::drop_lapsed_proposals(state_, now_);
    rules::restart_idle(state_, now_);
    if (!fact.is_checkpoint) {
      rules::give_up_questions_to_site(state_, now_);
      rules::hooks_after_restart(state_, now_);
    }
    rules::settle_on(state_, fact.host);
  }

  // What opens offers more, what closes less.
  void turn_calendars() {
    if (rules::keep_hours(state_, now_)) wake();
  }

private:
  void wake() {
    decisions_.pass_wanted = true;
    state_.waiting().disturb();
  }

  // The reservation about which this command has asked the site; 0: none.
  ReservationKey asked_of_site(ReservationNumber number, std::int64_t last_hook) const {
    const auto* reservation = state_.reservation_by_number(number);
    if (!reservation || reservation->proposed.empty()) return {};
    const auto& proposal = reservation->proposed.front();
    return proposal.awaits_site() && proposal.asks > last_hook ? reservation->key
                                                               : ReservationKey{};
  }

  // A submission helps nobody else; a change of configuration or queues may take capacity away.
  void note(const CommandBody& body) {
    if (std::holds_alternative<Submit>(body)) return;
    state_.waiting().disturb();
    if (changes_the_cell(body)) rules::follow_maintenance(state_);
    if (std::holds_alternative<Configure>(body) || std::holds_alternative<ConfigureAll>(body) ||
        std::holds_alternative<ModifyQueues>(body) || std::holds_alternative<RemoveHost>(body) ||
        is_for_queues(body))
      state_.waiting().unsettle(Statement{AnswerCode::queues_changed, {}});
  }

  State& state_;
  Instant now_;
  Decisions& decisions_;
};

} // namespace

RecordSet Planner::initial_records(const std::string& admin, const std::string& host) {
  RecordSet records;
  records.objects = Configuration::initial(admin, host).objects();
  return records;
}

Result<Planner> Planner::restore(RecordSet records) {
  auto state = State::restore(std::move(records));
  if (!state) return state.error();
  return Planner(std::move(*state));
}

Decisions Planner::handle(const ValidInput& input, Instant now) {
  check(now >= now_, "planner time never goes back");
  now_ = now;
  ++handled_;
  Decisions decisions;
  Apply apply(state_, now, decisions);
  apply.turn_calendars();
  std::visit(apply, *input);
  apply.turn_calendars();
  if (rules::follow_subordination(state_)) state_.waiting().disturb(), decisions.pass_wanted = true;
  if (rules::free_successors(state_)) decisions.pass_wanted = true;
  if (rules::roll_series(state_, now)) decisions.pass_wanted = true;
  rules::bind_to_next(state_, now);
  rules::mind_idle(state_, now);
  rules::note_idle_hosts(state_, now);
  decisions.next_turn = std::min(state_.next_turn(), state_.occupancy().standing_series.next_due());
  if (state_.configuration().has_orphans()) rules::drop_orphans(state_);
  if (const auto odd = state_.site_policy().take_odd_result(); !odd.empty())
    decisions.warnings.push_back(text_of({AnswerCode::policy_result_is_odd, {{"result", odd}}}));
  decisions.effects = state_.take_effects(now);
  if (checks_) look_at_followers();
  return decisions;
}

void Planner::look_at_followers() {
  constexpr std::size_t cheap = 200;
  const auto& records = state_.records();
  const auto looked_at = records.all<Job>().size() + records.all<Task>().size() +
                         records.configuration().instances().size();
  if (++unchecked_ <= looked_at / cheap) return;
  unchecked_ = 0;
  check(records.followers_agree(), "what is derived agrees with the records");
  check(state_.waiting().agrees(state_, now_), "who waits agrees with the records");
}

std::optional<Answer> Planner::go_on(Inquiry& inquiry, Instant now) const {
  return inquiry.go_on(state_, handled_, now);
}

Answer Planner::ask(const ValidQuestion& question, Instant now) const {
  Inquiry inquiry(question);
  auto answer = go_on(inquiry, now);
  while (!answer) answer = go_on(inquiry, now);
  return *answer;
}

} // namespace almanac
