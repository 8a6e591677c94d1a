// almanac-shepherd: makes a shepherd for each process of a user that its agent asks for.
//
//     almanac-shepherd SPOOL       with the agent's socket as file descriptor 3
//
// A shepherd is a fork of this process: nothing is loaded for each. This one ends with its agent;
// the shepherds stay.
#include "agent/shepherd/request.hpp"
#include "agent/shepherd/shepherd.hpp"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <grp.h>
#include <unistd.h>

extern char** environ;

namespace almanac {

namespace {

constexpr int agent_socket = 3;

// The words this process was started with, and its environment, lie in one row: what `ps` prints.
class Title {
public:
  Title(int argc, char** argv)
      : begin_(argv[0]), end_(argv[argc - 1] + std::strlen(argv[argc - 1])) {
    for (char** entry = environ; *entry; ++entry)
      if (*entry == end_ + 1) end_ = *entry + std::strlen(*entry);
  }
  void set(const std::string& text) {
    const auto room = static_cast<std::size_t>(end_ - begin_);
    std::memset(begin_, 0, room);
    std::memcpy(begin_, text.data(), std::min(room, text.size()));
  }

private:
  char *begin_, *end_;
};

std::string content_of(int file) {
  std::string content;
  char piece[8192];
  for (;;) {
    const auto size = ::pread(file, piece, sizeof piece, static_cast<off_t>(content.size()));
    if (size <= 0) return content;
    content.append(piece, static_cast<std::size_t>(size));
  }
}

[[noreturn]] void become_shepherd(const ShepherdRequest& request, Title& title) {
  ::close(agent_socket);
  ::setsid();
  ::signal(SIGCHLD, SIG_DFL);
  title.set("almanac-shepherd " + request.folder);
  const auto order = parse_shepherd_order(content_of(request.order));
  ::close(request.order);
  if (!order) {
    std::fprintf(stderr, "almanac-shepherd: %s: %s\n", request.folder.c_str(),
                 order.what().c_str());
    ::_exit(1);
  }
  run_shepherd(request.folder, *order, request.control);
  ::_exit(0);
}

int serve(Title title) {
  ::signal(SIGCHLD, SIG_IGN); // shepherds are waited for by nobody
  // What looks up groups is loaded once here, not in each.
  int none = 0;
  ::getgrouplist("root", 0, nullptr, &none);
  ShepherdRequest request;
  while (receive_request(agent_socket, request)) {
    const auto child = ::fork();
    if (child == 0) become_shepherd(request, title);
    // The agent learns of it by the end of its connection.
    if (child < 0)
      std::fprintf(stderr, "almanac-shepherd: %s: can't fork: %s\n", request.folder.c_str(),
                   std::strerror(errno));
    ::close(request.control);
    ::close(request.order);
  }
  return 0;
}

} // namespace

} // namespace almanac

int main(int argc, char** argv) {
  const std::string argument = argc == 2 ? argv[1] : "--help";
  if (argument == "--version" || argument == "--help") {
    std::printf(argument == "--version" ? "almanac-shepherd " ALMANAC_VERSION "\n"
                                        : "usage: almanac-shepherd SPOOL\nStarted by almanac-agent "
                                          "to watch over tasks; not meant to be typed.\n");
    return 0;
  }
  return almanac::serve(almanac::Title(argc, argv));
}
