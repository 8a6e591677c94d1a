// A client of a TCP door that does with sealed requests what no command does.
//
//     sealed_client FOLDER twice       sends one, and once more, on the channel that it is for
//     sealed_client FOLDER elsewhere   sends one on another channel
//     sealed_client FOLDER changed     another request under the same seal
//     sealed_client FOLDER border      moves the border between nonce and request
//     sealed_client FOLDER unbound     seals for no channel, as it was before there was TLS
//
// FOLDER has `doors` and `doors.pem`. Prints each answer.
#include "core/answer/gridengine.hpp"
#include "schema/codec.hpp"
#include "tools/client/client.hpp"
#include "tools/client/door_connection.hpp"
#include "tools/client/door_credential.hpp"

#include <filesystem>
#include <iostream>
#include <unistd.h>

using namespace almanac;

namespace {

constexpr std::chrono::seconds patience{30};

template <class T> T get(Result<T> result) {
  if (result) return std::move(*result);
  std::cerr << result.what() << "\n";
  std::exit(3);
}

std::unique_ptr<DoorConnection> call(const DoorAddress& door) {
  const auto module = tls_module_beside(std::filesystem::read_symlink("/proc/self/exe").string());
  auto opened = DoorConnection::open(door, module, within(patience, -1));
  if (opened.connection) return std::move(opened.connection);
  std::cerr << opened.why << "\n";
  std::exit(3);
}

// A job that does nothing and is held.
std::string request(const std::string& name) {
  JobRequest job;
  job.name = name, job.command = "/bin/true", job.binary = true, job.held_by_user = true;
  return encode(door::Request{door::protocol_version, name + std::to_string(::getpid()),
                              door::RunCommand{Submit{job, ""}}});
}

void send(DoorConnection& connection, const std::string& frame) {
  const auto until = within(patience, -1);
  get(connection.send(frame, until));
  const auto reply = get(decode<door::Reply>(get(connection.receive(until))));
  const auto* answer = std::get_if<Answer>(&reply.body);
  if (!answer) std::cout << "something else\n";
  else
    for (const auto& line : gridengine::lines_of(*answer)) std::cout << line.text << "\n";
}

// Under a seal that is for no channel.
std::string seal_unbound(const std::string& request, const std::string& munge_socket) {
  door::SealedRequest sealed{{request}, {random_nonce()}, {}};
  sealed.credential = get(munge_credential(sealed.nonce.content + request, munge_socket));
  return encode(sealed);
}

} // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> words(argv + 1, argv + argc);
  if (words.size() != 2) return 2;
  const auto& what = words[1];
  const auto doors = get(doors_of(words[0]));
  if (doors.size() != 1) return 2;
  const auto& door = doors.front();
  const auto connection = call(door);
  const auto frame = what == "unbound" ? seal_unbound(request("taken"), door.munge_socket)
                                       : get(connection->seal(request("taken")));
  auto sealed = get(decode<door::SealedRequest>(frame));
  if (what == "twice") {
    send(*connection, frame);
    send(*connection, frame);
  } else if (what == "elsewhere") {
    send(*call(door), frame);
  } else if (what == "unbound") {
    send(*connection, frame);
  } else if (what == "changed") {
    sealed.request.content = request("other");
    send(*connection, encode(sealed));
  } else if (what == "border") {
    sealed.nonce.content += sealed.request.content.substr(0, 8);
    sealed.request.content.erase(0, 8);
    send(*connection, encode(sealed));
  } else return 2;
  return 0;
}
