#include "agent/shepherd/user_process.hpp"

#include "core/execution/exit_record.hpp"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <grp.h>
#include <map>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

namespace almanac {

namespace {

[[noreturn]] void child_fails(int pipe, int failed, const std::string& what) {
  ChildFailure failure{failed, errno, {}};
  std::strncpy(failure.what, what.c_str(), sizeof failure.what - 1);
  if (::write(pipe, &failure, sizeof failure) < 0) ::_exit(2);
  ::_exit(1);
}

std::string in_directory(const std::string& path, const std::string& name) {
  struct stat facts {};
  return ::stat(path.c_str(), &facts) == 0 && S_ISDIR(facts.st_mode) ? path + "/" + name : path;
}

void open_as(int target, const std::string& path, int flags, int pipe) {
  const int file = ::open(path.c_str(), flags, 0666);
  if (file < 0) child_fails(pipe, failed::cannot_open_output, "can't open " + path);
  ::dup2(file, target);
  ::close(file);
}

void become_user(const std::string& user, std::int64_t uid, std::int64_t gid, int pipe) {
  if (user.empty()) return;
  if (::initgroups(user.c_str(), static_cast<gid_t>(gid)) != 0 ||
      ::setgid(static_cast<gid_t>(gid)) != 0 || ::setuid(static_cast<uid_t>(uid)) != 0)
    child_fails(pipe, failed::before_job, "can't become user " + user);
}

// Not above what this process may have itself.
void set_limits(const std::vector<ProcessLimit>& limits, int pipe) {
  static const std::map<std::string, __rlimit_resource> kinds{
      {"cpu", RLIMIT_CPU},     {"fsize", RLIMIT_FSIZE}, {"data", RLIMIT_DATA},
      {"stack", RLIMIT_STACK}, {"core", RLIMIT_CORE},   {"rss", RLIMIT_RSS},
      {"vmem", RLIMIT_AS}};
  for (const auto& limit : limits) {
    const auto kind = kinds.find(limit.kind);
    if (kind == kinds.end()) continue;
    rlimit set{};
    ::getrlimit(kind->second, &set);
    if (limit.hard >= 0) set.rlim_max = std::min(set.rlim_max, static_cast<rlim_t>(limit.hard));
    set.rlim_cur = limit.soft >= 0 ? std::min(set.rlim_max, static_cast<rlim_t>(limit.soft))
                                   : std::min(set.rlim_cur, set.rlim_max);
    if (::setrlimit(kind->second, &set) != 0)
      child_fails(pipe, failed::before_job, "can't set the limit of " + limit.kind);
  }
}

[[noreturn]] void execute(const std::vector<std::string>& words, const ShepherdOrder& order,
                          int pipe) {
  std::vector<std::string> variables;
  for (const auto& [name, value] : order.environment) variables.push_back(name + "=" + value);
  variables.push_back("ALMANAC_TASK=" + order.marker);
  std::vector<char*> arguments, environment;
  for (const auto& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  for (const auto& variable : variables) environment.push_back(const_cast<char*>(variable.c_str()));
  arguments.push_back(nullptr);
  environment.push_back(nullptr);
  sigset_t none;
  sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  ::signal(SIGPIPE, SIG_DFL);
  ::execve(arguments[0], arguments.data(), environment.data());
  child_fails(pipe, failed::no_shell, "can't execute " + words[0]);
}

} // namespace

[[noreturn]] void become_user_process(const ShepherdOrder& order, int pipe) {
  ::setsid();
  become_user(order.user, order.uid, order.gid, pipe);
  if (::chdir(order.directory.c_str()) != 0)
    child_fails(pipe, failed::no_directory, "can't change to directory " + order.directory);
  ::umask(022);
  open_as(0, order.input.empty() ? "/dev/null" : order.input, O_RDONLY, pipe);
  constexpr int append = O_WRONLY | O_CREAT | O_APPEND;
  open_as(1, in_directory(order.output, order.output_name), append, pipe);
  if (order.join) ::dup2(1, 2);
  else open_as(2, in_directory(order.error, order.error_name), append, pipe);
  if (!order.must_exist.empty() && ::access(order.must_exist.c_str(), X_OK) != 0)
    child_fails(pipe, failed::no_shell, "can't execute " + order.must_exist);
  set_limits(order.limits, pipe);
  execute(order.arguments, order, pipe);
}

[[noreturn]] void become_step(const ShepherdStep& step, const ShepherdOrder& order,
                              const std::string& output, int pipe) {
  ::setsid();
  open_as(0, "/dev/null", O_RDONLY, pipe);
  open_as(1, output, O_WRONLY | O_CREAT | O_APPEND, pipe);
  ::dup2(1, 2);
  become_user(step.user, step.uid, step.gid, pipe);
  if (::chdir(order.directory.c_str()) != 0 && ::chdir("/") != 0)
    child_fails(pipe, failed::no_directory, "can't change to a directory");
  ::umask(022);
  execute({"/bin/sh", "-c", step.line}, order, pipe);
}

} // namespace almanac
