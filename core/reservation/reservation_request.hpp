// An advance reservation as it is asked for (spec/reservations.md section 2).
#pragma once

#include "core/base/attribute.hpp"
#include "core/base/describe.hpp"
#include "core/base/ids.hpp"
#include "core/base/time.hpp"
#include "core/text/ranges.hpp"

#include <string>
#include <vector>

namespace almanac {

/// Whether what is lost of it is replaced; `fail`: it ends if that can't be done in time.
enum class Repair : std::uint8_t { as_site, yes, no, fail };
template <> inline constexpr Repair last_of<Repair> = Repair::fail;

/// What `qrsub` asks for.
struct ReservationRequest {
  std::string name;
  std::string account = "sge";
  Instant start; ///< 0: not given
  Instant end;   ///< 0: not given
  Duration duration;
  bool has_duration = false;
  std::vector<Attribute> resources;
  std::vector<std::string> queues;
  std::string pe;
  std::vector<SlotRange> slots;
  std::vector<std::string> users;   ///< -u: users, @lists, with '!' in front those kept out
  bool hard = false;                ///< -he y
  Repair repair = Repair::as_site;  ///< -repair
  std::string mail_at;              ///< -m: letters of "bea"; "": no mail
  std::vector<std::string> mail_to; ///< -M, beside the owner
  std::vector<Attribute> groups{};  ///< of plain users in -u their primary group, where it is known
  std::string checkpoint{};         ///< -ckpt
  std::vector<std::string> master_queues{}; ///< -masterq
  bool immediate = false;                   ///< -now y: queue instances of type INTERACTIVE alone
  std::string project{};                    ///< -P
  std::string allocation_rule{};            ///< -alloc: slots without a PE object; "": none
  std::int64_t spare = 0;                   ///< -spare: hosts, 0 to 999
  bool attract = false;                     ///< -attract y
  bool ends_when_idle = false;              ///< -idle MINUTES
  Duration idle_for;                        ///< of it
  bool maintenance = false;                 ///< -maintenance: its hosts are closed in its window
  std::vector<std::string> hosts{}; ///< -hosts: as asked; once granted their names, ascending
  bool requeue_running = false;     ///< -running requeue
  bool asap = false;                ///< -a asap: as soon as it fits; what is granted has a start
  std::string pe_rule{};          ///< -par: in place of the allocation_rule of the PE; "": that one
  std::int64_t nodes = 0;         ///< so many hosts (spec/plus.md section 3); 0: by slots
  std::int64_t node_slots = 0;    ///< on each of them; 0: all that it has
  bool whole_nodes = false;       ///< nobody else is on its hosts in its window
  bool preempts = false;          ///< ordinary jobs on its hosts give way at its start
  std::vector<Attribute> least{}; ///< what each host has at least: mem_total=2G, num_proc=4
  std::string os{};               ///< of each host; "": any
  std::vector<ReservationNumber> room_of{}; ///< reservations whose room it may use (RESACCESS)
  std::string public_key{}; ///< of who may claim it, base64url of an Ed25519 key; "": by a secret

  /// Its hosts are not exchanged for others, unless it is changed (spec/plus.md P3.28 to P3.30).
  bool keeps_its_nodes() const {
    return nodes > 0 && (repair == Repair::as_site || repair == Repair::no);
  }
};
template <class V> void describe(V& visit, ReservationRequest& r) {
  visit("name", r.name);
  visit("account", r.account);
  visit("start", r.start);
  visit("end", r.end);
  visit("duration", r.duration);
  visit("has_duration", r.has_duration);
  visit("resources", r.resources);
  visit("queues", r.queues);
  visit("pe", r.pe);
  visit("slots", r.slots);
  visit("users", r.users);
  visit("hard", r.hard);
  visit("repair", r.repair);
  visit("mail_at", r.mail_at);
  visit("mail_to", r.mail_to);
  visit("groups", r.groups);
  visit("checkpoint", r.checkpoint);
  visit("master_queues", r.master_queues);
  visit("immediate", r.immediate);
  visit("project", r.project);
  visit("allocation_rule", r.allocation_rule);
  visit("spare", r.spare);
  visit("attract", r.attract);
  visit("ends_when_idle", r.ends_when_idle);
  visit("idle_for", r.idle_for);
  visit("maintenance", r.maintenance);
  visit("hosts", r.hosts);
  visit("requeue_running", r.requeue_running);
  visit("asap", r.asap);
  visit("pe_rule", r.pe_rule);
  visit("nodes", r.nodes);
  visit("node_slots", r.node_slots);
  visit("whole_nodes", r.whole_nodes);
  visit("preempts", r.preempts);
  visit("least", r.least);
  visit("os", r.os);
  visit("room_of", r.room_of);
  visit("public_key", r.public_key);
}

} // namespace almanac
