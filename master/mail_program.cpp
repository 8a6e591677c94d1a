#include "master/mail_program.hpp"

#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <linux/close_range.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

namespace almanac {

namespace {

Error problem(const std::string& program, int code) {
  return {program + ": " + std::strerror(code)};
}

// A file without a name: the program reads it as fast as it likes, and nobody waits for a pipe.
int file_of(const std::string& text) {
  const int file = ::memfd_create("almanac-mail", MFD_CLOEXEC);
  if (file < 0) return -1;
  if (::write(file, text.data(), text.size()) == static_cast<ssize_t>(text.size()) &&
      ::lseek(file, 0, SEEK_SET) == 0)
    return file;
  ::close(file);
  return -1;
}

// Who the mailer runs as: nobody, where the master is root. What users wrote is among its words,
// and there have been mailers that take some words for commands.
struct MailUser {
  uid_t uid = ::geteuid();
  gid_t gid = ::getegid();
  bool is_other = false;
};
MailUser mail_user() {
  if (::geteuid() != 0) return {};
  constexpr unsigned nobody = 65534; // on every Linux, whatever its name
  return {nobody, nobody, true};
}

// In the child, between fork and exec: system calls alone, since other threads hold locks here.
bool become(const MailUser& user) {
  return !user.is_other || (::syscall(SYS_setgroups, 0, nullptr) == 0 &&
                            ::syscall(SYS_setresgid, user.gid, user.gid, user.gid) == 0 &&
                            ::syscall(SYS_setresuid, user.uid, user.uid, user.uid) == 0);
}

[[noreturn]] void run_mailer(char* const* words, const MailUser& user, int input, int report) {
  sigset_t none;
  sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  ::setpgid(0, 0);
  ::close_range(3, ~0U, CLOSE_RANGE_CLOEXEC);
  const int nowhere = ::open("/dev/null", O_WRONLY | O_CLOEXEC);
  if (::dup2(input, 0) == 0 && ::dup2(nowhere, 1) == 1 && ::dup2(nowhere, 2) == 2 && become(user))
    ::execv(words[0], words);
  const int code = errno;
  ::_exit(::write(report, &code, sizeof code) == sizeof code ? 127 : 126);
}

// The mailer's process; what kept it from being is told through a pipe that exec closes.
Result<pid_t> start(const std::string& program, const std::string& to, const std::string& subject,
                    int input) {
  int report[2];
  if (::pipe2(report, O_CLOEXEC) != 0) return problem(program, errno);
  const char* words[] = {program.c_str(), "-s", subject.c_str(), to.c_str(), nullptr};
  const auto user = mail_user();
  const pid_t child = ::fork();
  if (child == 0) run_mailer(const_cast<char* const*>(words), user, input, report[1]);
  int code = child < 0 ? errno : 0;
  ::close(report[1]);
  if (child > 0 && ::read(report[0], &code, sizeof code) == sizeof code)
    ::waitpid(child, nullptr, 0);
  ::close(report[0]);
  if (code != 0) return problem(program, code);
  return child;
}

// Waits for its end, and sees to it.
Outcome await(const std::string& program, pid_t child) {
  const int handle = static_cast<int>(::syscall(SYS_pidfd_open, child, 0));
  pollfd ends{handle, POLLIN, 0};
  const bool in_time = handle < 0 || ::poll(&ends, 1, MailProgram::patience_ms) != 0;
  if (handle >= 0) ::close(handle);
  if (!in_time) ::kill(-child, SIGKILL);
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (!in_time) return Error{program + " took too long"};
  if (WIFSIGNALED(status))
    return Error{program + " was ended by signal " + std::to_string(WTERMSIG(status))};
  if (WEXITSTATUS(status) != 0)
    return Error{program + " exited with " + std::to_string(WEXITSTATUS(status))};
  return Done{};
}

} // namespace

Outcome MailProgram::send(const std::string& program, const std::string& to,
                          const std::string& subject, const std::string& text) {
  const int input = file_of(text);
  if (input < 0) return problem(program, errno);
  auto child = start(program, to, subject, input);
  ::close(input);
  return child ? await(program, *child) : Outcome(child.error());
}

} // namespace almanac
