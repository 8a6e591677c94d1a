#include "core/planning/commands/requests.hpp"

#include "core/planning/letters.hpp"
#include "core/policy/standing.hpp"
#include "core/text/names.hpp"
#include "core/text/words.hpp"

namespace almanac::rules {

namespace {

constexpr std::size_t most_addresses = 100; // each may get a letter of each task

std::optional<std::string> name_obstacle(const JobRequest& request) {
  for (const auto* name : {&request.name, &request.account})
    if (auto valid = valid_object_name(*name); !valid) return "denied: " + valid.what();
  return std::nullopt;
}

// What only operators may give, or only those whom a userset lists.
std::optional<std::string> privilege_obstacle(const Configuration& configuration,
                                              const Caller& caller, const JobRequest& request,
                                              const JobRequest& before) {
  if (is_operator(configuration, caller)) return std::nullopt;
  if (request.priority > before.priority && request.priority > 0)
    return std::string("job rejected: positive submission priority requires operator privileges");
  if (request.override_tickets != before.override_tickets)
    return std::string("job rejected: override tickets require operator privileges");
  if (request.deadline != before.deadline && request.deadline.seconds > 0 &&
      !configuration.is_in_userset("deadlineusers", caller.user, caller.group))
    return "job rejected: user \"" + caller.user + "\" is not in userset \"deadlineusers\"";
  return std::nullopt;
}

std::optional<std::string> project_obstacle(const Configuration& configuration, const Caller& owner,
                                            const std::string& name) {
  if (name.empty()) return std::nullopt;
  const auto project = configuration.projects().find(name);
  if (project == configuration.projects().end())
    return "job rejected: project \"" + excerpt(name) + "\" does not exist";
  if (!configuration.allowed(owner.user, owner.group, project->second.users,
                             project->second.excluded_users))
    return "job rejected: no access to project \"" + name + "\" for user \"" + owner.user + "\"";
  return std::nullopt;
}

} // namespace

std::optional<std::string> request_obstacle(const State& state, const Caller& caller,
                                            const Caller& owner, const JobRequest& request,
                                            const JobRequest& before) {
  if (auto why = name_obstacle(request)) return why;
  if (auto why = privilege_obstacle(state.configuration(), caller, request, before)) return why;
  if (request.mail_to.size() > most_addresses && request.mail_to != before.mail_to)
    return "mail is sent to " + std::to_string(most_addresses) + " addresses at most (-M)";
  if (request.pe.empty() != request.slots.empty())
    return std::string("a parallel environment and its slot range belong together");
  if (request.project != before.project)
    return project_obstacle(state.configuration(), owner, request.project);
  return std::nullopt;
}

std::optional<std::string> keep_obstacle(const State& state, const Caller& owner, std::int64_t kept,
                                         std::int64_t more) {
  const auto most = state.configuration().global().max_user_mb;
  if (most == 0 || more <= 0 || kept + more <= most << 20 ||
      is_manager(state.configuration(), owner))
    return std::nullopt;
  return "the records of \"" + owner.user + "\" take up more than " + std::to_string(most) +
         " MB (qmaster_params MAX_USER_MB)";
}

} // namespace almanac::rules
