#include "core/planning/commands/host_removal.hpp"

#include "core/configuration/objects/lists.hpp"
#include "core/configuration/override_purge.hpp"
#include "core/planning/commands/configuration_commands.hpp"
#include "core/planning/commands/references.hpp"
#include "core/policy/standing.hpp"
#include "core/text/words.hpp"

#include <optional>

namespace almanac::rules {

namespace {

// As its object spells it.
std::optional<std::string> known_host(const Configuration& configuration, const std::string& name) {
  for (const auto& [host, object] : configuration.hosts())
    if (equal_ignoring_case(host, name) && host != "global") return host;
  return std::nullopt;
}

// The list without the host; nothing where it is not in it.
std::optional<std::string> without_host(const std::string& list, const std::string& host) {
  auto names = parse_name_list(list);
  if (std::erase_if(names, [&](auto& name) { return equal_ignoring_case(name, host); }) == 0)
    return std::nullopt;
  return names.empty() ? "NONE" : join(names, " ");
}

void leave_queue(const Configuration& configuration, const ConfigurationObject& queue,
                 const std::string& host, std::vector<ConfigurationChange>& changes) {
  const ConfigurationObject values{queue.kind, queue.name + "@" + host, {{"*", ""}}};
  auto purged = decide_purge(configuration, {ChangeVerb::purge_values, values, {}});
  check(purged.ok(), "a stored queue has values that are read");
  auto change = std::move(purged->changes.front());
  if (const auto* hosts = queue.find("hostlist"))
    if (auto rest = without_host(*hosts, host)) change.object.set("hostlist", *rest);
  if (!change.object.attributes.empty()) changes.push_back(std::move(change));
}

// Tasks and reservations, by number.
std::vector<Statement> occupants_of(const State& state, const std::string& host) {
  std::vector<Statement> found;
  const auto is_full = [&] { return found.size() >= most_reasons; };
  for (const auto& id : state.tasks_on(host)) {
    if (is_full()) return found;
    const auto* job = state.job(id.job);
    Statement said{AnswerCode::host_has_task,
                   {{"job", job->number}, {"user", job->owner.user}, {"name", job->request->name}}};
    if (id.task > 0) said.details.emplace_back("task", id.task);
    found.push_back(std::move(said));
  }
  for (const auto key : state.occupancy().reservations_on.on(host)) {
    if (is_full()) return found;
    const auto* reservation = state.reservation(key);
    found.push_back({AnswerCode::host_has_reservation,
                     {{"reservation", reservation->number},
                      {"user", reservation->owner.user},
                      {"start", reservation->shape.window.start},
                      {"end", reservation->shape.window.end}}});
  }
  return found;
}

} // namespace

std::vector<ConfigurationChange> removal_of_host(const Configuration& configuration,
                                                 const std::string& host,
                                                 const std::string& stays) {
  std::vector<ConfigurationChange> changes;
  for (const auto& object : configuration.objects()) {
    if (object.kind == ObjectKind::cluster_queue) leave_queue(configuration, object, host, changes);
    if (object.kind != ObjectKind::host_group) continue;
    const auto* hosts = object.find("hostlist");
    if (auto rest = hosts ? without_host(*hosts, host) : std::nullopt)
      changes.push_back(
          {ChangeVerb::modify, {object.kind, object.name, {{"hostlist", *rest}}}, {}});
  }
  if (host != stays) {
    if (configuration.is_submit_host(host))
      changes.push_back({ChangeVerb::remove_entries, {ObjectKind::submit_hosts, "", {}}, {host}});
    if (configuration.is_admin_host(host))
      changes.push_back({ChangeVerb::remove_entries, {ObjectKind::admin_hosts, "", {}}, {host}});
  }
  if (configuration.find(ObjectKind::local_configuration, host))
    changes.push_back({ChangeVerb::erase, {ObjectKind::local_configuration, host, {}}, {}});
  changes.push_back({ChangeVerb::erase, {ObjectKind::exec_host, host, {}}, {}});
  return changes;
}

Answer remove_host(State& state, const Caller& caller, const RemoveHost& command, Instant now) {
  if (auto allowed = for_managers(state.configuration(), caller); allowed.exit_code != 0)
    return allowed;
  const auto host = known_host(state.configuration(), command.host);
  if (!host) return Answer::refusal({AnswerCode::no_such_host, {{"host", command.host}}});
  if (auto occupants = occupants_of(state, *host); !occupants.empty()) {
    auto answer = Answer::refusal({AnswerCode::host_in_use, {{"host", *host}}});
    for (auto& occupant : occupants) answer.refuse(std::move(occupant));
    return answer;
  }
  std::vector<InstanceName> disabled;
  for (const auto& instance : state.configuration().instances())
    if (instance.name.host == *host && state.instance(instance.name).disabled)
      disabled.push_back(instance.name);
  auto answer = configure_all(
      state, caller, {removal_of_host(state.configuration(), *host, state.master_host())}, now);
  // A host that is added again later is not the one that was drained.
  if (answer.exit_code == 0)
    for (const auto& name : disabled)
      state.edit<InstanceState>(name, [](InstanceState& condition) { condition.enable(); });
  return answer;
}

} // namespace almanac::rules
