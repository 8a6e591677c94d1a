// A shepherd's process for tests of what it does with its children.
#pragma once

#include "agent/shepherd/processes.hpp"
#include "agent/shepherd/child_watch.hpp"
#include "agent/shepherd/progress_file.hpp"
#include "agent/shepherd/user_process.hpp"
#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <string>

namespace almanac {

// What is where a shepherd runs.
struct Place {
  ShepherdOrder order;
  int control = -1, client = -1; ///< listens; is connected to it
  int progress = -1, written = -1;

  Place() {
    sockaddr_un address{AF_UNIX, {}};
    control = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    ::bind(control, reinterpret_cast<sockaddr*>(&address), sizeof address.sun_family); // any name
    socklen_t size = sizeof address;
    ::getsockname(control, reinterpret_cast<sockaddr*>(&address), &size);
    ::listen(control, 4);
    client = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    ::connect(client, reinterpret_cast<sockaddr*>(&address), size);
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC | O_NONBLOCK) == 0) written = ends[0], progress = ends[1];
  }
  static std::string content_of(int file, int flags) {
    char text[256];
    const auto size =
        flags < 0 ? ::read(file, text, sizeof text) : ::recv(file, text, sizeof text, flags);
    return {text, static_cast<std::size_t>(std::max<ssize_t>(0, size))};
  }
  std::string noted() const { return content_of(written, -1); }
  std::string heard() const { return content_of(client, MSG_DONTWAIT); }
  void command(const char* text) const { ::send(client, text, 1, MSG_NOSIGNAL); }
};

// Takes what the order of the place says by then.
class BegunWatch : public ChildWatch {
public:
  explicit BegunWatch(const Place& place)
      : ChildWatch(place.order, place.control, place.progress, "") {
    begin();
  }
};

// Does it in a process like a shepherd's; returns what it says.
template <class Work> std::string in_a_shepherd(Work work) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return "no pipe";
  const auto pid = ::fork();
  if (pid == 0) {
    ::prctl(PR_SET_CHILD_SUBREAPER, 1);
    Place place;
    const std::string said = work(place);
    ::_exit(::write(ends[1], said.data(), said.size()) < 0 ? 1 : 0);
  }
  ::close(ends[1]);
  std::string said;
  char text[256];
  for (ssize_t size = 0; (size = ::read(ends[0], text, sizeof text)) > 0;)
    said.append(text, static_cast<std::size_t>(size));
  ::close(ends[0]);
  ::waitpid(pid, nullptr, 0);
  return said;
}

inline auto shell(const char* script) {
  return [script](int) {
    sigset_t none; // a shell without SIGCHLD waits for ever
    sigemptyset(&none);
    ::sigprocmask(SIG_SETMASK, &none, nullptr);
    ::setsid();
    ::execl("/bin/sh", "sh", "-c", script, nullptr);
    ::_exit(126);
  };
}

inline std::string text_of(const ChildEnd& end) {
  return end.has_begun() ? (end.by_signal ? "signal " : "status ") + std::to_string(end.status)
                         : "failed " + std::to_string(end.failed) + ": " + end.why;
}

// Whoever runs the test, but never root.
inline RunAs user() {
  return ::geteuid() == 0 ? RunAs{false, "nobody", 65534, 65534, {}} : RunAs{true, "", -1, -1, {}};
}

inline auto shell_of_user(const char* script) {
  return [script](int pipe) {
    if (::geteuid() == 0 && (::setgid(65534) != 0 || ::setuid(65534) != 0)) ::_exit(125);
    shell(script)(pipe);
  };
}

} // namespace almanac
