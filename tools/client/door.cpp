#include "tools/client/door.hpp"

#include "core/text/values.hpp"
#include "schema/codec.hpp"
#include "schema/frames.hpp"
#include "tools/client/seal.hpp"
#include "tools/output/escape.hpp"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <thread>
#include <unistd.h>

namespace almanac {

namespace {

constexpr std::int64_t default_deadline = 30; // seconds
constexpr std::size_t largest_reply = 64u << 20;
// Clients look for the word "qmaster" to tell a master that is away from an unknown job
// (spec/client-contract.md C7).
constexpr const char* unreached = "unable to send message to qmaster: ";

Result<std::chrono::seconds> deadline() {
  constexpr std::int64_t longest = 1'000'000'000;
  const char* text = std::getenv("ALMANAC_DEADLINE");
  const auto value = text ? parse_number(text) : Result<std::int64_t>(default_deadline);
  if (!value || *value < 1 || *value > longest)
    return Error{std::string("ALMANAC_DEADLINE: \"") + text +
                 "\" is no number of seconds from 1 on"};
  return std::chrono::seconds(*value);
}

Result<int> connect_unix(const std::string& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (path.size() >= sizeof address.sun_path)
    return Error{"the path of the door is too long: " + path};
  std::strcpy(address.sun_path, path.c_str());
  const int socket = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (socket >= 0 && ::connect(socket, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0)
    return socket;
  const Error error{"can't reach the door " + path + ": " + std::strerror(errno)};
  if (socket >= 0) ::close(socket);
  return error;
}

Result<int> connect_tcp(const DoorAddress& door) {
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  addrinfo* found = nullptr;
  const auto failed = [&](const char* why) {
    return Error{"can't reach the door " + door.print() + ": " + why};
  };
  if (const int problem = ::getaddrinfo(door.host.c_str(), door.port.c_str(), &hints, &found))
    return failed(::gai_strerror(problem));
  int socket = -1, error = 0;
  for (const auto* each = found; each && socket < 0; each = each->ai_next) {
    socket = ::socket(each->ai_family, SOCK_STREAM | SOCK_CLOEXEC, IPPROTO_TCP);
    if (socket < 0 || ::connect(socket, each->ai_addr, each->ai_addrlen) == 0) continue;
    error = errno;
    ::close(socket);
    socket = -1;
  }
  ::freeaddrinfo(found);
  if (socket < 0) return failed(std::strerror(error));
  const int yes = 1;
  ::setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
  return socket;
}

bool catches_interrupt = false;
volatile std::sig_atomic_t interrupted = 0;

// Ctrl-C comes through only here, so that none is missed between a look at it and the wait.
void wait_for_bytes(int connection) {
  if (!catches_interrupt) return;
  pollfd file{connection, POLLIN, 0};
  sigset_t none;
  sigemptyset(&none);
  ::ppoll(&file, 1, nullptr, &none);
}

bool read_exactly(int connection, char* into, std::size_t size) {
  while (size > 0) {
    wait_for_bytes(connection);
    if (interrupted) return false;
    const auto count = ::recv(connection, into, size, 0);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    into += count, size -= static_cast<std::size_t>(count);
  }
  return true;
}

} // namespace

std::string random_nonce() {
  std::string bytes(16, '\0');
  check(::getrandom(bytes.data(), bytes.size(), 0) == 16, "the system gives random bytes");
  return bytes;
}

std::string hexadecimal(std::string_view bytes) {
  std::string digits;
  for (const unsigned char byte : bytes)
    digits += "0123456789abcdef"[byte >> 4], digits += "0123456789abcdef"[byte & 15];
  return digits;
}

std::string make_request_id() { return hexadecimal(random_nonce()); }

void DoorClient::catch_interrupt() {
  catches_interrupt = true;
  sigset_t only;
  sigemptyset(&only);
  sigaddset(&only, SIGINT);
  ::sigprocmask(SIG_BLOCK, &only, nullptr);
  struct sigaction action {};
  action.sa_handler = [](int) { interrupted = 1; };
  ::sigaction(SIGINT, &action, nullptr);
}

bool DoorClient::take_interrupt() {
  const bool came = interrupted != 0;
  interrupted = 0;
  return came;
}

DoorClient::~DoorClient() { disconnect(); }

void DoorClient::disconnect() {
  if (connection_ >= 0) ::close(connection_);
  connection_ = -1;
}

Outcome DoorClient::connect() {
  Error last{"no door"};
  for (current_ = 0; current_ < doors_.size(); ++current_) {
    const auto& door = doors_[current_];
    auto socket = door.path.empty() ? connect_tcp(door) : connect_unix(door.path);
    if (socket) {
      connection_ = *socket;
      return Done{};
    }
    last = socket.error();
  }
  return last;
}

Outcome DoorClient::send(const std::string& content) {
  const auto out = door::framed(content);
  for (std::size_t sent = 0; sent < out.size();) {
    const auto count = ::send(connection_, out.data() + sent, out.size() - sent, MSG_NOSIGNAL);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return Error{"the door closed the connection"};
    sent += static_cast<std::size_t>(count);
  }
  return Done{};
}

Result<door::Reply> DoorClient::receive() {
  door::FrameHead head;
  std::string content;
  bool whole = read_exactly(connection_, head.data(), head.size());
  if (whole) {
    auto size = door::frame_length({head.data(), head.size()});
    if (size > largest_reply) size = 0;
    content.resize(size);
    whole = size > 0 && read_exactly(connection_, content.data(), size);
  }
  if (!whole) return Error{"the door closed the connection before it answered"};
  auto reply = decode<door::Reply>(content);
  if (!reply) return Error{"the answer can't be read: " + reply.what()};
  escape(reply->body);
  return reply;
}

DoorClient::Try DoorClient::try_once(const std::string& request, const OnFrame& on_frame) {
  const auto failed = [&](const std::string& why) {
    disconnect();
    return Try{Step::again, why};
  };
  if (connection_ < 0)
    if (auto connected = connect(); !connected) return failed(connected.what());
  // At a TCP door each try carries a credential of its own.
  const auto& door = doors_[current_];
  auto content = door.path.empty() ? seal(request, door.munge_socket) : request;
  if (!content) return {Step::hopeless, content.what()};
  asked_ = true;
  if (auto sent = send(*content); !sent) return failed(sent.what());
  for (;;) {
    auto reply = receive();
    if (!reply) return failed(reply.what());
    if (const auto* busy = std::get_if<door::Busy>(&reply->body))
      return {Step::busy, "the master is busy or not reached", busy->retry_after_ms};
    on_frame(reply->body);
    if (reply->done) return {Step::done, {}};
  }
}

// The changes that one command line makes are told apart by their number: the same line again
// repeats each of them.
std::string DoorClient::id_for(const door::RequestBody& body) {
  const char* given = std::getenv("ALMANAC_REQUEST_ID");
  if (!given || !*given || !std::holds_alternative<door::RunCommand>(body))
    return make_request_id();
  return ++changes_ == 1 ? given : given + ("." + std::to_string(changes_));
}

Outcome DoorClient::find_doors() {
  if (connection_ >= 0) return Done{};
  auto doors = doors_of(directory_);
  if (!doors) return doors.error();
  if (doors->empty())
    return Error{"there is no door in " + directory_ +
                 ": is ALMANAC_DIR set to the directory of the cell or of an agent?"};
  doors_ = std::move(*doors);
  return Done{};
}

// How much of the input may be sent: no more than the process's host has room for. Older agents
// do not say.
class InputRoom {
public:
  void grant(std::int64_t bytes) {
    const std::lock_guard lock(mutex_);
    granted_ += bytes;
    changed_.notify_one();
  }
  void stop() {
    const std::lock_guard lock(mutex_);
    stopped_ = true;
    changed_.notify_one();
  }
  /// Waits until so many bytes may be sent; false if nobody wants them any more.
  bool take(std::int64_t bytes) {
    constexpr std::int64_t unasked = 1 << 20;
    constexpr std::chrono::seconds patience(5);
    std::unique_lock lock(mutex_);
    sent_ += bytes;
    if (granted_ == 0 && sent_ > unasked && is_told_)
      is_told_ = changed_.wait_for(lock, patience, [&] { return granted_ > 0 || stopped_; });
    changed_.wait(lock, [&] {
      return stopped_ || sent_ <= granted_ || (granted_ == 0 && (sent_ <= unasked || !is_told_));
    });
    return !stopped_;
  }

private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::int64_t sent_ = 0, granted_ = 0;
  bool is_told_ = true, stopped_ = false;
};

// Of the output of such a process; the agent holds back what goes far beyond what was taken.
constexpr std::int64_t told_when_taken = 64 << 10;

// A process that was started is not started again: this is tried once.
Outcome DoorClient::call_with_input(door::Inherit body, const OnFrame& on_frame, int input) {
  if (auto found = find_doors(); !found) return found;
  if (auto connected = connect(); !connected) return connected;
  door::Request request;
  request.id = make_request_id();
  request.body = std::move(body);
  if (auto sent = send(encode(request)); !sent) return sent;
  const int stop = ::eventfd(0, EFD_CLOEXEC);
  InputRoom room;
  std::thread reader([&] {
    if (input < 0) return;
    std::string piece(64 << 10, '\0');
    for (;;) {
      pollfd files[]{{input, POLLIN, 0}, {stop, POLLIN, 0}};
      if (::poll(files, 2, -1) < 0 && errno != EINTR) return;
      if (files[1].revents) return;
      if (!files[0].revents) continue;
      const auto size = ::read(input, piece.data(), piece.size());
      if (size < 0 && (errno == EINTR || errno == EAGAIN)) continue;
      const auto count = static_cast<std::size_t>(std::max<ssize_t>(0, size));
      if (!room.take(static_cast<std::int64_t>(count))) return;
      door::InheritInput more{request.id, {piece.substr(0, count)}, count == 0};
      if (!send(encode(door::Request{door::protocol_version, make_request_id(), more})) ||
          count == 0)
        return;
    }
  });
  // Said by a connection of its own: answers on this one wait for the end of the first.
  DoorClient taker(directory_);
  std::int64_t taken = 0;
  Outcome outcome = Done{};
  for (bool done = false; !done && outcome;) {
    auto reply = receive();
    if (!reply) {
      outcome = Error{reply.what() + ". What became of the process is not known"};
      break;
    }
    on_frame(reply->body), done = reply->done;
    if (const auto* output = std::get_if<door::Output>(&reply->body))
      room.grant(output->room), taken += static_cast<std::int64_t>(output->content.content.size());
    if (taken < told_when_taken || done) continue;
    outcome = taker.call(door::InheritInput{request.id, {}, false, std::exchange(taken, 0)},
                         [](door::ReplyBody&) {});
  }
  ::eventfd_write(stop, 1);
  room.stop();
  reader.join();
  ::close(stop);
  disconnect();
  return outcome;
}

Outcome DoorClient::call(door::RequestBody body, const OnFrame& on_frame) {
  const auto patience = deadline();
  if (!patience) return patience.error();
  door::Request request;
  request.id = id_for(body);
  request.body = std::move(body);
  const auto frame = encode(request);
  if (frame.size() > door::largest_request)
    return Error{"the request has " + std::to_string(frame.size()) + " bytes, at most " +
                 std::to_string(door::largest_request) +
                 " are taken: is the script too large? Let it read what it carries from a file"};
  if (auto found = find_doors(); !found) return Error{unreached + found.what()};
  const auto until = std::chrono::steady_clock::now() + *patience;
  // Frames of an answer that broke off are not handed over twice.
  std::size_t handed = 0;
  asked_ = false;
  for (;;) {
    std::size_t seen = 0;
    const auto tried = try_once(frame, [&](door::ReplyBody& part) {
      if (++seen <= handed) return;
      ++handed;
      on_frame(part);
    });
    if (tried.step == Step::done) return Done{};
    if (interrupted) return Error{"interrupted"};
    const bool late = std::chrono::steady_clock::now() > until;
    if (!asked_ && (late || tried.step == Step::hopeless)) return Error{unreached + tried.why};
    if (late)
      return Error{unreached + tried.why +
                   ". The outcome is not known: ask again with ALMANAC_REQUEST_ID=" + request.id};
    std::this_thread::sleep_for(
        std::chrono::milliseconds(std::clamp<std::int64_t>(tried.retry_after_ms, 10, 5000)));
  }
}

} // namespace almanac
