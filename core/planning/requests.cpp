#include "core/planning/requests.hpp"

#include "core/planning/letters.hpp"
#include "core/policy/standing.hpp"
#include "core/text/names.hpp"
#include "core/text/words.hpp"

namespace almanac::rules {

namespace {

constexpr std::size_t most_addresses = 100; // each may get a letter of each task

std::optional<Statement> name_obstacle(const JobRequest& request) {
  for (const auto* name : {&request.name, &request.account})
    if (auto valid = valid_object_name(*name); !valid)
      return Statement{AnswerCode::denied, {{"why", Statement::said(valid.what())}}};
  return std::nullopt;
}

// What only operators may give, or only those whom a userset lists.
std::optional<Statement> privilege_obstacle(const Configuration& configuration,
                                            const Caller& caller, const JobRequest& request,
                                            const JobRequest& before) {
  if (is_operator(configuration, caller)) return std::nullopt;
  if (request.priority > before.priority && request.priority > 0)
    return Statement{AnswerCode::priority_for_operators, {}};
  if (request.override_tickets != before.override_tickets)
    return Statement{AnswerCode::override_tickets_for_operators, {}};
  if (request.deadline != before.deadline && request.deadline.seconds > 0 &&
      !configuration.is_in_userset("deadlineusers", caller.user, primary_group(caller)))
    return Statement{AnswerCode::no_deadline_user, {{"user", caller.user}}};
  return std::nullopt;
}

} // namespace

std::optional<Statement> project_obstacle(const Configuration& configuration, const Caller& owner,
                                          const std::string& name) {
  if (name.empty()) return std::nullopt;
  const auto project = configuration.projects().find(name);
  if (project == configuration.projects().end())
    return Statement{AnswerCode::no_such_project, {{"project", excerpt(name)}}};
  if (!configuration.allowed(owner.user, primary_group(owner), project->second.users,
                             project->second.excluded_users))
    return Statement{AnswerCode::no_access_to_project, {{"project", name}, {"user", owner.user}}};
  return std::nullopt;
}

std::optional<Statement> request_obstacle(const State& state, const Caller& caller,
                                          const Caller& owner, const JobRequest& request,
                                          const JobRequest& before) {
  if (auto why = name_obstacle(request)) return why;
  if (auto why = privilege_obstacle(state.configuration(), caller, request, before)) return why;
  if (request.mail_to.size() > most_addresses && request.mail_to != before.mail_to)
    return Statement{AnswerCode::too_many_addresses, {{"limit", most_addresses}}};
  if ((request.pe.empty() && request.allocation_rule.empty()) != request.slots.empty())
    return Statement{AnswerCode::pe_without_slots, {}};
  if (!request.pe_rule.empty() && request.pe.empty())
    return Statement{AnswerCode::rule_without_pe, {{"rule", request.pe_rule}}};
  if (request.project != before.project)
    return project_obstacle(state.configuration(), owner, request.project);
  return std::nullopt;
}

std::optional<Statement> keep_obstacle(const State& state, const Caller& owner, std::int64_t kept,
                                       std::int64_t more) {
  const auto most = state.configuration().global().max_user_mb;
  if (most == 0 || more <= 0 || kept + more <= most << 20 ||
      is_manager(state.configuration(), owner))
    return std::nullopt;
  return Statement{AnswerCode::too_much_kept, {{"user", owner.user}, {"megabytes", most}}};
}

} // namespace almanac::rules
