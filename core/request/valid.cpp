#include "core/request/valid.hpp"

#include "core/request/alternative_kind.hpp"
#include "core/request/checks.hpp"
#include "core/request/findings.hpp"
#include "core/request/reserve_checks.hpp"
#include "core/request/reserve_table.hpp"
#include "core/request/submit_table.hpp"
#include "core/reservation/grant.hpp"
#include "core/text/base64url.hpp"
#include "core/text/names.hpp"
#include "core/text/words.hpp"

#include <algorithm>
#include <limits>
#include <optional>
#include <set>

namespace almanac {

namespace {

constexpr std::size_t longest_transaction = 64; // its name (spec/metascheduler.md M3.29)
constexpr std::size_t longest_name = 512;       // of an object, an attribute, a host
constexpr std::size_t longest_value = 1 << 20;  // the hosts of a large cell in one
constexpr std::size_t longest_reason = 1'000;   // shown with every instance
constexpr std::size_t most_attributes = 1'000;
constexpr std::size_t most_changes = 2'000; // all quota sets of a cell go, and as many come

// ---- parts of requests ------------------------------------------------------------------------

bool is_range_of_tasks(const TaskRange& range) {
  return is_typed_range(range) && (range.last - range.first) % range.step == 0;
}

// SGE_O_…: where a job was submitted. Nothing else can be set this way.
bool is_origin(const std::string& name) {
  return name.starts_with("SGE_O_") && is_plain_variable(name);
}

// All but the name, which qalter need not give.
void check_fields(Findings& findings, const JobRequest& request) {
  check_texts(
      findings, request,
      {"arguments", "environment", "origin", "command", "directory", "output", "error", "input"});
  for (const auto& option : submit_table()) (*option.check)(findings, request);
  findings.require(request.interaction == Interaction::none || !request.tasks.is_array(),
                   "an interactive job is no array (-t)");
  for (const auto& entry : request.origin)
    findings.require(is_origin(entry.name), "the names of origin begin with SGE_O_");
}

void check_names(Findings& findings, const JobRequest& request) {
  findings.note(valid_object_name(request.name), "denied: ");
  findings.note(valid_object_name(request.account), "denied: ");
}

void check_script(Findings& findings, std::int64_t bytes) {
  findings.range("the bytes of a script", bytes, 0, std::int64_t{1} << 32);
}

void check_context_changes(Findings& findings, const std::vector<ContextChange>& changes) {
  std::size_t count = 0;
  for (const auto& change : changes) {
    check_texts(findings, change);
    count += change.variables.size() + 1;
    for (const auto& variable : change.variables)
      findings.require(!variable.name.empty(), "a variable of the context has no name");
  }
  findings.size("changes of a context", count, longest_wish);
}

void check_change(Findings& findings, const ConfigurationChange& change) {
  const auto& object = change.object;
  findings.size("characters of an object's name", object.name.size(), longest_name);
  findings.size("attributes", object.attributes.size(), most_attributes);
  if (findings.any()) return;
  for (const auto& attribute : object.attributes)
    findings.size("characters of an attribute's name", attribute.name.size(), longest_name);
  TextCheck check(findings, {}, longest_value);
  describe(check, const_cast<ConfigurationChange&>(change)); // reads only
  if (findings.any()) return;
  const auto verb = change.verb;
  const bool is_of_entries = verb == ChangeVerb::add_entries || verb == ChangeVerb::remove_entries;
  findings.require(!is_of_entries || !change.entries.empty(), "no name is given");
  findings.require(!is_of_values(verb) || !object.attributes.empty(), "no attribute is given");
  for (const auto& entry : change.entries)
    findings.size("characters of an entry", entry.size(), longest_name);
}

// ---- commands ---------------------------------------------------------------------------------

constexpr std::size_t longest_nonce = 64, longest_sealed = 512;

class CommandCheck {
public:
  explicit CommandCheck(Findings& findings) : findings_(findings) {}

