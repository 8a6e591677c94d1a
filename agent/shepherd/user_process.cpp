#include "agent/shepherd/user_process.hpp"

#include "core/job/exit_record.hpp"
#include "core/text/names.hpp"
#include "core/text/words.hpp"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <grp.h>
#include <limits>
#include <map>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace almanac {

namespace {

constexpr int append = O_WRONLY | O_CREAT | O_APPEND;

[[noreturn]] void child_fails(int pipe, int failed, const std::string& what) {
  ChildFailure failure{failed, errno, {}};
  std::strncpy(failure.what, what.c_str(), sizeof failure.what - 1);
  if (::write(pipe, &failure, sizeof failure) < 0) ::_exit(2);
  ::_exit(1);
}

std::string path_of(const OutputFile& file) {
  struct stat facts {};
  return ::stat(file.path.c_str(), &facts) == 0 && S_ISDIR(facts.st_mode)
             ? file.path + "/" + file.name
             : file.path;
}

// What the user has named may be a folder: only here it is known which file that means
// (spec/cli.md section 9.1).
ShepherdProcess with_output_paths(const ShepherdOrder& order) {
  auto process = order.job;
  for (auto& [name, value] : process.environment)
    for (const auto& [variable, file] :
         {std::pair("SGE_STDOUT_PATH", &order.output),
          std::pair("SGE_STDERR_PATH", order.join ? &order.output : &order.error)})
      if (name == variable && value == file->path) value = path_of(*file);
  return process;
}

// -1 with errno set. A FIFO that nobody reads is no reason to wait, a terminal does not become
// ours.
int open_at_once(const std::string& path, int flags) {
  const int file = ::open(path.c_str(), flags | O_NONBLOCK | O_NOCTTY | O_CLOEXEC, 0666);
  if (file >= 0) ::fcntl(file, F_SETFL, flags & O_APPEND);
  return file;
}

void take_as(int target, int file) {
  ::dup2(file, target);
  ::close(file);
}

void open_as(int target, const std::string& path, int flags, int pipe) {
  const int file = open_at_once(path, flags);
  if (file < 0) child_fails(pipe, failed::cannot_open_output, "can't open " + path);
  take_as(target, file);
}

// The pseudo terminal that the helper has made becomes that of this session; it is all three streams.
void take_terminal(const std::string& path, int pipe) {
  const int terminal = ::open(path.c_str(), O_RDWR | O_NOCTTY | O_CLOEXEC);
  if (terminal < 0 || ::ioctl(terminal, TIOCSCTTY, 0) != 0)
    child_fails(pipe, failed::cannot_open_output, "can't open the terminal " + path);
  for (const int target : {0, 1, 2}) ::dup2(terminal, target);
  if (terminal > 2) ::close(terminal);
}

void open_files(const ShepherdOrder& order, int pipe) {
  open_as(0, order.input.empty() ? "/dev/null" : order.input, O_RDONLY, pipe);
  open_as(1, path_of(order.output), append, pipe);
  if (order.join) ::dup2(1, 2);
  else open_as(2, path_of(order.error), append, pipe);
}

void become(const RunAs& as, int pipe) {
  if (as.self) {
    errno = EPERM;
    if (::geteuid() == 0 || ::getuid() == 0)
      child_fails(pipe, failed::after_pe_start, "root runs nothing as itself by default");
    return;
  }
  const auto user = ids_of(as);
  if (::setgroups(user.groups.size(), user.groups.data()) != 0)
    child_fails(pipe, failed::group_id, "can't have the groups of user " + as.user);
  if (!become_for_good(user))
    child_fails(pipe, failed::after_pe_start, "can't become user " + as.user);
}

// Looked at before it is opened: who reads a FIFO takes a writer that goes for the last one, and is
// not there any more for the job itself.
bool is_plain_or_new(const std::string& path) {
  struct stat facts {};
  return ::stat(path.c_str(), &facts) != 0 || S_ISREG(facts.st_mode);
}

// As the job's user for a moment, whoever the step runs as: what they may not write to stays as it
// is. Only plain files, since a step does not wait for who reads a FIFO.
int open_for_step(const OutputFile& output, const RunAs& owner, int pipe) {
  const auto fail = [&] {
    child_fails(pipe, failed::after_pe_start, "can't become user " + owner.user + " for a moment");
  };
  if (!owner.self) {
    const auto user = ids_of(owner);
    if (::setgroups(user.groups.size(), user.groups.data()) != 0 || ::setegid(user.gid) != 0 ||
        ::seteuid(user.uid) != 0)
      fail();
  }
  const auto path = path_of(output);
  int file = is_plain_or_new(path) ? open_at_once(path, append) : -1;
  if (!owner.self && (::seteuid(0) != 0 || ::setegid(0) != 0)) fail();
  struct stat facts {};
  if (file >= 0 && (::fstat(file, &facts) != 0 || !S_ISREG(facts.st_mode))) {
    ::close(file);
    file = -1;
  }
  return file >= 0 ? file : open_at_once("/dev/null", O_WRONLY);
}

using LimitKinds = std::map<std::string, __rlimit_resource>;

// Those of a host, which may be above what this process has.
const LimitKinds& host_limit_resources() {
  static const LimitKinds kinds{{"descriptors", RLIMIT_NOFILE},
                                {"maxproc", RLIMIT_NPROC},
                                {"memorylocked", RLIMIT_MEMLOCK},
                                {"locks", RLIMIT_LOCKS}};
  return kinds;
}

rlim_t limit_of(std::int64_t amount) {
  return amount == std::numeric_limits<std::int64_t>::max() ? RLIM_INFINITY
                                                            : static_cast<rlim_t>(amount);
}

// While there is the right to; without it they stay as they are.
void raise_limits(const std::vector<ProcessLimit>& limits) {
  for (const auto& limit : limits) {
    const auto kind = host_limit_resources().find(limit.kind);
    if (kind == host_limit_resources().end() || limit.hard < 0) continue;
    rlimit set{};
    ::getrlimit(kind->second, &set);
    if (limit_of(limit.hard) <= set.rlim_max) continue;
    set.rlim_max = limit_of(limit.hard);
    if (::setrlimit(kind->second, &set) != 0) errno = 0;
  }
}

// Not above what this process may have itself.
void set_limits(const std::vector<ProcessLimit>& limits, int pipe) {
  static const auto kinds = [] {
    LimitKinds all{{"cpu", RLIMIT_CPU},     {"fsize", RLIMIT_FSIZE}, {"data", RLIMIT_DATA},
                   {"stack", RLIMIT_STACK}, {"core", RLIMIT_CORE},   {"rss", RLIMIT_RSS},
                   {"vmem", RLIMIT_AS}};
    all.insert(host_limit_resources().begin(), host_limit_resources().end());
    return all;
  }();
  for (const auto& limit : limits) {
    const auto kind = kinds.find(limit.kind);
    if (kind == kinds.end()) continue;
    rlimit set{};
    ::getrlimit(kind->second, &set);
    if (limit.hard >= 0) set.rlim_max = std::min(set.rlim_max, limit_of(limit.hard));
    set.rlim_cur = limit.soft >= 0 ? std::min(set.rlim_max, limit_of(limit.soft))
                                   : std::min(set.rlim_cur, set.rlim_max);
    if (::setrlimit(kind->second, &set) != 0)
      child_fails(pipe, failed::after_pe_start, "can't set the limit of " + limit.kind);
  }
}

// How a shell hears that it is to be a login shell.
std::string login_name(const std::string& path) { return "-" + path.substr(path.rfind('/') + 1); }

// As people know it: the folder of a task has a number that is not the job's.
std::string title_of(const ShepherdProcess& process) {
  const auto& program = process.arguments.front();
  for (const auto& [name, value] : process.environment)
    if (name == "SGE_JOB_SPOOL_DIR" && program == value + "/script") return "the job's script";
  return program;
}

// The file is there, and what it names in its first line is not: of a script with the line ends of
// other systems, the shell's name ends with a carriage return. errno stays.
std::string first_line_of(const std::string& path) {
  const int before = errno;
  char start[128] = {};
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  const auto size = file < 0 ? 0 : ::read(file, start, sizeof start - 1);
  if (file >= 0) ::close(file);
  errno = before;
  const std::string text(start, size > 0 ? static_cast<std::size_t>(size) : 0);
  if (!text.starts_with("#!")) return "";
  return ", whose first line is \"" + printable(text.substr(0, text.find('\n'))) + "\"";
}

// `code`: of the exit record, where that can't be done.
[[noreturn]] void execute(const ShepherdProcess& process, const std::string& marker, int pipe,
                          bool login = false, std::int64_t code = failed::no_shell) {
  std::vector<std::string> variables;
  for (const auto& [name, value] : process.environment)
    if (name != "ALMANAC_TASK") variables.push_back(name + "=" + value);
  variables.push_back("ALMANAC_TASK=" + marker);
  std::vector<char*> arguments, environment;
  for (const auto& word : process.arguments) arguments.push_back(const_cast<char*>(word.c_str()));
  for (const auto& variable : variables) environment.push_back(const_cast<char*>(variable.c_str()));
  auto name = login_name(process.arguments.front());
  if (login) arguments.front() = name.data();
  arguments.push_back(nullptr);
  environment.push_back(nullptr);
  sigset_t none;
  sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  ::signal(SIGPIPE, SIG_DFL);
  ::execve(process.arguments.front().c_str(), arguments.data(), environment.data());
  if (errno == ENOEXEC) { // as every shell does with a text that has no first line of its own
    std::string shell = "/bin/sh";
    arguments.front() = const_cast<char*>(process.arguments.front().c_str());
    arguments.insert(arguments.begin(), shell.data());
    ::execve(arguments[0], arguments.data(), environment.data());
  }
  child_fails(pipe, static_cast<int>(code),
              "can't execute " + title_of(process) +
                  (errno == ENOENT ? first_line_of(process.arguments.front()) : ""));
}

// Whether /usr/bin/env finds the program that it is to run (-shell n); what runs is env all the same.
bool is_found_by_env(const ShepherdProcess& process) {
  const auto& words = process.arguments;
  if (words.size() < 3 || words[0] != "/usr/bin/env" || words[1] != "--" ||
      words[2].find('/') != std::string::npos)
    return true;
  for (const auto& [name, value] : process.environment) {
    if (name != "PATH") continue;
    const auto folders = split(value, ':');
    return std::any_of(folders.begin(), folders.end(), [&](const std::string& folder) {
      return ::access(((folder.empty() ? "." : folder) + "/" + words[2]).c_str(), X_OK) == 0;
    });
  }
  return true;
}

} // namespace

