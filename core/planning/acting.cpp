#include "core/planning/acting.hpp"

#include "core/policy/standing.hpp"
#include "core/text/names.hpp"

namespace almanac::rules {

namespace {

constexpr std::int64_t limit_reached = 25; // exit code, as of other limits

Answer not_for_users(const OnBehalf& whom) {
  return Answer::refusal({AnswerCode::subject_may_not_act,
                          {{"subject", excerpt(whom.subject)}, {"user", excerpt(whom.user.user)}}});
}

// Nobody acts from outside for a user whom the cell does not believe or the master's host does not
// know. The list is of names only: in which groups the user is, nobody has said.
Result<Caller, Answer> acting_for_subject(const Configuration& configuration, const Caller& caller,
                                          const OnBehalf& whom) {
  if (auto why = subject_obstacle(configuration, caller, whom.subject)) return *why;
  const auto& user = whom.user;
  const Caller acting{user.user, user.group, user.uid, user.gid, caller.host, caller.through};
  if (user.user.empty() || user.uid == nobody || believed(configuration, acting).uid == nobody ||
      !configuration.is_in_userset(list_of_subject(whom.subject), user.user, ""))
    return not_for_users(whom);
  return acting;
}

} // namespace

std::optional<Answer> subject_obstacle(const Configuration& configuration, const Caller& caller,
                                       const std::string& subject) {
  const auto& port = configuration.scheduler().plus.meta_port;
  if (port.empty() || caller.user != port)
    return Answer::refusal({AnswerCode::no_port_of_metaschedulers, {{"user", caller.user}}});
  // Root of a submit host can take any user's name there, also the port's. So the name is believed
  // only from an admin host.
  if (!configuration.is_admin_host(caller.host))
    return Answer::refusal({AnswerCode::no_admin_host, {{"host", caller.host}}});
  if (configuration.usersets().contains(list_of_subject(subject))) return std::nullopt;
  return not_for_users({{}, subject});
}

Result<Caller, Answer> acting_for(const Configuration& configuration, const Caller& caller,
                                  const OnBehalf& whom) {
  if (!whom.subject.empty()) return acting_for_subject(configuration, caller, whom);
  const auto& user = whom.user;
  if (user.user.empty() || user.user == caller.user) return caller;
  if (!is_manager(configuration, caller))
    return Answer::refusal(
        {AnswerCode::not_for_other_users, {{"user", caller.user}, {"owner", excerpt(user.user)}}});
  return Caller{user.user, user.group, user.uid, user.gid, caller.host, caller.through};
}

Result<Caller, Answer> acting_for(const Configuration& configuration, const Command& command) {
  if (command.whom.empty()) return command.caller;
  return acting_for(configuration, command.caller, command.whom.front());
}

std::optional<Answer> number_allowance_obstacle(const State& state, const Caller& user) {
  const auto limit = state.configuration().scheduler().plus.meta_reservations;
  const auto count = state.occupancy().reservations_of.standing(user.user);
  if (limit == 0 || count < limit) return std::nullopt;
  return Answer::refusal({AnswerCode::reservations_over_allowance,
                          {{"user", user.user}, {"count", count}, {"limit", limit}}},
                         limit_reached);
}

std::optional<Answer> node_hours_obstacle(const State& state, const Caller& user, const Shape& next,
                                          Instant now) {
  const auto limit = state.configuration().scheduler().plus.meta_node_hours;
  if (limit == 0) return std::nullopt;
  const auto reserved = state.occupancy().reservations_of.host_seconds(user.user, now);
  const auto seconds = reserved + slot_seconds(next.hosts_with_spares(), next.window, now);
  if (seconds <= limit * 3600) return std::nullopt;
  return Answer::refusal(
      {AnswerCode::node_hours_over_allowance, {{"user", user.user}, {"limit", limit}}},
      limit_reached);
}

} // namespace almanac::rules
