#include "core/planning/input_summary.hpp"

#include "core/planning/in_words.hpp"
#include "core/planning/input.hpp"
#include "core/planning/texts.hpp"
#include "core/text/names.hpp"
#include "core/text/words.hpp"

#include <variant>

namespace almanac {

namespace {

Statement said_by(const Command& command, Statement what) {
  if (command.whom.empty())
    return {AnswerCode::said_by, {{"who", command.caller.user}, {"what", std::move(what)}}};
  const auto& [user, subject] = command.whom.front();
  Statement said{AnswerCode::said_for, {{"who", command.caller.user}, {"what", std::move(what)}}};
  if (!subject.empty()) said.details.emplace_back("subject", subject);
  if (!user.user.empty()) said.details.emplace_back("user", user.user);
  return said;
}

// What is said of one input, and what it is about.
class Words {
public:
  explicit Words(InputSummary& into) : into_(into) {}

  std::string text() const { return text_of(what_); }

protected:
  void say(AnswerCode code, std::vector<Detail> details, const std::vector<std::string>& names) {
    what_ = {code, std::move(details)};
    for (const auto& name : names) into_.about.push_back("name " + name);
  }
  void add(const char* name, std::string value) {
    if (!value.empty()) what_.details.emplace_back(name, std::move(value));
  }
  void on_jobs(AnswerCode code, const std::vector<std::string>& targets,
               const std::vector<std::string>& users) {
    say(code, {}, targets);
    add("targets", join(targets, " ")), add("users", join(users, ","));
  }
  void on_host(const std::string& name) { into_.about.push_back("host " + name); }
  void change_host(AnswerCode code, const std::string& name) {
    say(code, {{"host", name}}, {});
    on_host(name);
  }
  void host(const std::string& name, Statement what) {
    say(AnswerCode::told_of_host, {{"host", name}, {"what", std::move(what)}}, {});
    on_host(name);
  }
  void task(const Attempt& attempt, Statement what) {
    say(AnswerCode::told_of_task,
        {{"job", attempt.job},
         {"task", attempt.task},
         {"attempt", attempt.attempt},
         {"what", std::move(what)}},
        {});
    into_.about.push_back("job " + to_string(attempt.job));
  }
  void task_on(const Attempt& attempt, AnswerCode code, const std::string& name) {
    task(attempt, {code, {{"host", name}}});
    on_host(name);
  }

  InputSummary& into_;
  Statement what_;
};

class CommandTeller : public Words {
public:
  using Words::Words;

