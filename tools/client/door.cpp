#include "tools/client/door.hpp"

#include "core/text/values.hpp"
#include "schema/codec.hpp"
#include "tools/client/interrupt.hpp"
#include "tools/client/seal.hpp"
#include "tools/output/escape.hpp"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <mutex>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/random.h>
#include <thread>
#include <unistd.h>

namespace almanac {

namespace {

constexpr std::int64_t default_deadline = 30; // seconds
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

void DoorClient::catch_interrupt() { almanac::catch_interrupt(); }
bool DoorClient::take_interrupt() { return almanac::take_interrupt(); }

// The last door's reason is told; it is hopeless where all of them are.
DoorClient::Try DoorClient::connect() {
  Try last{Step::hopeless, "no door"};
  for (current_ = 0; current_ < doors_.size(); ++current_) {
    auto opened = DoorConnection::open(doors_[current_]);
    if (opened.connection) {
      connection_ = std::move(opened.connection);
      return {Step::done, {}};
    }
    last.why = opened.why;
    if (!opened.is_hopeless) last.step = Step::again;
  }
  return last;
}

Result<door::Reply> DoorClient::receive() {
  const auto content = connection_->receive();
  if (!content) return content.error();
  auto reply = decode<door::Reply>(*content);
  if (!reply) return Error{"the answer can't be read: " + reply.what()};
  escape(reply->body);
  return reply;
}

DoorClient::Try DoorClient::try_once(const std::string& request, const OnFrame& on_frame) {
  const auto failed = [&](const std::string& why) {
    connection_ = nullptr;
    return Try{Step::again, why};
  };
  if (!connection_)
    if (auto tried = connect(); tried.step != Step::done) return tried;
  // At a TCP door each try carries a credential of its own.
  auto content = connection_->is_tcp()
                     ? seal(request, connection_->binding(), doors_[current_].munge_socket)
                     : request;
  if (!content) return {Step::hopeless, content.what()};
  asked_ = true;
  if (auto sent = connection_->send(*content); !sent) return failed(sent.what());
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
  if (connection_) return Done{};
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
  if (auto tried = connect(); tried.step != Step::done) return Error{tried.why};
  if (connection_->is_tcp())
    return Error{"this needs the door of an agent: a TCP door takes no input for a process"};
  door::Request request;
  request.id = make_request_id();
  request.body = std::move(body);
  if (auto sent = connection_->send(encode(request)); !sent) return sent;
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
      if (!connection_->send(
              encode(door::Request{door::protocol_version, make_request_id(), more})) ||
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
  connection_ = nullptr;
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
    if (was_interrupted()) return Error{"interrupted"};
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
