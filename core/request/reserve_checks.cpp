#include "core/request/reserve_checks.hpp"

#include "core/request/checks.hpp"
#include "core/request/valid.hpp"
#include "core/text/names.hpp"

#include <string>

namespace almanac {

using R = ReservationRequest;

// Without an end is refused later, as the command's users know it.
void check_duration(Findings& findings, const R& r) {
  if (r.duration.is_endless()) return;
  findings.range("duration", r.duration.seconds, 0, longest_time);
  if (!findings.any() && r.has_duration) check_instant(findings, "end time", r.start + r.duration);
}

void check_start(Findings& findings, const R& r) {
  check_instant(findings, "start time", r.start);
  findings.require(!r.asap || r.start == Instant{}, "asap and a start time exclude each other");
}

void check_idle(Findings& findings, const R& r) {
  findings.range("idle minutes", r.idle_for.seconds / 60, 0, longest_idle);
  findings.require(r.idle_for.seconds % 60 == 0, "idle time is counted in whole minutes");
  findings.require(r.ends_when_idle || r.idle_for == Duration{}, "idle time without -idle");
}

// What it excludes, by the options that ask for it.
void check_maintenance(Findings& findings, const R& r) {
  findings.require(!r.maintenance || !r.hosts.empty(), "-maintenance needs -hosts");
  if (!r.maintenance) return;
  const auto excludes = [&](const char* option, bool is_given) {
    if (is_given)
      findings.note(Error{"-maintenance and " + std::string(option) + " exclude each other"});
  };
  excludes("-pe", !r.pe.empty());
  excludes("-alloc", !r.allocation_rule.empty());
  excludes("-par", !r.pe_rule.empty());
  excludes("-l", !r.resources.empty());
  excludes("-q", !r.queues.empty());
  excludes("-masterq", !r.master_queues.empty());
  excludes("-now", r.immediate);
  excludes("-P", !r.project.empty());
  excludes("-ckpt", !r.checkpoint.empty());
  excludes("-he", r.hard);
  excludes("-repair", r.repair != Repair::as_site);
  excludes("-spare", r.spare > 0);
  excludes("-attract", r.attract);
  excludes("-idle", r.ends_when_idle);
  excludes("-a asap", r.asap);
}

void check_hosts(Findings& findings, const R& r) {
  findings.require(r.hosts.empty() || r.maintenance, "-hosts needs -maintenance");
}

void check_running(Findings& findings, const R& r) {
  findings.require(!r.requeue_running || r.maintenance, "-running needs -maintenance");
}

void check_master_queues(Findings& findings, const R& r) {
  findings.size("master queues", r.master_queues.size(), longest_wish);
  findings.require(r.master_queues.empty() || !r.slots.empty(), "-masterq needs -pe");
}

void check_pe(Findings& findings, const R& r) {
  const bool has_name = !r.pe.empty() || !r.allocation_rule.empty();
  findings.require(has_name == !r.slots.empty(), "-pe needs a name and a slot range");
  findings.require(r.pe.empty() || r.allocation_rule.empty(), "-pe and -alloc exclude each other");
  check_slots(findings, r.slots);
  check_allocation_rule(findings, r.allocation_rule);
  check_allocation_rule(findings, r.pe_rule);
}

// What PluS and metaschedulers ask for (spec/plus.md section 3, spec/metascheduler.md section 6).
void check_nodes(Findings& findings, const R& r) {
  constexpr std::size_t longest_system = 64;
  constexpr std::size_t longest_key = 64; // of 32 bytes there are 43 letters
  findings.range("nodes", r.nodes, 0, most_slots);
  findings.range("slots of each node", r.node_slots, 0, most_slots);
  findings.size("amounts of each node", r.least.size(), longest_wish);
  findings.size("characters of an operating system", r.os.size(), longest_system);
  findings.size("characters of a public key", r.public_key.size(), longest_key);
  findings.size("reservations whose room it uses", r.room_of.size(), longest_wish);
  if (findings.any()) return;
  for (const auto& least : r.least)
    findings.require(!least.name.empty() && !least.value.empty(),
                     "an amount of each node needs a name and a value");
  for (const auto& room : r.room_of)
    findings.range("advance reservation", room.value, 1, most_slots);
  findings.require(r.room_of.empty() || (!r.preempts && !r.maintenance && r.spare == 0),
                   "room of other advance reservations is for neither -maintenance nor -spare, "
                   "and jobs are not preempted for it");
  findings.require(r.nodes > 0 || !r.whole_nodes, "whole nodes need their number");
  if (r.nodes == 0) return;
  const bool is_by_slots = !r.pe.empty() || !r.allocation_rule.empty() || !r.slots.empty() ||
                           !r.pe_rule.empty() || !r.master_queues.empty();
  findings.require(!is_by_slots, "nodes and a parallel environment exclude each other");
  findings.require(r.spare == 0, "nodes and -spare exclude each other");
  findings.require(!r.maintenance, "nodes and -maintenance exclude each other");
}

Outcome valid_reservation_name(std::string_view name) {
  const bool is_id = name.size() > 1 && name.front() == 'R' &&
                     name.find_first_not_of("0123456789", 1) == std::string_view::npos;
  if (is_id)
    return Error{"\"" + excerpt(name) +
                 "\" is not a valid object name (R and a number is the id of a reservation)"};
  return valid_name_unlike_number(name);
}

} // namespace almanac