  void operator()(const Command& command) {
    std::visit(*this, command.body);
    what_ = said_by(command, std::move(what_));
  }
  void operator()(const Submit& c) {
    say(AnswerCode::submits, {{"name", c.request.name}}, {c.request.name});
    if (c.request.reservation) add("reservation", to_string(c.request.reservation));
  }
  void operator()(const DeleteJobs& c) { on_jobs(AnswerCode::deletes_jobs, c.targets, c.users); }
  void operator()(const ChangeHold& c) {
    on_jobs(c.release ? AnswerCode::releases_jobs : AnswerCode::holds_jobs, c.targets, c.users);
  }
  void operator()(const ClearJobErrors& c) {
    on_jobs(AnswerCode::clears_errors_of_jobs, c.targets, {});
  }
  void operator()(const AlterJobs& c) {
    on_jobs(AnswerCode::alters_jobs, c.targets, c.users);
    auto options = c.options;
    if (!c.held.empty() || !c.released.empty()) options.emplace_back("-h");
    add("options", join(options, " "));
  }
  void operator()(const ResubmitJobs& c) {
    on_jobs(AnswerCode::copies_jobs, c.changes.targets, c.changes.users);
  }
  void operator()(const ModifyQueues& c) {
    static constexpr AnswerCode codes[] = {
        AnswerCode::disables_queues,         AnswerCode::enables_queues,
        AnswerCode::suspends_queues,         AnswerCode::unsuspends_queues,
        AnswerCode::clears_errors_of_queues, AnswerCode::reschedules_queues};
    on_jobs(codes[static_cast<int>(c.action)], c.targets, {});
    add("why", c.why);
    if (c.until.seconds) what_.details.emplace_back("until", c.until);
  }
  void operator()(const ModifyJobs& c) {
    static constexpr AnswerCode codes[] = {AnswerCode::suspends_jobs, AnswerCode::unsuspends_jobs,
                                           AnswerCode::reschedules_jobs,
                                           AnswerCode::clears_errors_of_jobs};
    on_jobs(codes[static_cast<int>(c.action)], c.targets, {});
  }
  void operator()(const Reserve& c) {
    say(c.offer_for > Duration{} ? AnswerCode::asks_for_offer : AnswerCode::reserves, {},
        {c.request.name});
    add("pe", c.request.pe);
  }
  void operator()(const DeleteReservations& c) {
    on_jobs(AnswerCode::deletes_reservations, c.targets, c.users);
  }
  void operator()(const RemoveReservations& c) {
    on_jobs(c.verb == ReservationVerb::cancel ? AnswerCode::cancels_reservations
                                              : AnswerCode::deletes_reservations,
            c.targets, c.users);
  }
  void operator()(const PrepareReservation& c) {
    say(c.verb == ReservationVerb::cancel    ? AnswerCode::prepares_cancellation
        : c.verb == ReservationVerb::destroy ? AnswerCode::prepares_removal
        : c.number                           ? AnswerCode::prepares_change
                                             : AnswerCode::prepares_reservation,
        {{"transaction", c.transaction}}, {to_string(c.number)});
  }
  void operator()(const ReserveEarliest& c) {
    say(AnswerCode::searches_start, {}, {c.prepare.request.name});
  }
  void operator()(const SettleReservation& c) {
    say(c.commit ? AnswerCode::commits_transaction : AnswerCode::drops_transaction,
        {{"transaction", c.transaction}}, {to_string(c.number)});
  }
  void operator()(const IssueChallenge& c) { of_key(AnswerCode::asks_for_challenge, c.number); }
  void operator()(const SpendChallenge& c) { of_key(AnswerCode::tries_key, c.number); }
  void of_key(AnswerCode code, ReservationNumber number) {
    say(code, {{"reservation", number}}, {to_string(number)});
  }
  void operator()(const AlterReservation& c) {
    say(AnswerCode::alters_reservation, {{"reservation", c.number}}, {to_string(c.number)});
    add("options", join(c.options, " "));
  }
  void operator()(const Configure& c) {
    static constexpr AnswerCode codes[] = {AnswerCode::adds_object, AnswerCode::modifies_object,
                                           AnswerCode::removes_object, AnswerCode::adds_to_list,
                                           AnswerCode::removes_from_list};
    const auto& [verb, object, entries] = c.change;
    if (is_of_values(verb)) return change_values(object);
    say(codes[static_cast<int>(verb)], {{"kind", std::string(kind_name(object.kind))}},
        {object.name});
    add("object", object.name), add("entries", join(entries, ","));
  }
  void change_values(const ConfigurationObject& object) {
    std::vector<std::string> names;
    for (const auto& attribute : object.attributes) names.push_back(attribute.name);
    say(AnswerCode::changes_values, {{"kind", std::string(kind_name(object.kind))}}, {object.name});
    add("object", object.name), add("attributes", excerpt(names));
  }
  void operator()(const ConfigureAll& c) {
    std::vector<std::string> names;
    for (const auto& change : c.changes) names.push_back(change.object.name);
    say(AnswerCode::changes_objects, {{"count", c.changes.size()}}, names);
    if (!c.changes.empty()) add("kind", std::string(kind_name(c.changes.front().object.kind)));
    add("objects", excerpt(names));
  }
  void operator()(const ControlScheduler& c) {
    static constexpr AnswerCode codes[] = {
        AnswerCode::triggers_scheduler, AnswerCode::stops_scheduler, AnswerCode::starts_scheduler};
    say(codes[static_cast<int>(c.action)], {}, {});
  }
  void operator()(const AddHost& c) { change_host(AnswerCode::adds_host, c.host); }
  void operator()(const RemoveHost& c) { change_host(AnswerCode::removes_host, c.host); }
  void operator()(const ChangeHostKey& c) {
    static constexpr AnswerCode codes[] = {AnswerCode::makes_ticket, AnswerCode::replaces_key,
                                           AnswerCode::revokes_key};
    change_host(codes[static_cast<int>(c.action)], c.host);
  }
};

class Teller : public CommandTeller {
public:
  using CommandTeller::CommandTeller;
  using CommandTeller::operator();

