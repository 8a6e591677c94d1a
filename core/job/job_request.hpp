// A job as it is asked for.
#pragma once

#include "core/base/attribute.hpp"
#include "core/base/describe.hpp"
#include "core/base/time.hpp"
#include "core/job/interaction.hpp"
#include "core/text/ranges.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace almanac {

enum class Rerun : std::uint8_t { as_queue, yes, no };
template <> inline constexpr Rerun last_of<Rerun> = Rerun::no;

/// -w: none, error, warning, verify (empty cluster), poke (as it is).
enum class Validation : std::uint8_t { unset, none, error, warning, verify, poke };
template <> inline constexpr Validation last_of<Validation> = Validation::poke;

/// What `qsub` asks for. Paths are as the user wrote them; "" where not given.
struct JobRequest {
  std::string name;
  std::string account = "sge";
  bool binary = false;
  bool direct = false; ///< -shell n: with -b y, the words are executed as they are, by no shell
  Bytes script;        ///< content, empty with -b y
  std::string command; ///< path of the script or program
  std::vector<std::string> arguments;
  std::string shell;
  std::vector<Attribute> environment; ///< -v and -V
  std::vector<Attribute> origin;      ///< SGE_O_*: where it was submitted
  std::string directory;              ///< -cwd, -wd
  std::string output, error;          ///< -o, -e
  bool join = false;
  std::vector<Attribute> resources; ///< -l
  std::vector<std::string> queues;  ///< -q
  std::string pe;
  std::vector<SlotRange> slots; ///< with -pe
  TaskRange tasks;
  std::int64_t priority = 0;
  Instant execution_time;
  bool held_by_user = false;
  std::vector<std::string> predecessors; ///< -hold_jid
  ReservationNumber reservation;         ///< -ar
  bool reserve = false;                  ///< -R
  Rerun rerun = Rerun::as_queue;
  Validation validation = Validation::unset;
  bool notify = false;                    ///< a signal some time before SIGKILL and SIGSTOP
  Instant deadline;                       ///< -dl; 0: none
  std::int64_t most_running = 0;          ///< -tc: tasks of the array at the same time; 0: no limit
  std::vector<Attribute> soft_resources;  ///< -soft -l
  std::vector<std::string> soft_queues;   ///< -soft -q
  std::vector<std::string> master_queues; ///< -masterq
  bool immediate = false;                 ///< -now y: at once or not at all
  std::string project;                    ///< -P; "": none
  std::int64_t job_share = 0;             ///< -js
  std::int64_t override_tickets = 0;      ///< -ot
  std::string mail_at;                    ///< -m: letters of "beas"; "": no mail
  std::vector<std::string> mail_to;       ///< -M; none: the owner
  Duration reserve_for;             ///< -reserve: a reservation of its own, for so long; 0: none
  std::string allocation_rule{};    ///< -alloc: slots without a PE object; "": none
  bool stays_outside = false;       ///< -ar 0: no reservation attracts it
  std::vector<Attribute> context{}; ///< -ac, -dc, -sc: what its owner notes of it
  std::string checkpoint{};         ///< -ckpt; "": none
  std::string checkpoint_at{};      ///< -c: occasions or seconds; "": as the object says
  std::string input{};              ///< -i
  std::vector<std::string> array_predecessors{}; ///< -hold_jid_ad
  /// Of qrsh and qlogin; without a command it is the user's login shell.
  Interaction interaction = Interaction::none;
  std::string binding{}; ///< -binding, as print_core_binding writes it; "": none
  std::string pe_rule{}; ///< -par: in place of the allocation_rule of the PE; "": that one

  // -scope master and slave; the queues of the master are master_queues.
  std::vector<Attribute> master_resources{}; ///< -scope master -l
  std::vector<Attribute> slave_resources{};  ///< -scope slave -l
  std::vector<std::string> slave_queues{};   ///< -scope slave -q
  bool concurrent = false;                   ///< -tcon y: all tasks start in the same pass, or none

  bool operator==(const JobRequest&) const = default;
};
template <class V> void describe(V& visit, JobRequest& r) {
  visit("name", r.name);
  visit("account", r.account);
  visit("binary", r.binary);
  visit("script", r.script);
  visit("command", r.command);
  visit("arguments", r.arguments);
  visit("shell", r.shell);
  visit("environment", r.environment);
  visit("origin", r.origin);
  visit("directory", r.directory);
  visit("output", r.output);
  visit("error", r.error);
  visit("join", r.join);
  visit("resources", r.resources);
  visit("queues", r.queues);
  visit("pe", r.pe);
  visit("slots", r.slots);
  visit("tasks", r.tasks);
  visit("priority", r.priority);
  visit("execution_time", r.execution_time);
  visit("held_by_user", r.held_by_user);
  visit("predecessors", r.predecessors);
  visit("reservation", r.reservation);
  visit("reserve", r.reserve);
  visit("rerun", r.rerun);
  visit("validation", r.validation);
  visit("notify", r.notify);
  visit("deadline", r.deadline);
  visit("most_running", r.most_running);
  visit("soft_resources", r.soft_resources);
  visit("soft_queues", r.soft_queues);
  visit("master_queues", r.master_queues);
  visit("immediate", r.immediate);
  visit("project", r.project);
  visit("job_share", r.job_share);
  visit("override_tickets", r.override_tickets);
  visit("mail_at", r.mail_at);
  visit("mail_to", r.mail_to);
  visit("direct", r.direct);
  visit("reserve_for", r.reserve_for);
  visit("allocation_rule", r.allocation_rule);
  visit("stays_outside", r.stays_outside);
  visit("context", r.context);
  visit("checkpoint", r.checkpoint);
  visit("checkpoint_at", r.checkpoint_at);
  visit("input", r.input);
  visit("array_predecessors", r.array_predecessors);
  visit("interaction", r.interaction);
  visit("binding", r.binding);
  visit("pe_rule", r.pe_rule);
  visit("master_resources", r.master_resources);
  visit("slave_resources", r.slave_resources);
  visit("slave_queues", r.slave_queues);
  visit("concurrent", r.concurrent);
}

/// What the job says that it takes: the larger of h_rt and s_rt (ruling); endless for neither.
Duration asked_length(const JobRequest& request);
/// When it is ended: h_rt; endless for none.
Duration asked_limit(const JobRequest& request);
Duration asked_soft_limit(const JobRequest& request);
/// What reservations can count on: its length, endless without h_rt since s_rt only signals
/// (ruling).
Duration sure_length(const JobRequest& request);

/// Slots to count with before they are granted: the least of the range.
std::int64_t least_slots(const JobRequest& request);

} // namespace almanac
