// A client that checks nothing: it sends to a door what no command would.
//
//     door_client DOOR submit|ask FIRST LAST STEP     an array job, or -w v of it
//     door_client DOOR delete JOB FIRST LAST STEP     these tasks of a job
//     door_client DOOR delete-long SIZE COUNT TIMES   so many names of SIZE bytes, so many times
//     door_client DOOR slots LOW HIGH                 a parallel job
//     door_client DOOR start SECONDS                  a job that may start then
//     door_client DOOR reserve START DURATION
//     door_client DOOR mail ADDRESS | name TEXT | nul
//     door_client DOOR hash HASH OUTPUT               a job whose script is that of somebody else
//     door_client DOOR ask-hash HASH                  -w v of it
//
// Prints the answer and exits with its code; of several, all answers and the last one's code.
#include "core/answer/gridengine.hpp"
#include "schema/codec.hpp"
#include "schema/frames.hpp"

#include <cstdlib>
#include <cstring>
#include <iostream>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

using namespace almanac;

namespace {

int connect_to(const std::string& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::strncpy(address.sun_path, path.c_str(), sizeof address.sun_path - 1);
  const int door = ::socket(AF_UNIX, SOCK_STREAM, 0);
  if (::connect(door, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0) return door;
  std::cerr << "can't reach " << path << "\n";
  std::exit(3);
}

std::string read_bytes(int door, std::size_t size) {
  std::string bytes(size, '\0');
  if (size > 0 && ::recv(door, bytes.data(), size, MSG_WAITALL) == static_cast<ssize_t>(size))
    return bytes;
  std::cerr << "the door closed\n";
  std::exit(3);
}

Answer call(const std::string& path, door::RequestBody body) {
  static int calls = 0;
  const int door = connect_to(path);
  const auto id = std::to_string(::getpid()) + "-" + std::to_string(++calls);
  const auto frame = door::framed(encode(door::Request{1, id, std::move(body)}));
  if (::send(door, frame.data(), frame.size(), MSG_NOSIGNAL) < 0) std::exit(3);
  const auto head = read_bytes(door, 4);
  auto reply = decode<door::Reply>(read_bytes(door, door::frame_length(head)));
  ::close(door);
  const auto* answer = reply ? std::get_if<Answer>(&reply->body) : nullptr;
  return answer ? *answer : Answer::refusal("no answer but something else");
}

// Prints it.
int show(const Answer& answer) {
  for (const auto& line : gridengine::lines_of(answer)) std::cout << line.text << "\n";
  return static_cast<int>(answer.exit_code);
}

} // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> words(argv + 1, argv + argc);
  if (words.size() < 2) return 2;
  const auto& what = words[1];
  const auto number = [&](std::size_t at) {
    return static_cast<std::int64_t>(std::atoll(words.at(at).c_str()));
  };
  JobRequest job;
  job.name = "edge", job.command = "/bin/true", job.binary = true, job.held_by_user = true;
  std::string hash;
  door::RequestBody body;
  if (what == "delete-long") {
    const std::vector<std::string> names(static_cast<std::size_t>(number(3)),
                                         std::string(static_cast<std::size_t>(number(2)), 'x'));
    int code = 0;
    for (auto times = number(4); times > 0; --times)
      code = show(call(words[0], door::RunCommand{DeleteJobs{names, {}, {}, false}}));
    return code;
  }
  if (what == "reserve") {
    ReservationRequest request;
    request.start = {number(2)}, request.duration = {number(3)}, request.has_duration = true;
    body = door::RunCommand{Reserve{request}};
  } else if (what == "delete") {
    body =
        door::RunCommand{DeleteJobs{{words.at(2)}, {{number(3), number(4), number(5)}}, {}, false}};
  } else {
    if (what == "submit" || what == "ask") job.tasks = {number(2), number(3), number(4)};
    else if (what == "slots") job.pe = "smp", job.slots = {{number(2), number(3)}};
    else if (what == "start") job.execution_time = {number(2)};
    else if (what == "mail") job.mail_at = "a", job.mail_to = {words.at(2)};
    else if (what == "name") job.name = words.at(2);
    else if (what == "nul") job.environment = {{"A", std::string("x\0user\0", 7)}};
    else if (what == "hash" || what == "ask-hash") {
      hash = words.at(2);
      job.command = "edge", job.binary = false, job.held_by_user = what == "ask-hash";
      job.directory = "/tmp", job.join = true;
      if (what == "hash") job.output = words.at(3);
    } else return 2;
    body = door::RunCommand{Submit{job, hash}};
    if (what.starts_with("ask")) body = door::AskSubmit{{job, hash}};
  }
  return show(call(words[0], std::move(body)));
}
