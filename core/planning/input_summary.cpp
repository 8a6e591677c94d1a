#include "core/planning/input_summary.hpp"

#include "core/planning/in_words.hpp"
#include "core/text/words.hpp"

#include <variant>

namespace almanac {

namespace {

class Teller {
public:
  explicit Teller(InputSummary& into) : into_(into) {}

  // ---- commands -------------------------------------------------------------------------------

  void operator()(const Command& command) {
    who_ = command.caller.user + ": ";
    std::visit(*this, command.body);
  }
  void operator()(const Submit& c) {
    say("submits \"" + c.request.name + "\"", {c.request.name});
    if (c.request.reservation) into_.what += " into " + to_string(c.request.reservation);
  }
  void operator()(const DeleteJobs& c) { on_jobs("deletes jobs", c.targets, c.users); }
  void operator()(const ChangeHold& c) {
    on_jobs(c.release ? "releases jobs" : "holds jobs", c.targets, c.users);
  }
  void operator()(const ClearJobErrors& c) { on_jobs("clears errors of jobs", c.targets, {}); }
  void operator()(const AlterJobs& c) {
    on_jobs("alters " + join(c.options, " ") + " of jobs", c.targets, c.users);
  }
  void operator()(const ModifyQueues& c) {
    static const char* const verbs[] = {"disables", "enables", "suspends", "unsuspends",
                                        "clears errors of"};
    say(std::string(verbs[static_cast<int>(c.action)]) + " " + join(c.targets, " "), c.targets);
  }
  void operator()(const Reserve& c) {
    say("reserves" + (c.request.pe.empty() ? "" : " slots of " + c.request.pe), {c.request.name});
  }
  void operator()(const DeleteReservations& c) {
    on_jobs("deletes reservations", c.targets, c.users);
  }
  void operator()(const PrepareReservation& c) {
    say("prepares a " +
            std::string(c.verb == ReservationVerb::cancel    ? "cancellation"
                        : c.verb == ReservationVerb::destroy ? "removal"
                        : c.number                           ? "change"
                                                             : "reservation") +
            " in transaction " + c.transaction,
        {to_string(c.number)});
  }
  void operator()(const SettleReservation& c) {
    say((c.commit ? "commits" : "drops") + (" transaction " + c.transaction),
        {to_string(c.number)});
  }
  void operator()(const Configure& c) {
    static const char* const verbs[] = {"adds", "modifies", "removes", "adds to", "removes from"};
    const auto& [verb, object, entries] = c.change;
    say(std::string(verbs[static_cast<int>(verb)]) + " " + std::string(kind_name(object.kind)) +
            (object.name.empty() ? "" : " " + object.name) +
            (entries.empty() ? "" : ": " + join(entries, ",")),
        {object.name});
  }
  void operator()(const AddHost& c) {
    say("adds host " + c.host, {});
    on_host(c.host);
  }
  void operator()(const ChangeHostKey& c) {
    static const char* const verbs[] = {"makes another ticket for", "replaces the key of",
                                        "revokes the key of"};
    say(std::string(verbs[static_cast<int>(c.action)]) + " host " + c.host, {});
    on_host(c.host);
  }

  // ---- facts ----------------------------------------------------------------------------------

  void operator()(const TaskStarted& f) { task(f.attempt, "has started"); }
  void operator()(const LaunchFailed& f) {
    task(f.attempt, "could not be launched on " + f.host + ": " + f.record.reason);
    on_host(f.host);
  }
  void operator()(const TaskEnded& f) {
    task(f.attempt, "has ended with exit status " + std::to_string(f.record.exit_status) +
                        (f.record.failed == 0 ? "" : ", failed: " + f.record.reason));
  }
  void operator()(const TaskLost& f) { task_on(f.attempt, "is lost on ", f.host); }
  void operator()(const PartSilent& f) {
    task_on(f.attempt, "does not reach its part on ", f.host);
  }
  void operator()(const TaskFenced& f) { task_on(f.attempt, "has surely ended on ", f.host); }
  void operator()(const TaskOverdue& f) { task(f.attempt, "runs longer than it was booked for"); }
  void operator()(const HostRegistered& f) {
    host(f.host,
         "is there, at " + f.facts.address + " with the serial " + std::to_string(f.claim.serial));
  }
  void operator()(const HostSilent& f) {
    host(f.host, f.unknown ? "is not heard for longer than max_unheard" : "is not heard");
  }
  void operator()(const LoadChanged& f) {
    host(f.host, "has the load " + std::to_string(f.load.load_medium) + " %");
  }
  void operator()(const ReservationDue& f) {
    const auto key = to_string(f.reservation);
    say("a moment of the reservation with key " + key + " has come", {});
    into_.about.push_back("reservation " + key);
  }
  void operator()(const Pass&) { say("pass", {}); }
  void operator()(const Restarted& f) {
    say("the master has started, term " + to_string(f.term), {});
  }

private:
  void say(const std::string& what, const std::vector<std::string>& names) {
    into_.what = who_ + what;
    for (const auto& name : names) into_.about.push_back("name " + name);
  }
  void on_jobs(const std::string& what, const std::vector<std::string>& targets,
               const std::vector<std::string>& users) {
    say(what + " " + join(targets, " ") + (users.empty() ? "" : " of " + join(users, ",")),
        targets);
  }
  void on_host(const std::string& name) { into_.about.push_back("host " + name); }
  void host(const std::string& name, const std::string& what) {
    say("host " + name + " " + what, {});
    on_host(name);
  }
  void task(const Attempt& attempt, const std::string& what) {
    const auto key = to_string(attempt.job);
    say("task " + key + "." + std::to_string(attempt.task) + ", attempt " +
            std::to_string(attempt.attempt) + ", " + what,
        {});
    into_.about.push_back("job " + key);
  }
  void task_on(const Attempt& attempt, const std::string& what, const std::string& name) {
    task(attempt, what + name);
    on_host(name);
  }

  InputSummary& into_;
  std::string who_;
};

} // namespace

InputSummary summary_of(const JournaledInput& input) {
  InputSummary result{input.sequence, input.now, {}, {}};
  std::visit(Teller(result), input.input);
  return result;
}

std::string in_words(const CommandBody& command) {
  InputSummary result;
  std::visit(Teller(result), command);
  return result.what;
}

} // namespace almanac
