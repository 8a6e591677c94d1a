// What becomes of a call where the door does not do what it should.
#include "tools/client/client.hpp"

#include "schema/codec.hpp"
#include "schema/frames.hpp"

#include <atomic>
#include <filesystem>
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <thread>
#include <unistd.h>

using namespace almanac;
using namespace std::chrono_literals;

namespace {

// A socket at which something else listens than a master: `serve` has each connection until the
// door is closed.
class FalseDoor {
public:
  using Serve = std::function<void(const FalseDoor& door, int socket)>;

  FalseDoor(const std::string& folder, Serve serve) : serve_(std::move(serve)) {
    std::filesystem::create_directories(folder + "/run");
    const auto path = folder + "/run/door";
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    path.copy(address.sun_path, sizeof address.sun_path - 1);
    EXPECT_EQ(::bind(listener_, reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
    EXPECT_EQ(::listen(listener_, 10), 0);
    thread_ = std::thread([this] { accept_all(); });
  }
  ~FalseDoor() {
    ::eventfd_write(stop_, 1);
    thread_.join();
    for (auto& each : connections_) each.join();
    ::close(listener_);
    ::close(stop_);
  }
  FalseDoor(const FalseDoor&) = delete;
  FalseDoor& operator=(const FalseDoor&) = delete;

  int connections() const { return count_; }
  /// Until the client closes it or the door is closed; what comes is not read.
  void wait_for_end(int socket) const {
    pollfd files[]{{socket, POLLRDHUP, 0}, {stop_, POLLIN, 0}};
    ::poll(files, 2, -1);
  }

private:
  void accept_all() {
    for (;;) {
      pollfd files[]{{listener_, POLLIN, 0}, {stop_, POLLIN, 0}};
      ::poll(files, 2, -1);
      if (files[1].revents) return;
      const int socket = ::accept(listener_, nullptr, nullptr);
      ++count_;
      connections_.emplace_back([this, socket] {
        serve_(*this, socket);
        ::close(socket);
      });
    }
  }

  Serve serve_;
  int listener_ = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  int stop_ = ::eventfd(0, EFD_CLOEXEC);
  std::atomic<int> count_ = 0;
  std::vector<std::thread> connections_;
  std::thread thread_;
};

void say(int socket, const std::string& bytes) {
  ::send(socket, bytes.data(), bytes.size(), MSG_NOSIGNAL);
}

std::string frame_of(door::ReplyBody body, bool done = true) {
  return door::framed(encode(door::Reply{done, std::move(body)}));
}

// The next request; nothing at the end.
std::optional<door::Request> hear(int socket) {
  door::FrameHead head;
  if (::recv(socket, head.data(), head.size(), MSG_WAITALL) != static_cast<ssize_t>(head.size()))
    return std::nullopt;
  std::string content(door::frame_length({head.data(), head.size()}), '\0');
  ::recv(socket, content.data(), content.size(), MSG_WAITALL);
  return *decode<door::Request>(content);
}

class GivenADoor : public ::testing::Test {
public:
  const std::string folder = [] {
    std::string name = std::filesystem::temp_directory_path() / "almanac-client-XXXXXX";
    return std::string(::mkdtemp(name.data()));
  }();
  std::unique_ptr<FalseDoor> door;

  ~GivenADoor() override {
    door = nullptr;
    std::filesystem::remove_all(folder);
  }

  void serve(FalseDoor::Serve serve) { door = std::make_unique<FalseDoor>(folder, serve); }
  Client client(std::chrono::milliseconds patience = 300ms, int cancel = -1) const {
    ClientOptions options;
    options.directory = folder, options.patience = patience, options.cancel = cancel;
    return Client(options);
  }
  // What a call ended with, and that it did so in time.
  CallError failure(Client client) const {
    const auto begin = std::chrono::steady_clock::now();
    const auto called = client.ask(door::GetReservations{});
    EXPECT_LT(std::chrono::steady_clock::now() - begin, 5s);
    EXPECT_FALSE(called.ok());
    return called ? CallError{} : called.error();
  }
  void expect(CallFailure expected, const std::string& why) const {
    const auto found = failure(client());
    EXPECT_EQ(found.failure, expected) << found.why;
    EXPECT_NE(found.why.find(why), std::string::npos) << found.why;
    EXPECT_EQ(found.request_id.size(), 32u);
  }
};

} // namespace

TEST_F(GivenADoor, WhenThereIsNoneThenNothingWasSent) {
  expect(CallFailure::unreached, "there is no door in " + folder);
}

TEST_F(GivenADoor, WhenNobodyListensThenItIsTriedForAsLongAsPatienceLasts) {
  serve([](auto&, int) {});
  door = nullptr;
  const auto begin = std::chrono::steady_clock::now();
  expect(CallFailure::unreached, "can't reach the door " + folder);
  EXPECT_GE(std::chrono::steady_clock::now() - begin, 300ms);
}

TEST_F(GivenADoor, WhenNobodyTakesConnectionsThenTheCallEnds) {
  // Nobody accepts, and the queue is full: to connect would wait for ever.
  std::filesystem::create_directories(folder + "/run");
  const auto path = folder + "/run/door";
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  path.copy(address.sun_path, sizeof address.sun_path - 1);
  const int listener = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  ASSERT_EQ(::bind(listener, reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
  ASSERT_EQ(::listen(listener, 0), 0);
  const int first = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  ASSERT_EQ(::connect(first, reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
  expect(CallFailure::unreached, "timed out");
  ::close(first);
  ::close(listener);
}

TEST_F(GivenADoor, WhenItNeverAnswersThenTheOutcomeIsUnknown) {
  serve([](auto& door, int socket) { door.wait_for_end(socket); });
  expect(CallFailure::unknown, "the door does not answer");
  EXPECT_EQ(door->connections(), 1); // silence is not asked again
}

TEST_F(GivenADoor, WhenItAnswersHalfAFrameThenTheOutcomeIsUnknown) {
  serve([](auto& door, int socket) {
    const auto frame = frame_of(door::Reservations{});
    say(socket, frame.substr(0, frame.size() / 2));
    door.wait_for_end(socket);
  });
  expect(CallFailure::unknown, "the door does not answer");
}

TEST_F(GivenADoor, WhenAFrameComesByteByByteThenThereIsAnEndToIt) {
  serve([&](auto&, int socket) {
    say(socket, std::string(door::frame_head(1000).data(), 4));
    for (int i = 0; i < 30; ++i) {
      say(socket, "x");
      std::this_thread::sleep_for(50ms);
    }
  });
  expect(CallFailure::unknown, "the door does not answer");
}

TEST_F(GivenADoor, WhenItAnswersGarbageThenTheReasonSaysSo) {
  serve([](auto& door, int socket) {
    say(socket, door::framed("garbage that is no message"));
    door.wait_for_end(socket);
  });
  expect(CallFailure::unknown, "the answer can't be read");
}

TEST_F(GivenADoor, WhenTheLengthOfAFrameIsSenselessThenTheReasonSaysSo) {
  serve([](auto& door, int socket) {
    say(socket, "\xff\xff\xff\xffxxxx");
    door.wait_for_end(socket);
  });
  expect(CallFailure::unknown, "what the door sent is not an answer");
}

TEST_F(GivenADoor, WhenItClosesThenItIsAskedAgainWithTheSameId) {
  std::vector<std::string> ids;
  std::mutex mutex;
  serve([&](auto&, int socket) {
    if (const auto request = hear(socket)) {
      const std::lock_guard lock(mutex);
      ids.push_back(request->id);
    }
  });
  expect(CallFailure::unknown, "closed the connection");
  const std::lock_guard lock(mutex);
  ASSERT_GT(ids.size(), 1u);
  EXPECT_EQ(ids.front(), ids.back());
}

TEST_F(GivenADoor, WhenItIsBusyAtFirstThenTheAnswerComesInTheEnd) {
  std::atomic<int> requests = 0;
  serve([&](auto&, int socket) {
    while (hear(socket))
      say(socket, ++requests < 3 ? frame_of(door::Busy{10}) : frame_of(door::Reservations{}));
  });
  EXPECT_TRUE(client(5s).ask(door::GetReservations{}).ok());
  EXPECT_EQ(requests, 3);
}

TEST_F(GivenADoor, WhenTheMasterRefusesThenTheAnswerIsThere) {
  serve([&](auto&, int socket) {
    while (hear(socket)) say(socket, frame_of(Answer::refusal("denied: no")));
  });
  const auto found = failure(client());
  EXPECT_EQ(found.failure, CallFailure::refused);
  EXPECT_EQ(found.answer.exit_code, 1);
  auto change = client();
  const auto answer = change.run(DeleteJobs{{"1"}, {}, {}, false});
  ASSERT_TRUE(answer.ok());
  EXPECT_EQ((*answer).exit_code, 1);
}

TEST_F(GivenADoor, WhenAnAnswerHasManyFramesThenEachMayTakeItsTime) {
  serve([&](auto&, int socket) {
    if (!hear(socket)) return;
    for (int i = 0; i < 5; ++i) {
      std::this_thread::sleep_for(150ms);
      say(socket, frame_of(door::Reservations{}, i == 4));
    }
  });
  auto one = client(400ms);
  const auto frames = one.ask(door::GetReservations{});
  ASSERT_TRUE(frames.ok());
  EXPECT_EQ((*frames).size(), 5u);
}

TEST_F(GivenADoor, WhenAnAnswerBreaksOffThenNoFrameIsHandedOverTwice) {
  std::atomic<int> connections = 0;
  serve([&](auto&, int socket) {
    if (!hear(socket)) return;
    say(socket, frame_of(door::Reservations{}, false));
    if (++connections > 1) say(socket, frame_of(door::Reservations{}));
  });
  auto one = client(5s);
  int frames = 0;
  EXPECT_TRUE(one.call(door::GetReservations{}, [&](door::ReplyBody&) { ++frames; }).ok());
  EXPECT_EQ(frames, 2);
  EXPECT_EQ(connections, 2);
}

TEST_F(GivenADoor, WhenTheCallerCancelsThenACallForEverEnds) {
  serve([](auto& door, int socket) { door.wait_for_end(socket); });
  const int cancel = ::eventfd(0, EFD_CLOEXEC);
  std::thread later([&] {
    std::this_thread::sleep_for(100ms);
    ::eventfd_write(cancel, 1);
  });
  auto one = client(300ms, cancel);
  const auto called = one.ask(door::AwaitJob{{1}}, Client::forever);
  later.join();
  ASSERT_FALSE(called.ok());
  EXPECT_EQ(called.error().failure, CallFailure::cancelled);
  ::close(cancel);
}

TEST_F(GivenADoor, WhenARequestIsTooLargeThenNothingIsSent) {
  serve([](auto& door, int socket) { door.wait_for_end(socket); });
  JobRequest job;
  job.script.content.assign(2 << 20, 'x');
  auto one = client();
  const auto called = one.run(Submit{job, "", 0});
  ASSERT_FALSE(called.ok());
  EXPECT_EQ(called.error().failure, CallFailure::invalid);
  EXPECT_EQ(door->connections(), 0);
}

TEST_F(GivenADoor, WhenItTakesNoMoreOfARequestThenTheCallEnds) {
  serve([](auto& door, int socket) { door.wait_for_end(socket); });
  JobRequest job;
  job.script.content.assign(900 << 10, 'x'); // more than a socket holds
  auto one = client();
  const auto called = one.run(Submit{job, "", 0});
  ASSERT_FALSE(called.ok());
  EXPECT_EQ(called.error().failure, CallFailure::unknown);
}

TEST_F(GivenADoor, WhenSeveralThreadsHaveClientsThenEachGetsItsOwnAnswer) {
  serve([&](auto&, int socket) {
    while (const auto request = hear(socket)) {
      Answer answer;
      answer.number = std::get<door::AskWhy>(request->body).job.value;
      say(socket, frame_of(answer));
    }
  });
  std::vector<std::thread> threads;
  std::atomic<int> right = 0;
  for (int thread = 0; thread < 8; ++thread)
    threads.emplace_back([&, thread] {
      auto own = client(5s);
      for (int i = 0; i < 50; ++i) {
        const auto number = thread * 1000 + i;
        const auto answers = own.ask(door::AskWhy{{number}, false});
        if (answers && (*answers).front().number == number) ++right;
      }
    });
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(right, 400);
}

TEST(GivenAnEnvironment, WhenItIsReadThenWhatIsWrongIsNamed) {
  const auto options = client_options({{"ALMANAC_DIR", "/cell"}, {"ALMANAC_DEADLINE", "7"}});
  ASSERT_TRUE(options.ok());
  EXPECT_EQ(options->directory, "/cell");
  EXPECT_EQ(options->patience, 7s);
  EXPECT_EQ(client_options({})->directory, "/var/lib/almanac");
  EXPECT_EQ(client_options({{"SGE_ROOT", "/nosuch"}})->directory, "/nosuch");
  for (const char* wrong : {"", "0", "-1", "soon", "1000000001"})
    EXPECT_NE(client_options({{"ALMANAC_DEADLINE", wrong}}).what().find("ALMANAC_DEADLINE"),
              std::string::npos);
}

// ---- what changes -------------------------------------------------------------------------------

namespace {

door::Changes changes_of(std::int64_t first, std::int64_t last) {
  door::Changes frame;
  for (auto sequence = first; sequence <= last; ++sequence)
    frame.changes.emplace_back().sequence = sequence;
  frame.cursor = "5-" + std::to_string(last);
  return frame;
}

// Hears some, and then no more.
class Listener {
public:
  explicit Listener(std::size_t most) : most_(most) {}
  Client::OnChanges take() {
    return [this](door::Changes& frame) {
      for (const auto& change : frame.changes) heard.push_back(change.sequence);
      return heard.size() < most_;
    };
  }
  std::vector<std::int64_t> heard;

private:
  std::size_t most_;
};

using Numbers = std::vector<std::int64_t>;

} // namespace

TEST_F(GivenADoor, WhenTheRowOfChangesBreaksOffThenItGoesOnBehindItsCursorAndNothingComesTwice) {
  std::vector<std::string> cursors;
  std::mutex mutex;
  serve([&](auto& door, int socket) {
    const auto request = hear(socket);
    if (!request) return;
    const auto after = std::get<door::Subscribe>(request->body).after;
    {
      const std::lock_guard lock(mutex);
      cursors.push_back(after);
    }
    if (after.empty()) say(socket, frame_of(changes_of(1, 3), false));
    else {
      say(socket, frame_of(changes_of(2, 5), false)); // some of it was heard already
      door.wait_for_end(socket);
    }
  });
  Listener listener(5);
  auto one = client(5s);
  const auto end = one.follow({}, listener.take());
  ASSERT_TRUE(end.ok()) << end.error().why;
  EXPECT_EQ(*end, StreamEnd::stopped);
  EXPECT_EQ(listener.heard, (Numbers{1, 2, 3, 4, 5}));
  const std::lock_guard lock(mutex);
  EXPECT_EQ(cursors, (std::vector<std::string>{"", "5-3"}));
}

TEST_F(GivenADoor, WhenWhatComesNextIsNotKeptThenTheRowEndsAndSaysSo) {
  serve([&](auto&, int socket) {
    if (!hear(socket)) return;
    door::Changes gone;
    gone.gone = true;
    say(socket, frame_of(changes_of(1, 1), false));
    say(socket, frame_of(gone));
  });
  Listener listener(100);
  auto one = client(5s);
  const auto end = one.follow({}, listener.take());
  ASSERT_TRUE(end.ok()) << end.error().why;
  EXPECT_EQ(*end, StreamEnd::gone);
  EXPECT_EQ(listener.heard, Numbers{1});
}

TEST_F(GivenADoor, WhenNobodyIsToWaitForMoreThenTheRowEndsWithWhatThereIs) {
  serve([&](auto&, int socket) {
    while (hear(socket)) say(socket, frame_of(changes_of(1, 2)));
  });
  Listener listener(100);
  door::Subscribe wanted;
  wanted.once = true;
  auto one = client(5s);
  const auto end = one.follow(wanted, listener.take());
  ASSERT_TRUE(end.ok()) << end.error().why;
  EXPECT_EQ(*end, StreamEnd::over);
  EXPECT_EQ(listener.heard, (Numbers{1, 2}));
}

TEST_F(GivenADoor, WhenTheDoorDoesNotWaitThenItIsAskedAgainBehindTheCursor) {
  std::atomic<std::int64_t> asked = 0;
  serve([&](auto&, int socket) {
    while (hear(socket)) {
      ++asked;
      say(socket, frame_of(changes_of(asked, asked)));
    }
  });
  Listener listener(2);
  auto one = client(5s);
  const auto end = one.follow({}, listener.take());
  ASSERT_TRUE(end.ok()) << end.error().why;
  EXPECT_EQ(listener.heard, (Numbers{1, 2}));
}

TEST_F(GivenADoor, WhenTheMasterRefusesASubscriptionThenTheAnswerIsThere) {
  serve([&](auto&, int socket) {
    while (hear(socket)) say(socket, frame_of(Answer::refusal("denied: no")));
  });
  Listener listener(1);
  auto one = client(5s);
  const auto end = one.follow({}, listener.take());
  ASSERT_FALSE(end.ok());
  EXPECT_EQ(end.error().failure, CallFailure::refused);
  EXPECT_EQ(end.error().answer.exit_code, 1);
}

TEST_F(GivenADoor, WhenNoDoorIsReachedAnyMoreThenTheRowFailsInTime) {
  serve([&](auto&, int socket) {
    if (hear(socket)) say(socket, frame_of(changes_of(1, 1), false));
  });
  Listener listener(100);
  const auto begin = std::chrono::steady_clock::now();
  auto one = client(300ms);
  std::thread closing([&] {
    std::this_thread::sleep_for(200ms);
    door = nullptr;
  });
  const auto end = one.follow({}, listener.take());
  closing.join();
  ASSERT_FALSE(end.ok());
  EXPECT_EQ(end.error().failure, CallFailure::unreached);
  EXPECT_EQ(listener.heard, Numbers{1});
  EXPECT_LT(std::chrono::steady_clock::now() - begin, 5s);
}
