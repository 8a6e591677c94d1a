#include "actors/process/child_program.hpp"

#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <linux/close_range.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>

extern char** environ;

namespace almanac {

namespace {

Error problem(const std::string& program, int code) {
  return {program + ": " + std::strerror(code)};
}

// What users wrote is among the words of a mailer, and there have been mailers that take some words
// for commands: where the daemon is root it is nobody.
struct RunUser {
  uid_t uid = ::geteuid();
  gid_t gid = ::getegid();
  bool is_other = false;
};
RunUser user_of(const ProgramStart& program) {
  if (!program.as_nobody || ::geteuid() != 0) return {};
  constexpr unsigned nobody = 65534; // on every Linux, whatever its name
  return {nobody, nobody, true};
}

// In the child, between fork and exec: system calls alone, since other threads hold locks here.
bool become(const RunUser& user) {
  return !user.is_other || (::syscall(SYS_setgroups, 0, nullptr) == 0 &&
                            ::syscall(SYS_setresgid, user.gid, user.gid, user.gid) == 0 &&
                            ::syscall(SYS_setresuid, user.uid, user.uid, user.uid) == 0);
}

struct Child {
  std::vector<char*> words, environment;
  RunUser user;
  rlimit memory;
  int input, output, errors, report;
};

[[noreturn]] void run(const Child& child) {
  sigset_t none;
  sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  ::setpgid(0, 0);
  if (::dup2(child.input, 0) == 0 && ::dup2(child.output, 1) == 1 && ::dup2(child.errors, 2) == 2 &&
      ::close_range(3, ~0U, CLOSE_RANGE_CLOEXEC) == 0 &&
      ::setrlimit(RLIMIT_DATA, &child.memory) == 0 && become(child.user))
    ::execve(child.words[0], child.words.data(), child.environment.data());
  const int code = errno;
  ::_exit(::write(child.report, &code, sizeof code) == sizeof code ? 127 : 126);
}

std::vector<char*> pointers_to(std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  for (auto& text : texts) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  return pointers;
}

std::vector<std::string> environment_of(const ProgramStart& program) {
  std::vector<std::string> lines;
  if (!program.environment)
    for (char** line = environ; *line; ++line) lines.emplace_back(*line);
  else
    for (const auto& [name, value] : *program.environment) lines.push_back(name + "=" + value);
  return lines;
}

// What is not to be limited stays as it is.
rlimit memory_of(const ProgramStart& program) {
  rlimit limit{};
  ::getrlimit(RLIMIT_DATA, &limit);
  if (program.most_data > 0 && program.most_data < limit.rlim_max)
    limit.rlim_cur = limit.rlim_max = program.most_data;
  return limit;
}

} // namespace

// What kept it from being is told through a pipe that exec closes.
Result<pid_t> start_program(const ProgramStart& program) {
  int report[2];
  if (::pipe2(report, O_CLOEXEC) != 0) return problem(program.words.front(), errno);
  Descriptor read_end(report[0]), write_end(report[1]);
  auto words = program.words;
  auto environment = environment_of(program);
  const Child child{
      pointers_to(words), pointers_to(environment), user_of(program), memory_of(program),
      program.input,      program.output,           program.errors,   report[1]};
  const pid_t pid = ::fork();
  if (pid == 0) run(child);
  int code = pid < 0 ? errno : 0;
  write_end.close();
  if (pid > 0 && ::read(*read_end, &code, sizeof code) == sizeof code) ::waitpid(pid, nullptr, 0);
  if (code != 0) return problem(program.words.front(), code);
  return pid;
}

std::optional<Pipe> new_pipe() {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return std::nullopt;
  ::fcntl(ends[0], F_SETFL, O_NONBLOCK);
  return Pipe{Descriptor(ends[0]), Descriptor(ends[1])};
}

} // namespace almanac
