// A process beside a running job, with its input and output over a line to the agent.
#include "core/execution/stream_window.hpp"
#include "core/text/values.hpp"
#include "schema/codec.hpp"
#include "tools/client/line.hpp"

#include <algorithm>
#include <cerrno>
#include <condition_variable>
#include <mutex>
#include <iterator>
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
  enum class Host { may_say_nothing, says_it };
  explicit InputRoom(Host host) : is_sure_(host == Host::says_it) {}
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
    if (granted_ == 0 && sent_ > unasked && is_told_ && !is_sure_)
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
  const bool is_sure_;
  bool is_told_ = true, stopped_ = false;
};

// Of the output of such a process; the agent holds back what goes far beyond what was taken.
constexpr std::int64_t told_when_taken = 64 << 10;
// Where it is told on the way, without an answer: a part of the agent's window of 1 MB.
constexpr std::int64_t told_on_the_way = 256 << 10;

// Sends more of a request that is under way; of two threads.
class RequestEnd {
public:
  RequestEnd(DoorConnection& connection, std::string request)
      : connection_(connection), request_(std::move(request)) {}

  Outcome send(door::InheritInput more, const Until& until) {
    more.request = request_;
    const auto frame =
        encode(door::Request{door::protocol_version, make_request_id(), std::move(more)});
    const std::lock_guard lock(mutex_);
    return connection_.send(frame, until);
  }

private:
  DoorConnection& connection_;
  const std::string request_;
  std::mutex mutex_;
};

// Sends what a file brings behind the request, and each new size of the terminal, from a thread of
// its own, until that is over.
class InputSender {
public:
  InputSender(RequestEnd& request, const ProcessStreams& streams, InputRoom& room)
      : request_(request), streams_(streams), input_(streams.input), room_(room) {
    if (input_ >= 0 || streams.resized >= 0) thread_ = std::thread([this] { run(); });
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
    while (input_ >= 0 || streams_.resized >= 0) {
      // One that is not open is left out by the system.
      pollfd files[]{{stop_, POLLIN, 0}, {streams_.resized, POLLIN, 0}, {input_, POLLIN, 0}};
      if (::poll(files, std::size(files), -1) < 0 && errno != EINTR) return;
      if (files[0].revents) return;
      if (files[1].revents && !send_size()) return;
      if (files[2].revents && !send_piece()) return;
    }
  }
  bool send_size() {
    eventfd_t times = 0;
    if (::eventfd_read(streams_.resized, &times) != 0) return true;
    door::InheritInput more;
    const auto size = streams_.size();
    more.rows = size.rows, more.columns = size.columns;
    return request_.send(std::move(more), stopped_).ok();
  }
  bool send_piece() {
    const auto size = ::read(input_, piece_.data(), piece_.size());
    if (size < 0 && (errno == EINTR || errno == EAGAIN)) return true;
    const auto count = static_cast<std::size_t>(std::max<ssize_t>(0, size));
    if (!room_.take(static_cast<std::int64_t>(count))) return false;
    door::InheritInput more;
    more.content.content = piece_.substr(0, count), more.end = count == 0;
    if (more.end) input_ = -1;
    return request_.send(std::move(more), stopped_).ok();
  }

  RequestEnd& request_;
  const ProcessStreams& streams_;
  int input_;
  InputRoom& room_;
  std::string piece_ = std::string(64 << 10, '\0');
  const int stop_ = ::eventfd(0, EFD_CLOEXEC);
  const Until stopped_{std::nullopt, stop_};
  std::thread thread_;
};

} // namespace

// A process that was started is not started again: this is tried once.
CallResult<Done> Client::Line::run_process(door::RequestBody body, const OnFrame& on_frame,
                                           const ProcessStreams& streams) {
  const bool attaches = std::holds_alternative<door::Attach>(body);
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
  InputRoom room(attaches ? InputRoom::Host::says_it : InputRoom::Host::may_say_nothing);
  RequestEnd way(*connection, request.id);
  const InputSender sender(way, streams, room);
  // Agents of earlier versions answer what was taken: said over a line of its own, since answers on
  // this one wait for the end of the first. They take no client of an interactive job.
  auto beside = options_;
  beside.request_id = {};
  Line taker(std::move(beside));
  TakenCount taken(attaches ? told_on_the_way : told_when_taken);
  for (;;) {
    const Until answered{std::nullopt, options_.cancel};
    auto reply = receive(*connection, answered);
    if (answered.is_cancelled()) return failed(CallFailure::cancelled, "cancelled");
    if (!reply) return failed(CallFailure::unknown, reply.what());
    on_frame(reply->body);
    door::InheritInput told;
    if (const auto* output = std::get_if<door::Output>(&reply->body)) {
      room.grant(output->room);
      told.taken = taken.take(static_cast<std::int64_t>(output->content.content.size()));
    }
    if (reply->done) return Done{};
    if (told.taken == 0) continue;
    told.request = request.id, told.quiet = attaches;
    if (attaches) {
      if (auto sent = way.send(std::move(told), answered); !sent && !answered.is_cancelled())
        return failed(CallFailure::unknown, sent.what());
    } else if (auto said = taker.call(
                   std::move(told), [](door::ReplyBody&) {}, options_.patience);
               !said)
      return said.error();
  }
}

} // namespace almanac
