// Submissions through one connection, many in flight: what the door, the planner and the journal
// can do.
//
//     bench_submit DOOR COUNT [held|waiting]
//
// held: jobs in hold, the default. waiting: jobs of a hundred kinds that wait for a place.
#include "schema/codec.hpp"
#include "schema/frames.hpp"
#include "tools/client/client.hpp"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

namespace {

using namespace almanac;

void send_all(int connection, const std::string& bytes) {
  for (std::size_t sent = 0; sent < bytes.size();) {
    const auto count = ::send(connection, bytes.data() + sent, bytes.size() - sent, MSG_NOSIGNAL);
    if (count <= 0) std::exit((std::perror("send"), 1));
    sent += static_cast<std::size_t>(count);
  }
}

void read_all(int connection, char* into, std::size_t size) {
  while (size > 0) {
    const auto count = ::recv(connection, into, size, 0);
    if (count <= 0) std::exit((std::perror("recv"), 1));
    into += count, size -= static_cast<std::size_t>(count);
  }
}

} // namespace

int main(int argc, char** argv) {
  if (argc < 3) return 1;
  const int count = std::atoi(argv[2]), window = 128;
  const bool waiting = argc > 3 && std::strcmp(argv[3], "waiting") == 0;
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::strncpy(address.sun_path, argv[1], sizeof address.sun_path - 1);
  const int connection = ::socket(AF_UNIX, SOCK_STREAM, 0);
  if (::connect(connection, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0)
    return (std::perror("connect"), 1);
  Submit submit;
  submit.request.name = "bench";
  submit.request.script.content = "#!/bin/sh\ntrue\n";
  submit.request.command = "bench.sh";
  submit.request.held_by_user = !waiting;
  submit.request.output = submit.request.error = "/dev/null";
  const auto run = make_request_id();
  const auto begin = std::chrono::steady_clock::now();
  int sent = 0, answered = 0;
  std::string content;
  while (answered < count) {
    std::string out;
    for (; sent < count && sent - answered < window; ++sent) {
      if (waiting) submit.request.resources = {{"h_rt", std::to_string(600 + sent % 100)}};
      out += door::framed(
          encode(door::Request{1, run + std::to_string(sent), door::RunCommand{submit}}));
    }
    if (!out.empty()) send_all(connection, out);
    door::FrameHead head;
    read_all(connection, head.data(), head.size());
    content.resize(door::frame_length({head.data(), head.size()}));
    read_all(connection, content.data(), content.size());
    const auto reply = decode<door::Reply>(content);
    const auto* answer = reply ? std::get_if<Answer>(&reply->body) : nullptr;
    if (!answer || answer->number == 0)
      return (std::fprintf(stderr, "a submission was not acknowledged\n"), 1);
    ++answered;
  }
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
  std::printf("%.0f\n", count / took.count());
}
