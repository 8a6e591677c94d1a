#include "tools/gmeta_port/askers.hpp"

#include "core/answer/ggf.hpp"
#include "tools/output/escape.hpp"

#include <ctime>
#include <exception>
#include <sstream>
#include <sys/eventfd.h>
#include <unistd.h>
#include <utility>

namespace almanac {

namespace {

constexpr std::int64_t internal = -61;

// A client as commands see it. What is said of failures goes nowhere: lines have status codes.
class PortDoor : public Door {
public:
  explicit PortDoor(ClientOptions options) : client_(std::move(options)) {}
  Outcome call(door::RequestBody body, const OnFrame& on_frame) override {
    const auto called = client_.call(std::move(body), [&](door::ReplyBody& frame) {
      escape(frame);
      on_frame(frame);
    });
    if (!called) return Error{called.error().why};
    return Done{};
  }

private:
  Client client_;
};

// Of a command: nothing is read there, and nobody looks at what is written.
struct Streams {
  std::istringstream in;
  std::ostringstream out, err;
};

Context context_for(Door& door, Streams& streams, const std::string& directory) {
  return {"almanac-gmeta",
          {},
          streams.in,
          streams.out,
          streams.err,
          door,
          "",
          "/",
          {{"ALMANAC_DIR", directory}},
          [] { return Instant{std::time(nullptr)}; },
          [](const std::string&) { return std::nullopt; },
          [](const std::string&) { return 1; }};
}

} // namespace

Askers::Askers(std::size_t count, ClientOptions options, std::string directory, int bell)
    : directory_(std::move(directory)), bell_(bell), stop_(::eventfd(0, EFD_CLOEXEC)) {
  options.cancel = stop_;
  for (std::size_t i = 0; i < count; ++i) threads_.emplace_back([this, options] { run(options); });
}

Askers::~Askers() {
  {
    const std::lock_guard lock(mutex_);
    ends_ = true;
  }
  ::eventfd_write(stop_, 1);
  changed_.notify_all();
  for (auto& thread : threads_) thread.join();
  ::close(stop_);
}

void Askers::ask(Question question) {
  {
    const std::lock_guard lock(mutex_);
    questions_.push_back(std::move(question));
  }
  ++asked_;
  changed_.notify_one();
}

std::vector<Askers::Reply> Askers::take() {
  const std::lock_guard lock(mutex_);
  asked_ -= replies_.size();
  return std::exchange(replies_, {});
}

std::optional<Askers::Question> Askers::wait_for_question() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return ends_ || !questions_.empty(); });
  if (ends_) return std::nullopt;
  auto question = std::move(questions_.front());
  questions_.pop_front();
  return question;
}

void Askers::run(ClientOptions options) {
  PortDoor door(std::move(options));
  Streams streams;
  auto context = context_for(door, streams, directory_);
  while (const auto question = wait_for_question()) {
    Reply reply{question->connection, question->number, {}};
    try {
      reply.lines = answer_line(context, question->line, "", question->from).lines;
    } catch (const std::exception&) {
      reply.lines = {ggf::answer_line(internal, {{"MSG", ggf::status(internal).message}})};
    }
    const std::lock_guard lock(mutex_);
    replies_.push_back(std::move(reply));
    ::eventfd_write(bell_, 1);
  }
}

} // namespace almanac
