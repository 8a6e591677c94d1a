#include "tools/client/door.hpp"

#include "schema/codec.hpp"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <thread>
#include <unistd.h>

namespace almanac {

namespace {

constexpr std::int64_t default_deadline = 30; // seconds; ALMANAC_DEADLINE
constexpr std::size_t largest_reply = 64u << 20;

std::int64_t deadline() {
  const char* text = std::getenv("ALMANAC_DEADLINE");
  const auto value = text ? std::atoll(text) : 0;
  return value > 0 ? value : default_deadline;
}

} // namespace

std::string make_request_id() {
  unsigned char bytes[16];
  check(::getrandom(bytes, sizeof bytes, 0) == sizeof bytes, "the system gives random bytes");
  std::string id;
  for (const auto byte : bytes)
    id += "0123456789abcdef"[byte >> 4], id += "0123456789abcdef"[byte & 15];
  return id;
}

UnixDoorClient::~UnixDoorClient() { disconnect(); }

void UnixDoorClient::disconnect() {
  if (connection_ >= 0) ::close(connection_);
  connection_ = -1;
}

bool UnixDoorClient::connect(std::string& why) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (path_.size() >= sizeof address.sun_path) {
    why = "the path of the door is too long: " + path_;
    return false;
  }
  std::strcpy(address.sun_path, path_.c_str());
  connection_ = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (connection_ >= 0 &&
      ::connect(connection_, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0)
    return true;
  why = "can't reach the door " + path_ + ": " + std::strerror(errno);
  const bool never_there = errno == ENOENT || errno == EACCES;
  disconnect();
  if (never_there) why += ". Is ALMANAC_DIR set to the directory of the cell or of an agent?";
  return false;
}

bool UnixDoorClient::read_exactly(char* into, std::size_t size) {
  while (size > 0) {
    const auto count = ::recv(connection_, into, size, 0);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    into += count, size -= static_cast<std::size_t>(count);
  }
  return true;
}

UnixDoorClient::Step UnixDoorClient::try_once(const std::string& frame, const OnFrame& on_frame,
                                              std::string& why, std::int64_t& retry_after_ms) {
  if (connection_ < 0 && !connect(why)) return Step::again;
  const auto length = static_cast<std::uint32_t>(frame.size());
  std::string out{static_cast<char>(length >> 24), static_cast<char>(length >> 16),
                  static_cast<char>(length >> 8), static_cast<char>(length)};
  out += frame;
  for (std::size_t sent = 0; sent < out.size();) {
    const auto count = ::send(connection_, out.data() + sent, out.size() - sent, MSG_NOSIGNAL);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) {
      why = "the door closed the connection";
      disconnect();
      return Step::again;
    }
    sent += static_cast<std::size_t>(count);
  }
  for (;;) {
    char head[4];
    std::string content;
    bool whole = read_exactly(head, sizeof head);
    if (whole) {
      std::size_t size = 0;
      for (const char byte : head) size = size << 8 | static_cast<unsigned char>(byte);
      if (size > largest_reply) size = 0;
      content.resize(size);
      whole = size > 0 && read_exactly(content.data(), size);
    }
    if (!whole) {
      why = "the door closed the connection before it answered";
      disconnect();
      return Step::again;
    }
    auto reply = decode<door::Reply>(content);
    if (!reply) {
      why = "the answer can't be read: " + reply.what();
      disconnect();
      return Step::again;
    }
    if (const auto* busy = std::get_if<door::Busy>(&reply->body)) {
      retry_after_ms = busy->retry_after_ms;
      why = "the master is busy or not reached";
      return Step::busy;
    }
    on_frame(reply->body);
    if (reply->done) return Step::done;
  }
}

Outcome UnixDoorClient::call(door::RequestBody body, const OnFrame& on_frame) {
  door::Request request;
  request.id = make_request_id();
  request.body = std::move(body);
  const auto frame = encode(request);
  if (frame.size() > door::largest_request)
    return Error{"the request has " + std::to_string(frame.size()) + " bytes, at most " +
                 std::to_string(door::largest_request) + " are taken"};
  const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(deadline());
  // Frames of an answer that broke off are not handed over twice.
  std::size_t handed = 0;
  for (bool first = true;; first = false) {
    std::string why;
    std::int64_t retry_after_ms = 200;
    std::size_t seen = 0;
    const auto step = try_once(
        frame,
        [&](door::ReplyBody& part) {
          if (++seen <= handed) return;
          ++handed;
          on_frame(part);
        },
        why, retry_after_ms);
    if (step == Step::done) return Done{};
    if (first && step == Step::again && why.find("ALMANAC_DIR") != std::string::npos)
      return Error{why};
    if (std::chrono::steady_clock::now() > until)
      return Error{why + ". The outcome is not known: ask again with the same request id " +
                   request.id};
    std::this_thread::sleep_for(
        std::chrono::milliseconds(std::clamp<std::int64_t>(retry_after_ms, 10, 5000)));
  }
}

} // namespace almanac
