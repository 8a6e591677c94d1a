#include "core/policy/standing.hpp"

#include "core/configuration/configuration.hpp"
#include "core/configuration/objects/host_set.hpp"
#include "core/text/pattern.hpp"
#include "core/text/words.hpp"

#include <algorithm>

namespace almanac {

namespace {

Statement no_admin_host(const std::string& host) {
  return {AnswerCode::no_admin_host, {{"host", host}}};
}

bool needs_submit_host(const CommandBody& command) {
  return std::holds_alternative<Submit>(command) || std::holds_alternative<Reserve>(command) ||
         std::holds_alternative<PrepareReservation>(command) ||
         std::holds_alternative<ReserveEarliest>(command) ||
         std::holds_alternative<ResubmitJobs>(command);
}

std::int64_t first_user(const Configuration& configuration) {
  constexpr std::int64_t usual = 1000;
  const auto least = configuration.global().min_uid;
  return least > 0 ? least : usual;
}

// Jobs belong to names: whoever is called root is, whatever uid goes with it.
bool is_of_the_system(const Configuration& configuration, const Caller& caller) {
  return (caller.uid < first_user(configuration) || caller.user == "root") &&
         !configuration.is_admin_host(caller.host);
}

} // namespace

bool changes_the_cell(const CommandBody& command) {
  return std::holds_alternative<Configure>(command) || std::holds_alternative<AddHost>(command) ||
         std::holds_alternative<ChangeHostKey>(command) ||
         std::holds_alternative<ConfigureAll>(command) ||
         std::holds_alternative<ControlScheduler>(command) ||
         std::holds_alternative<RemoveHost>(command);
}

std::string agent_on(const std::string& host) { return "the agent on " + host; }

Caller believed(const Configuration& configuration, const Caller& caller) {
  const Caller unknown{"", "", nobody, nobody, caller.host, caller.through};
  if (is_of_the_system(configuration, caller)) return unknown;
  if (caller.through != agent_on(caller.host)) return caller;
  for (const auto* name : {caller.host.c_str(), "global"})
    if (const auto host = configuration.hosts().find(name);
        host != configuration.hosts().end() && host->second.squash.includes(caller.uid))
      return unknown;
  return caller;
}

bool owns(const Caller& caller, const Caller& owner) {
  return caller.user == owner.user && caller.uid == owner.uid;
}

bool is_manager(const Configuration& configuration, const Caller& caller) {
  return configuration.is_admin_host(caller.host) && configuration.is_manager(caller.user);
}

bool is_operator(const Configuration& configuration, const Caller& caller) {
  return configuration.is_admin_host(caller.host) && configuration.is_operator(caller.user);
}

bool may_change(const Configuration& configuration, const Caller& caller, const Caller& owner) {
  return owns(caller, owner) || is_operator(configuration, caller);
}

Precedence precedence_in(const Configuration& configuration) {
  Precedence first;
  if (const auto* object = configuration.find(ObjectKind::managers, ""))
    if (auto set = Userset::parse(*object)) first.managers = std::move(set->entries);
  if (const auto* object = configuration.find(ObjectKind::admin_hosts, ""))
    if (auto hosts = parse_host_set(*object)) first.admin_hosts = std::move(*hosts);
  return first;
}

bool Precedence::is_first(const Caller& caller) const {
  if (!admin_hosts.contains(lower(caller.host))) return false;
  return caller.user == "root" ||
         std::find(managers.begin(), managers.end(), caller.user) != managers.end();
}

std::optional<Statement> host_obstacle(const Configuration& configuration, const Caller& caller) {
  if (configuration.is_admin_host(caller.host) || configuration.is_submit_host(caller.host))
    return std::nullopt;
  return Statement{AnswerCode::neither_submit_nor_admin_host, {{"host", caller.host}}};
}

std::optional<Statement> host_obstacle(const Configuration& configuration, const Caller& caller,
                                       const CommandBody& command) {
  if (auto why = host_obstacle(configuration, caller)) return why;
  if (is_of_the_system(configuration, caller))
    return Statement{
        AnswerCode::account_of_the_system,
        {{"uid", caller.uid}, {"host", caller.host}, {"min_uid", first_user(configuration)}}};
  if (believed(configuration, caller).uid != caller.uid)
    return Statement{AnswerCode::squashed_user,
                     {{"agent", caller.through}, {"uid", caller.uid}, {"host", caller.host}}};
  if (changes_the_cell(command) && !configuration.is_admin_host(caller.host))
    return no_admin_host(caller.host);
  if (needs_submit_host(command) && !configuration.is_submit_host(caller.host))
    return Statement{AnswerCode::no_submit_host, {{"host", caller.host}}};
  return std::nullopt;
}

bool admits(const Configuration& configuration, const Reservation& reservation,
            const Caller& caller) {
  const auto names = [&](const std::string& entry) {
    if (!entry.starts_with('@')) return entry == caller.user || matches_pattern(entry, caller.user);
    return configuration.is_in_userset(entry.substr(1), caller.user, primary_group(caller));
  };
  const bool is_maintenance = reservation.request.maintenance;
  if (is_maintenance && is_manager(configuration, caller)) return true; // B6.5
  bool listed = false, any_list = false;
  for (const auto& entry : reservation.shape.users) {
    if (entry.starts_with('!')) {
      if (names(entry.substr(1))) return false;
    } else {
      any_list = true;
      listed = listed || names(entry);
    }
  }
  if (any_list && !is_maintenance) return listed;
  return listed || owns(caller, reservation.owner);
}

std::optional<std::int64_t> limit_of(const Configuration& configuration, const UserLimit& limit,
                                     const Caller& user) {
  for (const auto& one : limit.exceptions)
    if (one.of == user.user) return one.most;
  for (const auto& one : limit.exceptions)
    if (one.of.starts_with('@') &&
        configuration.is_in_userset(one.of.substr(1), user.user, primary_group(user)))
      return one.most;
  return limit.most;
}

Answer for_managers(const Configuration& configuration, const Caller& caller) {
  if (is_manager(configuration, caller)) return {};
  return Answer::refusal({AnswerCode::manager_needed, {{"user", caller.user}}});
}

void explain_standing(const Configuration& configuration, const Caller& caller, Answer& answer) {
  if (answer.exit_code == 0 || configuration.is_admin_host(caller.host) ||
      !configuration.is_operator(caller.user))
    return;
  if (!answer.statements.empty() && answer.statements.front().code == AnswerCode::no_admin_host)
    return;
  answer.warn({AnswerCode::plain_user_there, {{"host", caller.host}, {"user", caller.user}}});
}

} // namespace almanac
