// What somebody may do by who he is and from where: hosts are trusted with their own users only.
//
// 1. Requests come from admin and submit hosts; jobs and reservations from submit hosts.
// 2. Managers and operators are such on admin hosts; elsewhere they are plain users.
// 3. Root and the accounts of a system, those below min_uid (where that is 0: below 1000), are
//    nobody elsewhere: root of one host, or its key, would be root of all through a job.
// 4. Users whom a host's attribute `squash` names are nobody, where its agent speaks for them.
// 5. The master's host is both by itself (spec/objects.md, Admin hosts, submit hosts).
#pragma once

#include "core/answer/answer.hpp"
#include "core/request/command.hpp"
#include "core/reservation/reservation.hpp"

#include <optional>
#include <set>
#include <string>
#include <vector>

namespace almanac {

class Configuration;
struct UserLimit;

/// What an agent is called in Caller::through.
std::string agent_on(const std::string& host);
/// The caller, or nobody where the cell does not believe who it is.
Caller believed(const Configuration& configuration, const Caller& caller);

/// Whether something is the caller's own. An agent says both name and uid, and what uid a host may
/// speak for is limited: neither counts without the other.
bool owns(const Caller& caller, const Caller& owner);

bool is_manager(const Configuration& configuration, const Caller& caller);
bool is_operator(const Configuration& configuration, const Caller& caller);
/// A refusal to whoever is no manager.
Answer for_managers(const Configuration& configuration, const Caller& caller);
/// Jobs and reservations are changed by their owners and by operators.
bool may_change(const Configuration& configuration, const Caller& caller, const Caller& owner);

/// What a limit is for a user: the user's own, else that of the first list with the user, else that of
/// everybody (spec/beyond.md B10.11). Nothing: no limit.
std::optional<std::int64_t> limit_of(const Configuration& configuration, const UserLimit& limit,
                                     const Caller& user);

/// Who is served first, however many others wait: root and managers, where they are such.
struct Precedence {
  std::vector<std::string> managers; ///< beside root
  std::set<std::string> admin_hosts;
  bool is_first(const Caller& caller) const;
  bool operator==(const Precedence&) const = default;
};
Precedence precedence_in(const Configuration& configuration);

/// Whether it changes the cell itself; it is then for admin hosts only, and never unseen.
bool changes_the_cell(const CommandBody& command);

/// Why nothing is answered on the caller's host, or not this command: nobody gives commands.
std::optional<Statement> host_obstacle(const Configuration& configuration, const Caller& caller);
std::optional<Statement> host_obstacle(const Configuration& configuration, const Caller& caller,
                                       const CommandBody& command);

/// Whether somebody may use the reservation: xacl first, then acl; without a list the owner alone
/// (spec/reservations.md section 11.1).
bool admits(const Configuration& configuration, const Reservation& reservation,
            const Caller& caller);

/// To a refusal of somebody who would be more on an admin host: says so.
void explain_standing(const Configuration& configuration, const Caller& caller, Answer& answer);

} // namespace almanac
