#include "agent/helper/session_process.hpp"

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <pwd.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

namespace almanac {

namespace {

[[noreturn]] void give_up(const std::string& what) {
  std::fprintf(stderr, "almanac-agent: can't %s: %s\n", what.c_str(), std::strerror(errno));
  ::_exit(1);
}

void drop_all_rights(const UserIds& user) {
  if (!become_session_user(user)) give_up("become the user of the settings");
}

// Above what they become, so that none is closed by another.
void take_places(std::vector<int> files) {
  for (auto& file : files) file = ::fcntl(file, F_DUPFD_CLOEXEC, 16);
  int place = 3;
  for (const int file : files)
    if (::dup2(file, place++) < 0) give_up("hand over descriptors");
  ::close_range(static_cast<unsigned>(place), ~0U, 0);
}

[[noreturn]] void become_session(const std::string& program, const std::string& directory,
                                 const SessionUser& user, std::vector<int> files, pid_t helper) {
  take_places(std::move(files));
  if (user.change) drop_all_rights(user.ids);
  ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != helper) ::_exit(1); // it is gone already
  sigset_t none;
  sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  ::execl(program.c_str(), program.c_str(), directory.c_str(), nullptr);
  give_up("start " + program);
}

} // namespace

bool become_session_user(const UserIds& user) {
  for (int capability = 0; capability < 64; ++capability)
    ::prctl(PR_CAPBSET_DROP, capability, 0, 0, 0); // those that there are
  return become_for_good({user.uid, user.gid, {}}) && drop_capabilities();
}

Result<SessionUser> session_user(const std::string& name) {
  if (name.empty()) return SessionUser{false, {::geteuid(), ::getegid(), {}}};
  const auto* entry = ::getpwnam(name.c_str());
  if (!entry) return Error{"there is no user \"" + name + "\" on this machine"};
  const bool change = entry->pw_uid != ::geteuid();
  if (change && ::geteuid() != 0)
    return Error{"only root can start an agent whose settings name the user \"" + name + "\""};
  return SessionUser{change, {entry->pw_uid, entry->pw_gid, {}}};
}

Result<SessionProcess> start_session(const std::string& program, const SessionUser& user, int lock,
                                     const HelperGreeting& greeting) {
  int ends[2], ready[2];
  if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0 ||
      ::pipe2(ready, O_CLOEXEC) != 0)
    return Error{std::string("can't make a socket: ") + std::strerror(errno)};
  SessionProcess session{-1, ends[0], ready[0]};
  const auto helper = ::getpid();
  session.pid = ::fork();
  if (session.pid == 0)
    become_session(program, greeting.directory, user, {ends[1], lock, ready[1]}, helper);
  if (session.pid < 0) return Error{std::string("can't fork: ") + std::strerror(errno)};
  ::close(ends[1]), ::close(ready[1]);
  if (!send_packet(session.socket, print_fields(greeting, greeting_format)))
    return Error{program + " has ended at once"};
  return session;
}

} // namespace almanac
