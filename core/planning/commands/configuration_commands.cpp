#include "core/planning/commands/configuration_commands.hpp"

#include "core/configuration/objects/lists.hpp"
#include "core/configuration/objects/complex.hpp"
#include "core/configuration/value_change.hpp"
#include "core/planning/commands/configuration_guards.hpp"
#include "core/planning/commands/held_nodes.hpp"
#include "core/planning/throttling.hpp"
#include "core/planning/whole_reservations.hpp"
#include "core/planning/initial_states.hpp"
#include "core/planning/reservation_health.hpp"
#include "core/planning/reservation_transitions.hpp"
#include "core/policy/standing.hpp"
#include "core/text/names.hpp"
#include "core/text/words.hpp"

#include <set>

namespace almanac::rules {

namespace {

// Reserved instances that the change takes away live on as orphans; one that comes back is none any
// more (spec/reservations.md section 10.3).
std::vector<ConfigurationChange> orphans_of(const State& state, const Configuration& next) {
  std::vector<ConfigurationChange> changes;
  for (const auto& name : state.occupancy().reserved_instances.all()) {
    const bool is_orphan = next.find(ObjectKind::orphan, name.text()) != nullptr;
    const auto* instance = next.instance(name);
    const bool host_goes =
        !next.hosts().contains(name.host) && state.configuration().hosts().contains(name.host);
    if (host_goes) continue; // what is held there is aborted
    if (!instance && state.configuration().instance(name))
      changes.push_back({ChangeVerb::add, state.configuration().orphan_of(name), {}});
    else if (is_orphan && instance && !instance->orphaned)
      changes.push_back({ChangeVerb::erase, {ObjectKind::orphan, name.text(), {}}, {}});
  }
  return changes;
}

// What a new complex table adds, changes and leaves out.
std::vector<Statement> complex_changes(const Configuration& before, const Caller& caller,
                                       const ConfigurationChange& change) {
  const auto* old = before.find(ObjectKind::complex, "");
  const auto& next = change.object;
  std::vector<Statement> said;
  const auto tell = [&](AnswerCode code, const std::string& name) {
    said.push_back({code, {{"user", caller.user}, {"host", caller.host}, {"complex", name}}});
  };
  for (const auto& [name, value] : next.attributes) {
    const auto* was = old ? old->find(name) : nullptr;
    if (!was) tell(AnswerCode::complex_added, name);
    else if (*was != value) tell(AnswerCode::complex_modified, name);
  }
  if (old)
    for (const auto& [name, value] : old->attributes)
      if (!next.find(name) && !is_built_in_complex(name)) tell(AnswerCode::complex_removed, name);
  if (said.empty()) said.push_back({AnswerCode::complexes_unchanged, {}});
  return said;
}

AnswerCode success_code(const ConfigurationChange& change) {
  const bool in_a_list = !change.object.name.empty() && !is_host_set(change.object.kind);
  if (change.object.kind == ObjectKind::scheduler_configuration)
    return AnswerCode::scheduler_changed;
  if (change.object.kind == ObjectKind::global_configuration) return AnswerCode::global_modified;
  switch (change.verb) {
  case ChangeVerb::add: return AnswerCode::object_added;
  case ChangeVerb::modify: return AnswerCode::object_modified;
  case ChangeVerb::erase: return AnswerCode::object_removed;
  case ChangeVerb::add_entries:
    return is_host_set(change.object.kind) ? AnswerCode::host_added
           : in_a_list                     ? AnswerCode::entry_added_to_list
                                           : AnswerCode::entry_added;
  case ChangeVerb::add_values:
  case ChangeVerb::remove_values:
  case ChangeVerb::modify_values:
  case ChangeVerb::replace_values:
  case ChangeVerb::purge_values: return AnswerCode::object_modified;
  case ChangeVerb::remove_entries:
    return in_a_list ? AnswerCode::entry_removed_from_list : AnswerCode::entry_removed;
  }
  return AnswerCode::object_modified;
}

Statement success(const Caller& caller, const ConfigurationChange& change) {
  return {success_code(change),
          {{"user", caller.user},
           {"host", caller.host},
           {"kind", std::string(kind_name(change.object.kind))},
           {"object", change.object.name},
           {"entry", join(change.entries, ",")}}};
}

// A line for each entry that comes or goes, as Grid Engine has it.
std::vector<Statement> successes(const Configuration& before, const Caller& caller,
                                 const ConfigurationChange& change) {
  if (change.object.kind == ObjectKind::complex) return complex_changes(before, caller, change);
  std::vector<Statement> said;
  for (const auto& entry : change.entries)
    said.push_back(success(caller, {change.verb, change.object, {entry}}));
  if (said.empty()) said.push_back(success(caller, change));
  return said;
}

Answer refusal_of(const Error& error) {
  Answer answer;
  for (auto& line : statements_of(error)) answer.refuse(std::move(line));
  return answer;
}

// Whoever mends a file mends all of it.
Answer refusal_of_all(std::vector<Error> errors, const Error& first) {
  if (errors.empty()) errors.push_back(first);
  Answer answer;
  for (const auto& error : errors)
    for (auto& line : statements_of(error)) answer.refuse(std::move(line));
  return answer;
}

} // namespace

std::vector<Statement> statements_of(const Error& error) {
  std::vector<Statement> lines;
  for (const auto& line : split(error.what, '\n'))
    lines.push_back(Statement::said(excerpt(line, 1000)));
  return lines;
}

Result<NextConfiguration> configuration_after(const State& state,
                                              const std::vector<ConfigurationChange>& changes) {
  auto next = state.configuration().with_all(changes);
  if (!next) return next.error();
  NextConfiguration decided{std::move(*next), std::nullopt};
  const auto orphans = orphans_of(state, decided.changed.configuration);
  if (orphans.empty()) return decided;
  auto with_orphans = decided.changed.configuration.with_all(orphans);
  if (!with_orphans) return with_orphans.error();
  decided.with_orphans = std::move(*with_orphans);
  return decided;
}

// It limits nothing, which may not be what was meant (spec/quotas.md Q5.13).
std::vector<Statement> warnings_of(const Configuration& next,
                                   const std::vector<ConfigurationChange>& changes) {
  std::vector<Statement> warnings;
  std::set<std::string> said;
  for (const auto& change : changes) {
    const auto* set = change.object.kind == ObjectKind::quota_set
                          ? next.find(ObjectKind::quota_set, change.object.name)
                          : nullptr;
    if (set && change.verb != ChangeVerb::erase && split_rules(*set->find("limit")).empty() &&
        said.insert(change.object.name).second)
      warnings.push_back({AnswerCode::quota_set_without_rules, {{"set", change.object.name}}});
  }
  return warnings;
}

namespace {

// `told`: the changes as people know them.
Answer apply(State& state, const Caller& caller, const std::vector<ConfigurationChange>& wanted,
             const std::vector<ConfigurationChange>& told, Instant now) {
  const auto changes = with_their_orphans(state.configuration(), wanted);
  if (auto allowed = for_managers(state.configuration(), caller); allowed.exit_code != 0)
    return allowed;
  if (auto reasons = obstacles_to_erasing(state, changes); !reasons.empty())
    return Answer::refusal(std::move(reasons.front()));
  auto decided = configuration_after(state, changes);
  if (!decided) return refusal_of_all(state.configuration().errors_of(changes), decided.error());
  auto& [next, kept] = *decided;
  const auto& last = decided->last();
  if (auto reasons = obstacles(state, last, changes, now); !reasons.empty())
    return Answer::refusal(std::move(reasons.front()));
  Answer answer;
  for (const auto& change : told)
    for (auto& success : successes(state.configuration(), caller, change))
      answer.say(std::move(success));
  for (auto& warning : warnings_of(last, changes)) answer.warn(std::move(warning));
  abort_held_on(state, erased_hosts(changes), now);
  const auto beginning = beginning_instances(state, last);
  state.reconfigure(std::move(next));
  if (kept) state.reconfigure(std::move(*kept));
  begin_instances(state, beginning);
  end_throttling(state);
  follow_whole_nodes(state);
  // Whoever has the folder of an agent whose host is gone has nothing.
  for (const auto& change : changes)
    if (change.verb == ChangeVerb::erase && change.object.kind == ObjectKind::exec_host)
      state.edit<HostKey>(change.object.name, [&](HostKey& key) { revoke(key, now); });
  refresh_reservation_health(state);
  drop_past(state);
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

// A reservation may have been moved away from a task that still runs.
bool is_in_use(const State& state, const InstanceName& name) {
  for (const auto& id : state.tasks_on(name.host))
    for (const auto& grant : state.task(id)->grants)
      if (grant.instance == name) return true;
  return false;
}

} // namespace

void drop_orphans(State& state) {
  const auto& reserved = state.occupancy().reserved_instances;
  std::vector<ConfigurationChange> idle;
  for (const auto& instance : state.configuration().instances())
    if (instance.orphaned && !reserved.contains(instance.name) && !is_in_use(state, instance.name))
      idle.push_back({ChangeVerb::erase, {ObjectKind::orphan, instance.name.text(), {}}, {}});
  if (idle.empty()) return;
  auto next = state.configuration().with_all(idle);
  check(next.ok(), "orphans that nobody needs can go");
  state.reconfigure(std::move(*next));
}

namespace {

// Host names are the same in any case: what changes is the host as it is spelt in its object.
ConfigurationChange spelt_as_kept(const Configuration& configuration, ConfigurationChange change) {
  const auto kind = change.object.kind;
  if (kind != ObjectKind::local_configuration &&
      (kind != ObjectKind::exec_host || change.verb == ChangeVerb::add))
    return change;
  for (const auto& [name, host] : configuration.hosts())
    if (equal_ignoring_case(name, change.object.name)) {
      change.object.name = name;
      if (change.object.find("hostname")) change.object.set("hostname", name);
    }
  return change;
}

Result<WantedChanges, Answer> changed_values(const Configuration& configuration,
                                             const ConfigurationChange& given) {
  const auto change = spelt_as_kept(configuration, given);
  auto decided = decide_values(configuration, change);
  if (!decided) return refusal_of(decided.error());
  return WantedChanges{std::move(decided->changes),
                       {{ChangeVerb::modify, {change.object.kind, decided->object, {}}, {}}},
                       std::move(decided->notes)};
}

Result<WantedChanges, Answer> changed_objects(const Configuration& configuration,
                                              const std::vector<ConfigurationChange>& given) {
  WantedChanges wanted;
  const auto* stored = configuration.find(ObjectKind::complex, "");
  auto table = stored ? *stored : template_of(ObjectKind::complex, "");
  for (const auto& change : given) {
    if (change.object.kind == ObjectKind::orphan)
      return Answer::refusal({AnswerCode::orphans_are_not_configured, {}});
    auto next = spelt_as_kept(configuration, change);
    if (next.object.kind == ObjectKind::complex && next.verb == ChangeVerb::erase) {
      // A table without it: that checks who refers to it, and tells what goes.
      auto rest = without_complex(table, next.object.name);
      if (!rest) return refusal_of(rest.error());
      next = {ChangeVerb::modify, std::move(*rest), {}};
    }
    if (next.object.kind == ObjectKind::complex) table = next.object;
    wanted.changes.push_back(std::move(next));
  }
  wanted.told = wanted.changes;
  return wanted;
}

Answer change(State& state, const Caller& caller, const ConfigureCommand& command, Instant now) {
  auto wanted = wanted_changes(state.configuration(), caller, command);
  if (!wanted) return wanted.error();
  auto answer = apply(state, caller, wanted->changes, wanted->told, now);
  // What was there already or is missing is no failure, and comes before what was done (quotas Q5.31).
  if (answer.exit_code == 0)
    answer.statements.insert(answer.statements.begin(), wanted->notes.begin(), wanted->notes.end());
  return answer;
}

} // namespace

Result<WantedChanges, Answer> wanted_changes(const Configuration& configuration,
                                             const Caller& caller,
                                             const ConfigureCommand& command) {
  // Who may change nothing hears nothing of what is there.
  if (auto allowed = for_managers(configuration, caller); allowed.exit_code != 0) return allowed;
  if (const auto* all = std::get_if<ConfigureAll>(&command))
    return changed_objects(configuration, all->changes);
  const auto& one = std::get<Configure>(command).change;
  if (is_of_values(one.verb)) return changed_values(configuration, one);
  return changed_objects(configuration, {one});
}

Answer configure(State& state, const Caller& caller, const Configure& command, Instant now) {
  return change(state, caller, command, now);
}

Answer configure_all(State& state, const Caller& caller, const ConfigureAll& command, Instant now) {
  return change(state, caller, command, now);
}

Answer add_host(State& state, const Caller& caller, const AddHost& command, Instant now) {
  if (command.slots < 1 || command.slots > most_slots)
    return Answer::refusal({AnswerCode::slots_out_of_range, {{"limit", most_slots}}});
  const auto* group = state.configuration().find(ObjectKind::host_group, "@allhosts");
  const auto* queue = state.configuration().find(ObjectKind::cluster_queue, "all.q");
  if (!group || !queue) return Answer::refusal({AnswerCode::allhosts_and_all_q_needed, {}});
  const auto known = state.configuration().find(ObjectKind::exec_host, command.host);
  std::vector<ConfigurationChange> changes;
  if (!known)
    changes.push_back({ChangeVerb::add, template_of(ObjectKind::exec_host, command.host), {}});

  auto hosts = parse_name_list(*group->find("hostlist"));
  const std::set<std::string> members(hosts.begin(), hosts.end());
  if (known && members.contains(command.host))
    return Answer::refusal({AnswerCode::host_exists, {{"host", command.host}}});
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
  auto answer = apply(state, caller, changes, changes, now);
  if (answer.exit_code == 0) answer.number = await_new_key(state, command.host);
  return answer;
}

Answer change_host_key(State& state, const Caller& caller, const ChangeHostKey& command,
                       Instant now) {
  if (auto allowed = for_managers(state.configuration(), caller); allowed.exit_code != 0)
    return allowed;
  if (!state.configuration().hosts().contains(command.host) || command.host == "global")
    return Answer::refusal({AnswerCode::no_such_host, {{"host", command.host}}});
  std::int64_t serial = 0;
  state.edit<HostKey>(command.host, [&](HostKey& key) {
    if (command.action != KeyAction::issue) revoke(key, now);
    if (command.action != KeyAction::revoke) serial = issue_serial(key);
  });
  Answer answer;
  answer.number = serial;
  answer.say({command.action == KeyAction::revoke ? AnswerCode::host_key_revoked
                                                  : AnswerCode::host_key_replaced,
              {{"user", caller.user}, {"from", caller.host}, {"host", command.host}}});
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