  void operator()(const Submit& c) {
    findings_.note(valid(c.request));
    findings_.size("characters of a script's hash", c.script_hash.size(), 64);
    check_script(findings_, c.script_bytes);
    findings_.size("characters of the JSV's name", c.verified_by.size(), 4096);
  }
  void operator()(const Reserve& c) {
    findings_.note(valid(c.request));
    check_name(c.request);
    check_offer(c);
    check_recurrence(c);
    findings_.require(!c.request.asap || c.request.has_duration || c.from_job,
                      "asap needs a duration (-d)");
  }
  void operator()(const AlterJobs& c) {
    check_fields(findings_, c.request);
    for (const auto* list : {&c.targets, &c.users, &c.options}) findings_.note(valid_texts(*list));
    check_job_patterns(findings_, c.targets);
    const std::set<std::string> options(c.options.begin(), c.options.end());
    findings_.require(options.size() == c.options.size(), "an option is there twice");
    check_context_changes(findings_, c.context);
    findings_.require(c.held.find_first_not_of("uos") == std::string::npos &&
                          c.released.find_first_not_of("uosn") == std::string::npos,
                      "holds are letters of u, o and s");
  }
  void operator()(const ResubmitJobs& c) {
    (*this)(c.changes);
    findings_.require(c.changes.held.find_first_not_of('u') == std::string::npos,
                      "a copy has no hold but that of its user");
  }
  void operator()(const DeleteJobs& c) {
    check_texts(findings_, c);
    check_job_patterns(findings_, c.targets);
    check_tasks(c.tasks);
  }
  void operator()(const ChangeHold& c) {
    check_texts(findings_, c);
    check_job_patterns(findings_, c.targets);
    check_tasks(c.tasks);
  }
  void operator()(const PrepareReservation& c) {
    findings_.note(valid(c.request));
    check_name(c.request);
    check_texts(findings_, c);
    check_transaction(c.transaction);
    number(c.number.value);
    findings_.range("the time to hold it", c.hold_for.seconds, 0, longest_time);
    findings_.require(c.verb != ReservationVerb::amend, "nothing like that can be prepared");
    findings_.size("characters of a sealed secret", c.sealed_secret.size(), longest_sealed);
    findings_.require(!c.at_once || (c.number && c.verb == ReservationVerb::change &&
                                     c.request.start == Instant{}),
                      "only a change without a start of its own begins at once");
  }
  void operator()(const RemoveReservations& c) {
    check_texts(findings_, c);
    findings_.size("reservations and owners", c.targets.size() + c.users.size(), longest_wish);
    findings_.require(c.targets.empty() != c.users.empty(),
                      "either reservations or their owners are given");
    findings_.require(c.verb == ReservationVerb::cancel || c.verb == ReservationVerb::destroy,
                      "reservations are canceled or destroyed");
  }
  void operator()(const ReserveEarliest& c) {
    findings_.note(valid(c.search));
    (*this)(c.prepare);
    findings_.require(!c.prepare.number && c.prepare.verb == ReservationVerb::change,
                      "only a new reservation is looked for");
    findings_.note(valid_new_start(c.prepare.request));
    findings_.require(!c.at_once || c.prepare.request.start == Instant{},
                      "what begins at once has no other start");
  }
  void operator()(const SettleReservation& c) {
    check_texts(findings_, c);
    check_transaction(c.transaction);
    number(c.number.value);
  }
  void operator()(const IssueChallenge& c) {
    check_texts(findings_, c);
    findings_.range("advance reservation", c.number.value, 1, most_slots);
    findings_.size("characters of a nonce", c.nonce.size(), longest_nonce);
  }
  void operator()(const SpendChallenge& c) {
    findings_.range("advance reservation", c.number.value, 1, most_slots);
  }
  void operator()(const AlterReservation& c) {
    findings_.note(valid(c.request));
    check_name(c.request);
    findings_.note(valid_texts(c.options));
    findings_.range("advance reservation", c.number.value, 1, most_slots);
    findings_.require(!c.options.empty(), "no option is given");
    findings_.note(valid_parts(c.recurrence));
    const std::set<std::string> options(c.options.begin(), c.options.end());
    findings_.require(options.size() == c.options.size(), "an option is there twice");
  }
  void operator()(const ModifyQueues& c) {
    check_texts(findings_, c);
    findings_.size("names and patterns of queues", c.targets.size(), longest_wish);
    findings_.size("characters of a reason", c.why.size(), longest_reason);
    check_instant(findings_, "the end", c.until);
    findings_.require(c.action == QueueAction::disable || (c.why.empty() && !c.until.seconds),
                      "a reason and an end belong to queues that are disabled");
  }
  void operator()(const ModifyJobs& c) {
    check_texts(findings_, c);
    check_job_patterns(findings_, c.targets);
    findings_.require(!c.targets.empty(), "no job is named");
  }
  void operator()(const AddHost& c) {
    findings_.require(valid_host_name(c.host), "the host has no valid host name");
    findings_.range("the number of slots", c.slots, 1, most_slots);
  }
  void operator()(const RemoveHost& c) {
    findings_.require(valid_host_name(c.host), "the host has no valid host name");
  }
  void operator()(const Configure& c) { check_change(findings_, c.change); }
  void operator()(const ConfigureAll& c) {
    findings_.require(!c.changes.empty(), "no change is given");
    findings_.size("changes", c.changes.size(), most_changes);
    if (findings_.any()) return;
    for (const auto& change : c.changes) {
      check_change(findings_, change);
      // What it comes to depends on what the others make of the object.
      findings_.require(!is_of_values(change.verb), "a change of values stands by itself");
    }
  }
  void operator()(const ChangeHostKey& c) {
    findings_.require(valid_host_name(c.host), "the host has no valid host name");
  }
  // Those that hold texts alone.
  template <class T> void operator()(const T& c) {
    check_texts(findings_, c);
    if constexpr (requires { c.targets; }) check_job_patterns(findings_, c.targets);
  }

private:
  void check_tasks(const std::vector<TaskRange>& tasks) {
    findings_.size("ranges of tasks", tasks.size(), longest_wish);
    for (const auto& range : tasks)
      findings_.require(is_range_of_tasks(range), "the tasks are not ranges n-m:s of tasks");
  }
  void check_name(const ReservationRequest& request) const {
    if (!request.name.empty()) findings_.note(valid_reservation_name(request.name), "denied: ");
  }
  void check_offer(const Reserve& c) const {
    const std::set<std::string> kinds(c.offer_kinds.begin(), c.offer_kinds.end());
    for (const auto& kind : kinds)
      findings_.require(is_alternative(kind), "what is to be offered is no kind of alternative");
    findings_.require(kinds.size() == c.offer_kinds.size(), "a kind of offer is there twice");
    findings_.range("the seconds of an offer", c.offer_for.seconds, 0, longest_time);
    if (c.offer_for == Duration{})
      return findings_.require(kinds.empty(), "kinds of offers without -offer");
    findings_.require(!c.from_job, "-offer and -from-job exclude each other");
    findings_.require(!c.override_holds, "-offer and -override-holds exclude each other");
    findings_.require(!c.request.maintenance, "-offer and -maintenance exclude each other");
  }
  // spec/beyond.md sections 5.1 and 13
  void check_recurrence(const Reserve& c) {
    const auto& recurrence = c.recurrence;
    if (recurrence.rule.empty()) {
      findings_.require(recurrence == Recurrence(), "a series needs -repeat");
      return;
    }
    findings_.note(valid(recurrence));
    const auto& request = c.request;
    findings_.require(!request.asap, "-repeat and asap exclude each other");
    findings_.require(request.start == Instant{} && request.end == Instant{},
                      "-repeat begins and ends by the wall clock of its zone");
    findings_.require(recurrence.ends_at == 0 || !request.has_duration,
                      "of a series, -e and -d exclude each other");
    findings_.require(!c.from_job, "-repeat and -from-job exclude each other");
    findings_.require(!c.override_holds, "-repeat and -override-holds exclude each other");
    findings_.require(c.offer_for == Duration{}, "-repeat and -offer exclude each other");
    findings_.require(!request.maintenance, "-repeat and -maintenance exclude each other");
    findings_.require(request.nodes == 0, "-repeat and nodes exclude each other");
  }
  void check_transaction(const std::string& name) const {
    findings_.size("characters of a transaction's name", name.size(), longest_transaction);
  }
  void number(std::int64_t reservation) {
    findings_.range("advance reservation", reservation, 0, most_slots);
  }
  Findings& findings_;
};

// ---- records ----------------------------------------------------------------------------------

void check_grants(Findings& findings, const std::vector<Grant>& grants) {
  for (const auto& grant : grants)
    findings.range("the number of slots", grant.slots, 1, most_slots);
}

// What a place takes up: the diagrams add all of it up again.
void check_booked(Findings& findings, const std::vector<Booking>& bookings, const Window& window) {
  for (const auto& booking : bookings)
    findings.range("a booked amount", booking.amount, 0,
                   std::numeric_limits<std::int64_t>::max() / 2);
  findings.require(window.start <= window.end, "what is booked ends before it begins");
}

void check_record(Findings& findings, std::int64_t key, std::int64_t number, const Caller& owner) {
  findings.range("key", key, 1, std::numeric_limits<std::int64_t>::max() - 1);
  findings.range("number", number, 1, most_slots);
  findings.note(valid(owner));
}

void check_shape(Findings& findings, const Shape& shape) {
  check_grants(findings, shape.grants);
  check_booked(findings, shape.bookings, shape.window);
  check_grants(findings, shape.spares);
  check_booked(findings, shape.spare_bookings, shape.window);
  check_instant(findings, "start", shape.window.start);
  if (!shape.window.end.is_never()) // a maintenance lasts until it is deleted
    findings.range("end", shape.window.end.seconds, shape.window.start.seconds, last_second);
}

void check_fresh(Findings& findings, const Job& job) {
  const auto& all = job.request->tasks;
  std::int64_t last = -1;
  for (const auto& range : job.fresh) {
    findings.require(range == TaskRange() || is_range_of_tasks(range),
                     "tasks that are not a range");
    if (findings.any()) return;
    findings.require(all.contains(range.first) && all.contains(range.last) && range.first > last,
                     "waiting tasks that are not the job's, or not in order");
    last = range.last;
  }
}

void check_blocked(Findings& findings, const Job& job) {
  const auto& all = job.request->tasks;
  std::int64_t last = -1;
  for (const auto& range : job.blocked) {
    findings.require(is_range_of_tasks(range) && all.contains(range.first) &&
                         all.contains(range.last) && range.step == all.step && range.first > last,
                     "tasks that wait for others are not the job's, or not in order");
    if (findings.any()) return;
    last = range.last;
  }
}

void check_task_holds(Findings& findings, const Job& job) {
  const auto& all = job.request->tasks;
  const auto& holds = job.task_holds;
  findings.require(holds.empty() || all.is_array(), "holds of tasks of a job that has none");
  for (const auto* list : {&holds.by_user, &holds.by_operator, &holds.by_system}) {
    std::int64_t last = 0;
    for (const auto& range : *list) {
      findings.require(is_range_of_tasks(range) && range.step == all.step &&
                           all.contains(range.first) && all.contains(range.last) &&
                           range.first > last,
                       "tasks on hold that are not the job's, or not in order");
      if (findings.any()) return;
      last = range.last;
    }
  }
}

bool is_fresh(const Job& job, std::int64_t task) {
  return std::any_of(job.fresh.begin(), job.fresh.end(),
                     [&](const TaskRange& range) { return range.contains(task); });
}

} // namespace

Outcome valid_process(const std::vector<std::string>& command,
                      const std::vector<Attribute>& environment, const std::string& directory) {
  Findings findings;
  findings.require(!command.empty(), "a command is missing");
  TextCheck check(findings, {"command", "environment", "directory"});
  check("command", const_cast<std::vector<std::string>&>(command)); // reads only
  check("environment", const_cast<std::vector<Attribute>&>(environment));
  check("directory", const_cast<std::string&>(directory));
  findings.note(valid_environment(environment));
  return findings.outcome();
}

Outcome valid_texts(const std::vector<std::string>& texts) {
  Findings findings;
  TextCheck(findings, {}).look("a name", const_cast<std::vector<std::string>&>(texts));
  return findings.outcome();
}

Outcome valid(const Caller& caller) {
  Findings findings;
  findings.require(!caller.user.empty(), "the user is not known");
  check_texts(findings, caller);
  return findings.outcome();
}

Outcome valid(const JobRequest& request) {
  Findings findings;
  check_names(findings, request);
  check_fields(findings, request);
  return findings.outcome();
}

Outcome valid(const ReservationRequest& request) {
  Findings findings;
  if (!request.name.empty()) findings.note(valid_name_unlike_number(request.name), "denied: ");
  findings.note(valid_object_name(request.account), "denied: ");
  check_texts(findings, request);
  for (const auto& option : reserve_table()) (*option.check)(findings, request);
  check_nodes(findings, request);
  const auto key = parse_base64url(request.public_key);
  findings.require(request.public_key.empty() || (key && key->size() == key_bytes),
                   "the public key is not the 32 bytes of an Ed25519 key, in base64url");
  return findings.outcome();
}

Outcome valid(const CommandBody& body) {
  Findings findings;
  std::visit(CommandCheck(findings), body);
  return findings.outcome();
}

Outcome valid(const Job& job) {
  Findings findings;
  check_record(findings, job.key.value, job.number.value, job.owner);
  findings.note(valid(job.request));
  check_script(findings, job.script_bytes);
  check_instant(findings, "submission time", job.submitted);
  if (!findings.any()) check_fresh(findings, job);
  if (!findings.any()) check_blocked(findings, job);
  if (!findings.any()) check_task_holds(findings, job);
  for (const auto& hold : job.holds) {
    check_grants(findings, hold.grants);
    check_booked(findings, hold.bookings, hold.window);
  }
  return findings.outcome();
}

Outcome valid(const Task& task, const Job& job) {
  Findings findings;
  findings.require(task.job == job.key && job.request->tasks.contains(task.number),
                   "a task that is not the job's");
  findings.require(!is_fresh(job, task.number), "a task that never left the queue");
  findings.require(!task.is_active() || !task.grants.empty(), "an active task without a place");
  check_grants(findings, task.grants);
  check_booked(findings, task.bookings, task.booked);
  return findings.outcome();
}

Outcome valid(const Reservation& reservation) {
  Findings findings;
  check_record(findings, reservation.key.value, reservation.number.value, reservation.owner);
  findings.note(valid(reservation.request));
  check_shape(findings, reservation.shape);
  for (const auto& proposal : reservation.proposed) {
    check_shape(findings, proposal.shape);
    check_nodes(findings, proposal.request);
  }
  findings.size("characters of a sealed secret", reservation.sealed_secret.size(), longest_sealed);
  check_instant(findings, "when others end", reservation.others_end_since);
  check_instant(findings, "when it was canceled", reservation.canceled_at);
  check_grants(findings, reservation.original);
  for (const auto& left : reservation.left_behind) {
    findings.range("the number of slots", left.slots, 1, most_slots);
    check_booked(findings, left.bookings, window_of(left, reservation.shape));
  }
  return findings.outcome();
}

Outcome valid(const Series& series) {
  Findings findings;
  check_record(findings, series.order, series.number.value, series.owner);
  findings.note(valid(series.request));
  findings.note(valid(series.recurrence));
  for (const auto& conflict : series.conflicts) {
    check_instant(findings, "start", conflict.window.start);
    findings.range("end", conflict.window.end.seconds, conflict.window.start.seconds, last_second);
  }
  return findings.outcome();
}

} // namespace almanac
