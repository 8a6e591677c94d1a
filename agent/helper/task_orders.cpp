#include "agent/helper/task_orders.hpp"

#include "core/execution/step_command.hpp"
#include "core/text/words.hpp"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <map>
#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

namespace almanac {

namespace {

std::string quoted(const std::string& word) {
  std::string result = "'";
  for (const char c : word) result += c == '\'' ? "'\\''" : std::string(1, c);
  return result + "'";
}

Result<UserFacts> user_of_machine(const std::string& name) {
  passwd entry{};
  passwd* found = nullptr;
  char buffer[16384];
  if (::getpwnam_r(name.c_str(), &entry, buffer, sizeof buffer, &found) != 0 || !found)
    return Error{"user \"" + name + "\" is not known"};
  return UserFacts{name, found->pw_dir,
                   found->pw_shell && *found->pw_shell ? found->pw_shell : "/bin/sh", found->pw_uid,
                   found->pw_gid};
}

// Only an agent that is not root runs things as itself.
RunAs as_user(const UserFacts& user) {
  if (::geteuid() != 0) return {true, "", user.uid, user.gid};
  return {false, user.name, user.uid, user.gid};
}

// 0 for a name that is none.
int signal_number(const std::string& name) {
  static const std::map<std::string, int> numbers{
      {"HUP", SIGHUP},   {"INT", SIGINT},   {"QUIT", SIGQUIT}, {"ABRT", SIGABRT},
      {"USR1", SIGUSR1}, {"USR2", SIGUSR2}, {"PIPE", SIGPIPE}, {"ALRM", SIGALRM},
      {"TERM", SIGTERM}, {"CONT", SIGCONT}, {"TSTP", SIGTSTP}, {"URG", SIGURG}};
  const auto it = numbers.find(name);
  return it == numbers.end() ? 0 : it->second;
}

} // namespace

UserIds ids_of(const UserFacts& user) { return ids_of(user.name, user.uid, user.gid); }

Result<ShepherdOrder> TaskOrders::for_job(const session::Launch& order,
                                          const UserFacts& user) const {
  const auto folder = places_.folder(order.attempt);
  auto shepherd = base_order(order, user, folder);
  const auto& job = order.job;
  const auto& task = job.tasks.front();
  const auto place = place_of(order, user);
  const auto file = [&](const std::string& asked, const char* kind) {
    const auto name = default_output_name(job, task, kind);
    const auto path = entry_for_host(asked, host_);
    return OutputFile{expand_path(path.empty() ? name : path, job, task, place), name};
  };
  shepherd.output = file(job.request.output, "o"), shepherd.error = file(job.request.error, "e");
  shepherd.pe_output = file(job.request.output, "po");
  shepherd.pe_error = file(job.request.error, "pe");
  shepherd.join = job.request.join;
  auto& own = shepherd.job;
  own.environment.push_back({"SGE_STDOUT_PATH", shepherd.output.path});
  own.environment.push_back(
      {"SGE_STDERR_PATH", shepherd.join ? shepherd.output.path : shepherd.error.path});
  if (!task.limit.is_endless()) shepherd.limit = std::max<std::int64_t>(1, task.limit.seconds);
  if (!task.soft_limit.is_endless())
    shepherd.soft_limit = std::max<std::int64_t>(1, task.soft_limit.seconds);
  if (!order.notice.ahead.is_endless()) shepherd.notice = order.notice.ahead.seconds;
  shepherd.notice_of_kill = signal_number(order.notice.kill);
  shepherd.notice_of_suspension = signal_number(order.notice.suspend);
  for (const auto& [text, step] :
       {std::pair(&order.prolog, &shepherd.prolog), std::pair(&order.pe_start, &shepherd.pe_start),
        std::pair(&order.pe_stop, &shepherd.pe_stop), std::pair(&order.epilog, &shepherd.epilog)})
    if (auto made = make_step(*text, order, user, *step); !made) return made.error();
  shepherd.remove_after = place.tmpdir;
  if (job.request.binary && job.request.direct) {
    // env looks along the job's own PATH, as a shell would.
    if (job.request.command.find_first_of("/=") == std::string::npos)
      own.arguments = {"/usr/bin/env", "--"};
    else shepherd.must_exist = job.request.command;
    own.arguments.push_back(job.request.command);
    own.arguments.insert(own.arguments.end(), job.request.arguments.begin(),
                         job.request.arguments.end());
    return shepherd;
  }
  // -S may name a shell with words of its own, as in "/usr/bin/env bash".
  own.arguments = words(entry_for_host(job.request.shell, host_), " \t");
  const bool has_shell = !own.arguments.empty();
  if (!has_shell) own.arguments = {order.shell};
  if (job.request.binary) {
    auto line = job.request.command;
    if (line.starts_with('/') && line.find(' ') == std::string::npos) {
      shepherd.must_exist = line;
      line = "exec " + line; // no shell that only waits
    }
    for (const auto& argument : job.request.arguments) line += " " + quoted(argument);
    own.arguments.insert(own.arguments.end(), {"-c", line});
    return shepherd;
  }
  const auto script = folder + "/script";
  if (order.shell_start_mode == "script_from_stdin") {
    own.arguments.push_back("-s");
    shepherd.input = script;
  } else if (order.shell_start_mode == "unix_behavior" && !has_shell &&
             order.script.content.starts_with("#!")) {
    own.arguments = {script};
  } else own.arguments.push_back(script);
  own.arguments.insert(own.arguments.end(), job.request.arguments.begin(),
                       job.request.arguments.end());
  return shepherd;
}

Result<ShepherdOrder> TaskOrders::for_call(const session::Launch& order, const UserFacts& user,
                                           const CallOrder& call, const std::string& folder) const {
  auto shepherd = base_order(order, user, folder);
  shepherd.output.path = folder + "/output", shepherd.error.path = folder + "/error";
  if (call.input) shepherd.input = folder + "/input";
  for (const auto& path : {shepherd.output.path, shepherd.error.path, shepherd.input})
    if (!path.empty() && (::mkfifo(path.c_str(), 0600) != 0 ||
                          (::geteuid() == 0 && ::lchown(path.c_str(), static_cast<uid_t>(user.uid),
                                                        static_cast<gid_t>(user.gid)) != 0)))
      return Error{"can't make " + path + ": " + std::strerror(errno)};
  if (!call.directory.empty()) shepherd.job.directory = call.directory;
  auto& environment = shepherd.job.environment;
  for (const auto& variable : call.environment)
    if (std::none_of(environment.begin(), environment.end(),
                     [&](const auto& there) { return there.name == variable.name; }))
      environment.push_back(variable);
  std::vector<std::string> command;
  for (const auto& word : call.words)
    command.push_back(call.words.size() == 1 ? word : quoted(word));
  shepherd.job.arguments = {user.shell, "-c", join(command, " ")};
  return shepherd;
}

Outcome TaskOrders::make_step(const std::string& text, const session::Launch& order,
                              const UserFacts& owner, ShepherdProcess& step) const {
  auto command = parse_step_command(text);
  if (!command) return command.error();
  if (command->words.empty()) return Done{};
  const auto& job = order.job;
  const auto& task = job.tasks.front();
  const auto place = place_of(order, owner);
  step.arguments = expand_step_command(command->words, job, task, place);
  const auto user =
      command->user.empty() ? Result<UserFacts>(owner) : user_of_machine(command->user);
  if (!user || (::geteuid() != 0 && user->uid != owner.uid))
    return Error{"\"" + text + "\" can't be run on " + host_ + " as user \"" + command->user +
                 "\""};
  step.as = as_user(*user);
  if (user->uid == owner.uid) {
    step.environment = own_step_environment(job, task, place);
    step.directory = working_directory(job, place);
  } else {
    step.environment =
        foreign_step_environment(job, task, place, {user->name, user->home, user->shell});
    step.directory = "/";
  }
  return Done{};
}

ExecutionPlace TaskOrders::place_of(const session::Launch& order, const UserFacts& user) const {
  const auto folder = places_.folder(order.attempt);
  const auto tmpdir = tmpdir_of(order);
  return {host_,
          user.home,
          user.shell,
          folder,
          tmpdir ? tmpdir->path(static_cast<uid_t>(user.uid)) : "",
          folder + "/pe_hostfile",
          directory_,
          binaries_,
          order.cell,
          arch_};
}

ShepherdOrder TaskOrders::base_order(const session::Launch& order, const UserFacts& user,
                                     const std::string& folder) const {
  ShepherdOrder shepherd;
  const auto place = place_of(order, user);
  shepherd.job.as = as_user(user);
  shepherd.job.directory = working_directory(order.job, place);
  shepherd.job.environment = job_environment(order.job, order.job.tasks.front(), place);
  if (const auto* part = own_part(order)) shepherd.limits = part->limits;
  shepherd.lease = places_.lease_file();
  shepherd.fence = order.job.tasks.front().fence.seconds;
  if (shepherd.fence > 0) shepherd.begin_by = fence_at_ms(shepherd);
  shepherd.marker = marker_of(order.attempt), shepherd.cgroup = cgroup_of(order.attempt);
  if (!shepherd.cgroup.empty() && folder != places_.folder(order.attempt))
    shepherd.cgroup += "-" + folder.substr(folder.rfind('/') + 1);
  return shepherd;
}

std::string TaskOrders::marker_of(const Attempt& attempt) const {
  return places_.id + "/" + TaskPlaces::name(attempt);
}

std::string TaskOrders::cgroup_of(const Attempt& attempt) const {
  return places_.cgroups.empty() ? "" : places_.cgroups + "/" + TaskPlaces::name(attempt);
}

const session::Part* TaskOrders::own_part(const session::Launch& order) const {
  const auto it = std::find_if(order.parts.begin(), order.parts.end(),
                               [&](auto& part) { return part.host == host_; });
  return it == order.parts.end() ? nullptr : &*it;
}

Result<UserFacts> TaskOrders::user_facts(const session::Launch& order) const {
  const auto& owner = order.job.owner;
  auto user = user_of_machine(owner.user);
  if (!user) return Error{user.what() + " on " + host_};
  if (user->uid != owner.uid)
    return Error{"user \"" + owner.user + "\" has the uid " + std::to_string(user->uid) + " on " +
                 host_ + ", not " + std::to_string(owner.uid)};
  if (owner.uid < min_uid_)
    return Error{"the uid " + std::to_string(owner.uid) + " is below min_uid of " + host_};
  if (::geteuid() != 0 && user->uid != static_cast<std::int64_t>(::geteuid()))
    return Error{"the agent on " + host_ +
                 " is not root and runs jobs of its own user alone, not of \"" + owner.user + "\""};
  return user;
}

std::optional<TemporaryFolder> TaskOrders::tmpdir_of(const session::Launch& order) const {
  const auto* part = own_part(order);
  if (!part) return std::nullopt;
  const auto& task = order.job.tasks.front();
  return TemporaryFolder{part->tmpdir, cell_,
                         std::to_string(order.job.number) + "." +
                             std::to_string(std::max<std::int64_t>(1, task.number)) + "." +
                             part->instance.substr(0, part->instance.find('@')),
                         places_.secret + "/" + TaskPlaces::name(order.attempt)};
}

} // namespace almanac
