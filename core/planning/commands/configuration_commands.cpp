#include "core/planning/commands/configuration_commands.hpp"

#include "core/configuration/complex.hpp"
#include "core/planning/commands/references.hpp"
#include "core/planning/commands/submission.hpp"
#include "core/planning/reservation_health.hpp"
#include "core/policy/standing.hpp"
#include "core/text/names.hpp"
#include "core/text/words.hpp"

#include <set>

namespace almanac::rules {

namespace {

std::string by_running_jobs(std::int64_t slots) {
  return slots > 0 ? "; " + std::to_string(slots) + " more are used by running jobs" : "";
}

Ledger reserved_in(const State& state) {
  Ledger reserved;
  for (const auto& reservation : state.reservations()) {
    if (!reservation.is_ending())
      reserved.book(reservation.shape.bookings, reservation.shape.window);
    for (const auto& proposal : reservation.proposed)
      reserved.book(proposal.shape.bookings, proposal.shape.window);
  }
  return reserved;
}

// With what runs; what is held for waiting jobs gives way.
Ledger taken_in(const State& state) {
  auto taken = reserved_in(state);
  for (const auto key : state.occupancy().ends.jobs())
    if (!state.job(key)->reservation_key)
      for (const auto& task : state.tasks_of(key)) taken.book(task.bookings, task.booked);
  return taken;
}

// Guards G1, G3 and G4 of spec/reservations.md section 10.3: would this void what was granted?
std::optional<std::string> broken_promise(const State& state, const Configuration& next) {
  const auto reserved = reserved_in(state);
  std::optional<Ledger> taken; // most changes touch nothing that is reserved
  const Window always{{0}, Instant::never()};
  for (const auto& reservation : state.reservations()) {
    std::vector<const Shape*> shapes;
    if (!reservation.is_ending()) shapes.push_back(&reservation.shape);
    for (const auto& proposal : reservation.proposed) shapes.push_back(&proposal.shape);
    for (const auto* shape : shapes) {
      for (const auto& booking : shape->bookings) {
        const auto before =
            configured_capacity(state.configuration(), booking.container, booking.resource);
        const auto after = configured_capacity(next, booking.container, booking.resource);
        if (before == after) continue;
        if (!taken) taken.emplace(taken_in(state));
        const auto used = taken->used(booking.container, booking.resource, shape->window);
        if (after && used <= *after) continue;
        const auto most =
            std::to_string(reserved.used(booking.container, booking.resource, always));
        if (booking.container.kind == Container::Kind::pe)
          return "denied: lowering slots amount below " + most +
                 " would break advance reservations";
        if (booking.container.kind == Container::Kind::queue && booking.resource == "slots")
          return "denied: " + most + " slots are already reserved in " + booking.container.name +
                 " by an advance reservation" +
                 by_running_jobs(used - reserved.used(booking.container, "slots", shape->window));
        return "denied: changing \"" + booking.resource.name +
               "\" in complex_values would break advance reservation";
      }
    }
  }
  return std::nullopt;
}

// Guard G7: a calendar may not close what is reserved.
std::optional<std::string> closed_promise(const State& state, const Configuration& next,
                                          Instant now) {
  Closures closures;
  closures.set_zone(state.closures().zone());
  for (const auto& reservation : state.reservations()) {
    auto window = reservation.shape.window;
    window.start = std::max(window.start, now);
    if (reservation.is_ending() || window.end <= now) continue;
    for (const auto& grant : reservation.shape.grants) {
      const auto* instance = next.instance(grant.instance);
      if (!instance || closures.is_open(next, *instance, window)) continue;
      const auto* before = state.configuration().instance(grant.instance);
      if (before && !state.closures().is_open(state.configuration(), *before, window)) continue;
      return "denied: changing \"" + instance->settings.calendar +
             "\" to calendar would break advance reservation " + to_string(reservation.number);
    }
  }
  return std::nullopt;
}

// What running tasks stand on has to stay.
std::optional<std::string> broken_job(const State& state, const Configuration& next) {
  const auto goes = [&](const InstanceName& name) {
    const auto* before = state.configuration().instance(name);
    const auto* after = next.instance(name);
    return !after || (after->orphaned && before && !before->orphaned);
  };
  for (const auto& task : state.tasks())
    for (const auto& grant : task.grants)
      if (goes(grant.instance))
        return "There are still running jobs in the queue instance \"" + grant.instance.text() +
               "\" (job " + to_string(state.job(task.job)->number) + "). Change denied.";
  return std::nullopt;
}

// Queue instances that reservations hold.
std::set<InstanceName> reserved_instances(const State& state) {
  std::set<InstanceName> names;
  for (const auto& reservation : state.reservations()) {
    for (const auto& grant : reservation.shape.grants) names.insert(grant.instance);
    for (const auto& proposal : reservation.proposed)
      for (const auto& grant : proposal.shape.grants) names.insert(grant.instance);
  }
  return names;
}

// Reserved instances that the change takes away live on as orphans; one that comes back is none any
// more (spec/reservations.md section 10.3).
std::vector<ConfigurationChange> orphans_of(const State& state, const Configuration& next) {
  std::vector<ConfigurationChange> changes;
  for (const auto& name : reserved_instances(state)) {
    const bool is_orphan = next.find(ObjectKind::orphan, name.text()) != nullptr;
    const auto* instance = next.instance(name);
    if (!instance && state.configuration().instance(name))
      changes.push_back({ChangeVerb::add, state.configuration().orphan_of(name), {}});
    else if (is_orphan && instance && !instance->orphaned)
      changes.push_back({ChangeVerb::erase, {ObjectKind::orphan, name.text(), {}}, {}});
  }
  return changes;
}

// What a new complex table adds, changes and leaves out.
std::vector<std::string> complex_changes(const Configuration& before, const Caller& caller,
                                         const ConfigurationChange& change) {
  const auto* old = before.find(ObjectKind::complex, "");
  const auto& next = change.object;
  std::vector<std::string> lines;
  const auto tell = [&](const char* verb, const std::string& name, const char* where) {
    lines.push_back(caller.user + "@" + caller.host + " " + verb + " \"" + name + "\" " + where +
                    " complex entry list");
  };
  for (const auto& [name, value] : next.attributes) {
    const auto* was = old ? old->find(name) : nullptr;
    if (!was) tell("added", name, "to");
    else if (*was != value) tell("modified", name, "in");
  }
  if (old)
    for (const auto& [name, value] : old->attributes)
      if (!next.find(name) && !is_built_in_complex(name)) tell("removed", name, "from");
  if (lines.empty()) lines.push_back("complex entry list is unchanged");
  return lines;
}

std::string success(const Caller& caller, const ConfigurationChange& change) {
  const auto& object = change.object;
  const auto who = caller.user + "@" + caller.host + " ";
  const auto in_list = std::string(kind_name(object.kind)) + " list";
  const auto names = "\"" + join(change.entries, ",") + "\"";
  if (object.kind == ObjectKind::scheduler_configuration) return "changed scheduler configuration";
  if (object.kind == ObjectKind::global_configuration)
    return who + "modified \"global\" in configuration list";
  if (is_host_set(object.kind) && change.verb == ChangeVerb::add_entries)
    return join(change.entries, ",") + " added to " + in_list;
  if (is_host_set(object.kind) && change.verb == ChangeVerb::remove_entries)
    return who + "removed " + names + " from " + in_list;
  switch (change.verb) {
  case ChangeVerb::add: return who + "added \"" + object.name + "\" to " + in_list;
  case ChangeVerb::modify: return who + "modified \"" + object.name + "\" in " + in_list;
  case ChangeVerb::erase: return who + "removed \"" + object.name + "\" from " + in_list;
  case ChangeVerb::add_entries:
    return who + "added " + names + " to " +
           (object.name.empty() ? in_list : "access list \"" + object.name + "\"");
  case ChangeVerb::remove_entries:
    return who + "removed " + names + " from " +
           (object.name.empty() ? in_list : "access list \"" + object.name + "\"");
  }
  return {};
}

// A line for each entry that comes or goes, as Grid Engine has it.
std::vector<std::string> successes(const Configuration& before, const Caller& caller,
                                   const ConfigurationChange& change) {
  std::vector<std::string> lines;
  if (change.object.kind == ObjectKind::complex) return complex_changes(before, caller, change);
  for (const auto& entry : change.entries)
    lines.push_back(success(caller, {change.verb, change.object, {entry}}));
  if (lines.empty()) lines.push_back(success(caller, change));
  return lines;
}

Answer for_managers(const State& state, const Caller& caller) {
  if (is_manager(state.configuration(), caller)) return {};
  return Answer::refusal("denied: \"" + caller.user + "\" must be manager for this operation");
}

// The host on which the master runs always has its say.
std::optional<std::string> lost_master_host(const State& state, const Configuration& next) {
  const auto& host = state.master_host();
  if (host.empty() || (next.is_admin_host(host) && next.is_submit_host(host))) return std::nullopt;
  return "denied: can't delete master host \"" + host + "\" from " +
         (next.is_admin_host(host) ? "submit" : "admin") + " host list";
}

Answer apply(State& state, const Caller& caller, const std::vector<ConfigurationChange>& changes,
             Instant now) {
  if (auto allowed = for_managers(state, caller); allowed.exit_code != 0) return allowed;
  for (const auto& change : changes)
    if (change.verb == ChangeVerb::erase)
      if (auto reason = reference_to(state, change.object.kind, change.object.name))
        return Answer::refusal(*reason);
  auto next = state.configuration().with_all(changes);
  if (!next) return Answer::refusal(excerpt(next.what(), 1000));
  const auto orphans = orphans_of(state, next->configuration);
  std::optional<Configuration::Changed> kept;
  if (!orphans.empty()) {
    auto with_orphans = next->configuration.with_all(orphans);
    if (!with_orphans) return Answer::refusal(excerpt(with_orphans.what(), 1000));
    kept = std::move(*with_orphans);
  }
  const auto& last = kept ? kept->configuration : next->configuration;
  if (auto reason = changed_meaning(state, last)) return Answer::refusal(*reason);
  if (auto reason = lost_master_host(state, last)) return Answer::refusal(*reason);
  if (auto reason = lost_access(state, last, changes)) return Answer::refusal(*reason);
  if (auto reason = broken_promise(state, last)) return Answer::refusal(*reason);
  if (auto reason = closed_promise(state, last, now)) return Answer::refusal(*reason);
  if (auto reason = broken_job(state, last)) return Answer::refusal(*reason);
  Answer answer;
  for (const auto& change : changes)
    for (auto& line : successes(state.configuration(), caller, change))
      answer.lines.push_back({std::move(line), false});
  state.reconfigure(std::move(*next));
  if (kept) state.reconfigure(std::move(*kept));
  // Whoever has the folder of an agent whose host is gone has nothing.
  for (const auto& change : changes)
    if (change.verb == ChangeVerb::erase && change.object.kind == ObjectKind::exec_host)
      state.edit<HostKey>(change.object.name, [&](HostKey& key) { revoke(key, now); });
  refresh_reservation_health(state);
  return answer;
}

// A new host has its first ticket; one that was here before gets another one.
std::int64_t await_new_key(State& state, const std::string& host) {
  std::int64_t serial = 0;
  state.edit<HostKey>(host, [&](HostKey& key) {
    serial = issue_serial(key);
    if (key.state == KeyState::awaited) key.serial = serial;
  });
  return serial;
}

} // namespace

void drop_orphans(State& state) {
  const auto reserved = reserved_instances(state);
  std::vector<ConfigurationChange> idle;
  for (const auto& instance : state.configuration().instances())
    if (instance.orphaned && !reserved.contains(instance.name))
      idle.push_back({ChangeVerb::erase, {ObjectKind::orphan, instance.name.text(), {}}, {}});
  if (idle.empty()) return;
  auto next = state.configuration().with_all(idle);
  check(next.ok(), "orphans that nobody needs can go");
  state.reconfigure(std::move(*next));
}

namespace {

// Host names are the same in any case: what changes is the host as it is spelt in its object.
ConfigurationChange spelt_as_kept(const Configuration& configuration, ConfigurationChange change) {
  if (change.object.kind != ObjectKind::exec_host || change.verb == ChangeVerb::add) return change;
  for (const auto& [name, host] : configuration.hosts())
    if (equal_ignoring_case(name, change.object.name)) {
      change.object.name = name;
      if (change.object.find("hostname")) change.object.set("hostname", name);
    }
  return change;
}

} // namespace

Answer configure(State& state, const Caller& caller, const Configure& command, Instant now) {
  if (command.change.object.kind == ObjectKind::orphan)
    return Answer::refusal("denied: orphaned queue instances come and go by themselves");
  return apply(state, caller, {spelt_as_kept(state.configuration(), command.change)}, now);
}

Answer add_host(State& state, const Caller& caller, const AddHost& command, Instant now) {
  if (command.slots < 1 || command.slots > most_slots)
    return Answer::refusal("a host has from 1 to 9999999 slots");
  const auto* group = state.configuration().find(ObjectKind::host_group, "@allhosts");
  const auto* queue = state.configuration().find(ObjectKind::cluster_queue, "all.q");
  if (!group || !queue)
    return Answer::refusal(
        "the host group @allhosts and the cluster queue all.q are needed to add a host");
  const auto known = state.configuration().find(ObjectKind::exec_host, command.host);
  std::vector<ConfigurationChange> changes;
  if (!known)
    changes.push_back({ChangeVerb::add, template_of(ObjectKind::exec_host, command.host), {}});

  auto hosts = parse_name_list(*group->find("hostlist"));
  const std::set<std::string> members(hosts.begin(), hosts.end());
  if (known && members.contains(command.host))
    return Answer::refusal("exechost \"" + command.host + "\" already exists");
  hosts.push_back(command.host);
  changes.push_back({ChangeVerb::modify,
                     {ObjectKind::host_group, "@allhosts", {{"hostlist", join(hosts, " ")}}},
                     {}});

  auto slots = OverridableValue::parse(*queue->find("slots"));
  check(slots.ok(), "a stored value parses");
  std::erase_if(slots->overrides,
                [&](const Attribute& entry) { return entry.name == command.host; });
  slots->overrides.push_back({command.host, std::to_string(command.slots)});
  changes.push_back(
      {ChangeVerb::modify, {ObjectKind::cluster_queue, "all.q", {{"slots", slots->print()}}}, {}});
  if (!state.configuration().is_submit_host(command.host))
    changes.push_back(
        {ChangeVerb::add_entries, {ObjectKind::submit_hosts, "", {}}, {command.host}});
  auto answer = apply(state, caller, changes, now);
  if (answer.exit_code == 0) answer.number = await_new_key(state, command.host);
  return answer;
}

Answer change_host_key(State& state, const Caller& caller, const ChangeHostKey& command,
                       Instant now) {
  if (auto allowed = for_managers(state, caller); allowed.exit_code != 0) return allowed;
  if (!state.configuration().hosts().contains(command.host) || command.host == "global")
    return Answer::refusal("denied: exechost \"" + command.host + "\" does not exist");
  const auto of_host = " key of host \"" + command.host + "\"";
  const auto who = caller.user + "@" + caller.host;
  std::int64_t serial = 0;
  state.edit<HostKey>(command.host, [&](HostKey& key) {
    if (command.action != KeyAction::issue) revoke(key, now);
    if (command.action != KeyAction::revoke) serial = issue_serial(key);
  });
  if (command.action == KeyAction::revoke) return {0, 0, {{who + " revoked the" + of_host, false}}};
  return {0, serial, {{who + " replaces the" + of_host, false}}};
}

Answer may_look_inside(const State& state, const Caller& caller) {
  auto answer = for_managers(state, caller);
  explain_standing(state.configuration(), caller, answer);
  return answer;
}

void settle_on(State& state, const std::string& host) {
  if (!valid_host_name(host)) return;
  state.set_master_host(host);
  std::vector<ConfigurationChange> changes;
  for (const auto kind : {ObjectKind::admin_hosts, ObjectKind::submit_hosts}) {
    const bool is_listed = kind == ObjectKind::admin_hosts
                               ? state.configuration().is_admin_host(host)
                               : state.configuration().is_submit_host(host);
    if (!is_listed) changes.push_back({ChangeVerb::add_entries, {kind, "", {}}, {host}});
  }
  if (changes.empty()) return;
  auto next = state.configuration().with_all(changes);
  check(next.ok(), "the name of the master's host is one of a host");
  state.reconfigure(std::move(*next));
}

} // namespace almanac::rules
