// A process beside a running job, with its input and output over a line to the agent.
#include "core/text/values.hpp"
#include "schema/codec.hpp"
#include "tools/client/line.hpp"

#include <algorithm>
#include <cerrno>
#include <condition_variable>
#include <mutex>
#include <poll.h>
#include <sys/eventfd.h>
#include <thread>
#include <unistd.h>

namespace almanac {

namespace {

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

// Sends what a file brings behind the request, from a thread of its own, until that is over.
class InputSender {
public:
  InputSender(DoorConnection& connection, const std::string& request, int input, InputRoom& room)
      : connection_(connection), request_(request), input_(input), room_(room) {
    if (input_ >= 0) thread_ = std::thread([this] { run(); });
  }
  ~InputSender() {
    ::eventfd_write(stop_, 1);
    room_.stop();
    if (thread_.joinable()) thread_.join();
    ::close(stop_);
  }
  InputSender(const InputSender&) = delete;
  InputSender& operator=(const InputSender&) = delete;

private:
  void run() {
    const Until stopped{std::nullopt, stop_};
    std::string piece(64 << 10, '\0');
    while (wait_for(input_, POLLIN, stopped)) {
      const auto size = ::read(input_, piece.data(), piece.size());
      if (size < 0 && (errno == EINTR || errno == EAGAIN)) continue;
      const auto count = static_cast<std::size_t>(std::max<ssize_t>(0, size));
      if (!room_.take(static_cast<std::int64_t>(count))) return;
      const door::InheritInput more{request_, {piece.substr(0, count)}, count == 0};
      const auto frame = encode(door::Request{door::protocol_version, make_request_id(), more});
      if (!connection_.send(frame, stopped) || count == 0) return;
    }
  }

  DoorConnection& connection_;
  const std::string& request_;
  int input_;
  InputRoom& room_;
  int stop_ = ::eventfd(0, EFD_CLOEXEC);
  std::thread thread_;
};

} // namespace

// A process that was started is not started again: this is tried once.
CallResult<Done> Client::Line::run_process(door::Inherit body, const OnFrame& on_frame, int input) {
  door::Request request;
  request.id = make_request_id();
  request.body = std::move(body);
  const auto failed = [&](CallFailure failure, std::string why) {
    return CallError{failure, std::move(why), request.id, {}};
  };
  connection_ = nullptr;
  if (auto found = find_doors(); !found) return failed(CallFailure::unreached, found.what());
  const auto reach = within(options_.patience, options_.cancel);
  if (auto tried = connect(reach); tried.step != Step::done)
    return failed(CallFailure::unreached, tried.why);
  const auto connection = std::move(connection_);
  if (connection->is_tcp())
    return failed(CallFailure::invalid,
                  "this needs the door of an agent: a TCP door takes no input for a process");
  if (auto sent = connection->send(encode(request), reach); !sent)
    return failed(CallFailure::unknown, sent.what());
  InputRoom room;
  const InputSender sender(*connection, request.id, input, room);
  // Said over a line of its own: answers on this one wait for the end of the first.
  auto beside = options_;
  beside.request_id = {};
  Line taker(std::move(beside));
  std::int64_t taken = 0;
  for (;;) {
    const Until answered{std::nullopt, options_.cancel};
    auto reply = receive(*connection, answered);
    if (answered.is_cancelled()) return failed(CallFailure::cancelled, "cancelled");
    if (!reply) return failed(CallFailure::unknown, reply.what());
    on_frame(reply->body);
    if (const auto* output = std::get_if<door::Output>(&reply->body))
      room.grant(output->room), taken += static_cast<std::int64_t>(output->content.content.size());
    if (reply->done) return Done{};
    if (taken < told_when_taken) continue;
    auto told = taker.call(
        door::InheritInput{request.id, {}, false, std::exchange(taken, 0)}, [](door::ReplyBody&) {},
        options_.patience);
    if (!told) return told.error();
  }
}

} // namespace almanac
