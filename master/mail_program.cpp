#include "master/mail_program.hpp"

#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
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

Result<pid_t> start(const std::string& program, const std::string& to, const std::string& subject,
                    int input) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, input, 0);
  posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, 1, 2);
  posix_spawn_file_actions_addclosefrom_np(&actions, 3);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t none;
  sigemptyset(&none);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setpgroup(&attributes, 0);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP);
  const char* words[] = {program.c_str(), "-s", subject.c_str(), to.c_str(), nullptr};
  pid_t child = 0;
  const int code = ::posix_spawn(&child, program.c_str(), &actions, &attributes,
                                 const_cast<char**>(words), environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
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