  void operator()(const TaskStarted& f) { task(f.attempt, {AnswerCode::has_started, {}}); }
  void operator()(const LaunchFailed& f) {
    task(f.attempt,
         {AnswerCode::could_not_be_launched, {{"host", f.host}, {"reason", f.record.reason}}});
    on_host(f.host);
  }
  void operator()(const TaskEnded& f) {
    Statement ended{AnswerCode::has_ended, {{"status", f.record.exit_status}}};
    if (f.record.failed != failed::none) ended.details.emplace_back("reason", f.record.reason);
    task(f.attempt, std::move(ended));
  }
  void operator()(const TaskLost& f) { task_on(f.attempt, AnswerCode::is_lost, f.host); }
  void operator()(const PartSilent& f) {
    task_on(f.attempt, AnswerCode::does_not_reach_part, f.host);
  }
  void operator()(const TaskFenced& f) { task_on(f.attempt, AnswerCode::is_past_fence, f.host); }
  void operator()(const TaskSaved& f) {
    task(f.attempt, {AnswerCode::was_checkpointed, {{"process", f.process}}});
  }
  void operator()(const SiteFileRead& f) {
    say(AnswerCode::site_file_read, {{"file", excerpt(f.name)}, {"bytes", f.text.size()}}, {});
  }
  void operator()(const TaskOverdue& f) { task(f.attempt, {AnswerCode::is_overdue, {}}); }
  void operator()(const HostRegistered& f) {
    host(f.host,
         {AnswerCode::is_there, {{"address", f.facts.address}, {"serial", f.claim.serial}}});
  }
  void operator()(const HostSilent& f) {
    host(f.host, {f.unknown ? AnswerCode::is_silent_for_long : AnswerCode::is_silent, {}});
  }
  void operator()(const LoadChanged& f) {
    host(f.host, {AnswerCode::has_load, {{"percent", f.load.load_medium}}});
  }
  void operator()(const ReservationDue& f) {
    say(AnswerCode::reservation_is_due, {{"key", f.reservation}}, {});
    into_.about.push_back("reservation " + to_string(f.reservation));
  }
  void operator()(const HookEnded& f) {
    if (f.failure.empty())
      say(AnswerCode::hook_has_ended, {{"hook", std::string(attribute_of(f.event))}}, {});
    else
      say(AnswerCode::hook_failed,
          {{"hook", std::string(attribute_of(f.event))}, {"why", f.failure}}, {});
    into_.about.push_back("reservation " + to_string(f.reservation));
  }
  void operator()(const Pass&) { say(AnswerCode::pass_is_made, {}, {}); }
  void operator()(const Restarted& f) {
    if (f.is_checkpoint) return say(AnswerCode::checkpoint_is_made, {}, {});
    say(AnswerCode::master_has_started, {{"term", f.term}}, {});
  }
};

} // namespace

InputSummary summary_of(const JournaledInput& input) {
  InputSummary result{input.sequence, input.now, {}, {}};
  Teller teller(result);
  std::visit(teller, input.input);
  result.what = teller.text();
  return result;
}

std::string in_words(const Input& input) {
  InputSummary unread;
  Teller teller(unread);
  std::visit(teller, input);
  return teller.text();
}

std::string in_words(const CommandBody& command) {
  InputSummary unread;
  Teller teller(unread);
  std::visit(teller, command);
  return teller.text();
}

} // namespace almanac