[[noreturn]] void become_user_process(const ShepherdOrder& order, int pipe) {
  ::setsid();
  // While there is the right to be preferred; without it a process is as nice as its shepherd.
  if (order.nice != 0 && ::setpriority(PRIO_PROCESS, 0, static_cast<int>(order.nice)) != 0)
    errno = 0;
  raise_limits(order.limits);
  become(order.job.as, pipe);
  if (::chdir(order.job.directory.c_str()) != 0)
    child_fails(pipe, failed::no_directory, "can't change to directory " + order.job.directory);
  ::umask(022);
  if (order.interaction == Interaction::terminal) take_terminal(order.input, pipe);
  else open_files(order, pipe);
  if (!order.must_exist.empty() && ::access(order.must_exist.c_str(), X_OK) != 0)
    child_fails(pipe, failed::no_shell, "can't execute " + order.must_exist);
  if (!is_found_by_env(order.job)) {
    errno = ENOENT; // whatever its last folder said
    child_fails(pipe, failed::no_shell, "can't execute " + order.job.arguments[2]);
  }
  const auto process = with_output_paths(order);
  set_limits(order.limits, pipe);
  execute(process, order.marker, pipe, order.login,
          order.by_starter ? failed::after_pe_start : failed::no_shell);
}

[[noreturn]] void become_step(const ShepherdProcess& step, const ShepherdOrder& order,
                              const OutputFile& output, const OutputFile& error, int pipe) {
  ::setsid();
  ::umask(022);
  open_as(0, "/dev/null", O_RDONLY, pipe);
  take_as(1, open_for_step(output, order.job.as, pipe));
  if (order.join) ::dup2(1, 2);
  else take_as(2, open_for_step(error, order.job.as, pipe));
  become(step.as, pipe);
  if (::chdir(step.directory.c_str()) != 0 && ::chdir("/") != 0)
    child_fails(pipe, failed::no_directory, "can't change to a directory");
  execute(step, order.marker, pipe);
}

} // namespace almanac
