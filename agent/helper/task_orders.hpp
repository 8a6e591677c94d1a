// What the master has signed becomes what a shepherd is told on this machine: who its users are
// here, where its folders lie, what its processes are found by.
#pragma once

#include "actors/process/architecture.hpp"
#include "agent/helper/accounts.hpp"
#include "agent/helper/task_folder.hpp"
#include "agent/helper/temporary_folder.hpp"
#include "schema/warrant.hpp"

#include <string>

namespace almanac {

class TaskOrders {
public:
  TaskOrders(TaskPlaces places, std::string cell, std::string host, std::string directory,
             std::string binaries, std::int64_t min_uid, std::int64_t own_uid)
      : places_(std::move(places)),
        cell_(std::move(cell)),
        host_(std::move(host)),
        directory_(std::move(directory)),
        binaries_(std::move(binaries)),
        min_uid_(min_uid),
        own_uid_(own_uid) {}

  /// The owner of the job, or why this host runs nothing for them.
  Result<UserFacts> user_facts(const Warrant& warrant) const;
  /// The job's own process.
  Result<ShepherdOrder> for_job(const Warrant& warrant, const UserFacts& user) const;
  /// A process of qrsh -inherit with its own folder; makes the pipes to it.
  Result<ShepherdOrder> for_call(const Warrant& warrant, const UserFacts& user,
                                 const CallOrder& call, const std::string& folder) const;

  /// Where the streams of the job's own process, or of another one, go: makes the pipes of that
  /// folder. `input`: something will be written.
  Outcome add_pipes(ShepherdOrder& order, const std::string& folder, bool input,
                    const UserFacts& user) const;

  /// What its processes are found by: the value of ALMANAC_TASK, and the cgroup leaf, "" for none.
  std::string marker_of(const Attempt& attempt) const;
  std::string cgroup_of(const Attempt& attempt) const;

  /// Where the task's temporary files go on this host.
  TemporaryFolder tmpdir_of(const Warrant& warrant) const;

private:
  Result<ShepherdOrder> filled(const Warrant& warrant, const UserFacts& owner) const;
  Outcome fill(ShepherdProcess& process, const std::vector<Attribute>& shared, HostWords words,
               const UserFacts& owner) const;

  TaskPlaces places_;
  std::string cell_, host_, directory_, binaries_, arch_ = architecture();
  std::int64_t min_uid_ = 0, own_uid_ = -1;
  mutable Accounts accounts_; ///< remembers what it was asked
};

} // namespace almanac
