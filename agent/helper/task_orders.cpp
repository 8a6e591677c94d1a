#include "agent/helper/task_orders.hpp"

#include "agent/shepherd/fence.hpp"
#include "core/execution/call_environment.hpp"
#include "core/text/words.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <sys/stat.h>
#include <unistd.h>

namespace almanac {

namespace {

// Only an agent that is not root runs things as itself.
RunAs as_user(const UserFacts& user) {
  if (::geteuid() != 0) return {true, "", user.uid, user.gid};
  return {false, user.name, user.uid, user.gid, user.groups};
}

// A name appears once; the process's own come first.
void add_missing(std::vector<Attribute>& variables, const std::vector<Attribute>& more) {
  for (const auto& variable : more)
    if (std::none_of(variables.begin(), variables.end(),
                     [&](const auto& there) { return there.name == variable.name; }))
      variables.push_back(variable);
}

} // namespace

Result<ShepherdOrder> TaskOrders::for_job(const Warrant& warrant, const UserFacts& user) const {
  return filled(warrant, user);
}

Result<ShepherdOrder> TaskOrders::for_call(const Warrant& warrant, const UserFacts& user,
                                           const CallOrder& call, const std::string& folder) const {
  auto of_job = filled(warrant, user);
  if (!of_job) return of_job;
  ShepherdOrder order;
  order.job = std::move(of_job->job), order.limits = std::move(of_job->limits);
  order.marker = of_job->marker, order.lease = of_job->lease;
  order.fence = of_job->fence, order.begin_by = of_job->begin_by;
  order.nice = of_job->nice;
  order.binding = of_job->binding, order.cores = of_job->cores;
  if (!of_job->cgroup.empty())
    order.cgroup = of_job->cgroup + "-" + folder.substr(folder.rfind('/') + 1);
  if (auto made = add_pipes(order, folder, call.input, user); !made) return made.error();
  if (!call.directory.empty()) order.job.directory = call.directory;
  export_to_call(order.job.environment, call.environment);
  // As Grid Engine's qrsh and ssh do: Open MPI puts its words into quotes for this shell, and a
  // blank before the first one (spec/client-contract.md K5.3).
  order.job.arguments = {user.shell, "-c", join(call.words, " ")};
  return order;
}

Outcome TaskOrders::add_pipes(ShepherdOrder& order, const std::string& folder, bool input,
                              const UserFacts& user) const {
  order.output = {folder + "/output", ""}, order.error = {folder + "/error", ""};
  order.input = input ? folder + "/input" : "";
  for (const auto& path : {order.output.path, order.error.path, order.input})
    if (!path.empty() && (::mkfifo(path.c_str(), 0600) != 0 ||
                          (::geteuid() == 0 && ::lchown(path.c_str(), static_cast<uid_t>(user.uid),
                                                        static_cast<gid_t>(user.gid)) != 0)))
      return Error{"can't make " + path + ": " + std::strerror(errno)};
  return Done{};
}

Result<ShepherdOrder> TaskOrders::filled(const Warrant& warrant, const UserFacts& owner) const {
  auto order = warrant.order;
  order.job.as.user.clear(); // the owner's, whatever stands there
  const HostWords words{owner.home,
                        owner.shell,
                        places_.folder(warrant.attempt),
                        tmpdir_of(warrant).path(static_cast<uid_t>(owner.uid)),
                        directory_,
                        binaries_,
                        arch_};
  const auto shared = std::move(order.environment);
  order.environment.clear();
  for (auto* process :
       {&order.job, &order.prolog, &order.pe_start, &order.pe_stop, &order.epilog,
        &order.suspend.command, &order.resume.command, &order.terminate.command,
        &order.checkpoint.checkpoint, &order.checkpoint.migration, &order.checkpoint.cleaning})
    if (auto done = fill(*process, shared, words, owner); !done) return done.error();
  FillIn fill(words);
  describe(fill, order);
  if (!fill.outcome) return fill.outcome.error();
  order.lease = places_.lease_file(), order.cores = places_.cores();
  if (order.fence > 0) order.begin_by = fence_at_ms(order);
  order.marker = marker_of(warrant.attempt), order.cgroup = cgroup_of(warrant.attempt);
  return order;
}

Outcome TaskOrders::fill(ShepherdProcess& process, const std::vector<Attribute>& shared,
                         HostWords words, const UserFacts& owner) const {
  if (process.is_users) add_missing(process.environment, shared);
  const auto& name = process.as.user;
  const auto user = name.empty() ? Result<UserFacts>(owner) : accounts_.find(name);
  if (!user || (::geteuid() != 0 && user->uid != owner.uid))
    return Error{"\"" + join(process.arguments, " ") + "\" can't be run on " + host_ +
                 " as user \"" + name + "\""};
  process.as = as_user(*user);
  words.home = user->home, words.shell = user->shell;
  FillIn fill(words);
  describe(fill, process);
  return fill.outcome;
}

std::string TaskOrders::marker_of(const Attempt& attempt) const {
  return places_.id + "/" + TaskPlaces::name(attempt);
}

std::string TaskOrders::cgroup_of(const Attempt& attempt) const {
  return places_.cgroups.empty() ? "" : places_.cgroups + "/" + TaskPlaces::name(attempt);
}

Result<UserFacts> TaskOrders::user_facts(const Warrant& warrant) const {
  auto user = accounts_.find(warrant.user);
  if (!user) return Error{user.what() + " on " + host_};
  if (user->uid != warrant.uid)
    return Error{"user \"" + warrant.user + "\" has the uid " + std::to_string(user->uid) + " on " +
                 host_ + ", not " + std::to_string(warrant.uid)};
  if (warrant.uid < min_uid_)
    return Error{"the uid " + std::to_string(warrant.uid) + " is below min_uid of " + host_};
  if (::geteuid() == 0 && warrant.uid == own_uid_)
    return Error{"\"" + warrant.user + "\" is the user of the agent on " + host_ +
                 " itself, who has no jobs there"};
  if (::geteuid() != 0 && user->uid != static_cast<std::int64_t>(::geteuid()))
    return Error{"the agent on " + host_ +
                 " is not root: it runs jobs of its own user only, not of \"" + warrant.user +
                 "\""};
  return user;
}

TemporaryFolder TaskOrders::tmpdir_of(const Warrant& warrant) const {
  return {warrant.tmpdir, cell_, warrant.task_name, places_.secret,
          TaskPlaces::name(warrant.attempt)};
}

} // namespace almanac
