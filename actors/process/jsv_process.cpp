#include "actors/process/jsv_process.hpp"

#include "core/text/names.hpp"
#include "core/text/words.hpp"

#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>

namespace almanac {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t most_complaints = 400;
constexpr int after_quit_ms = 500;

int left_until(Clock::time_point end) {
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(end - Clock::now()).count();
  return left < 0 ? 0 : static_cast<int>(left);
}

} // namespace

// Its input is a socket: writing to one whose reader is gone can be done without a signal.
Result<JsvProcess> JsvProcess::start(ProgramStart program) {
  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
    return Error{std::strerror(errno)};
  Descriptor ours(ends[0]), theirs(ends[1]);
  ::fcntl(*ours, F_SETFL, O_NONBLOCK);
  auto output = new_pipe(), errors = new_pipe();
  if (!output || !errors) return Error{std::strerror(errno)};
  program.input = *theirs, program.output = *output->writes, program.errors = *errors->writes;
  const auto child = start_program(program);
  if (!child) return child.error();
  return JsvProcess(*child, std::move(ours), std::move(output->reads), std::move(errors->reads));
}

JsvProcess::JsvProcess(pid_t child, Descriptor input, Descriptor output, Descriptor errors)
    : child_(child),
      process_(static_cast<int>(::syscall(SYS_pidfd_open, child, 0))),
      input_(std::move(input)),
      output_(std::move(output)),
      errors_(std::move(errors)) {}

JsvProcess::~JsvProcess() {
  if (*output_ < 0) return; // it was moved from
  if (is_broken_ || !ends_by_itself()) ::kill(-child_, SIGKILL), ::kill(child_, SIGKILL);
  int status = 0;
  while (::waitpid(child_, &status, 0) < 0 && errno == EINTR) {
  }
  ::kill(-child_, SIGKILL); // what it has left behind
}

bool JsvProcess::ends_by_itself() {
  const auto quit = JsvDialogue::parting();
  if (::send(*input_, quit.data(), quit.size(), MSG_NOSIGNAL) < 0 && errno != EPIPE) return false;
  input_.close();
  pollfd ended{*process_, POLLIN, 0};
  return *process_ >= 0 && ::poll(&ended, 1, after_quit_ms) > 0;
}

Outcome JsvProcess::ask(JsvDialogue& dialogue, std::chrono::milliseconds patience) {
  const auto end = Clock::now() + patience;
  const auto fails = [this](std::string what) { return is_broken_ = true, with_errors(what); };
  complaints_.clear(), to_write_ = JsvDialogue::opening();
  if (!heard_.empty()) return fails("it went on writing after its result");
  while (!dialogue.is_over()) {
    const auto writes = static_cast<short>(to_write_.empty() ? 0 : POLLOUT);
    pollfd events[]{{*output_, POLLIN, 0}, {*errors_, POLLIN, 0}, {*input_, writes, 0}};
    const int ready = ::poll(events, to_write_.empty() ? 2 : 3, left_until(end));
    if (ready < 0 && errno != EINTR) return fails(std::strerror(errno));
    if (ready > 0 && events[1].revents != 0) take_errors();
    if (ready > 0 && events[0].revents != 0)
      if (auto taken = take_output(dialogue); !taken) return fails(taken.what());
    if (ready > 0 && events[2].revents != 0 && !write_some())
      to_write_.clear(); // it reads no more: it may still say why
    if (left_until(end) == 0 && !dialogue.is_over())
      return fails("it gave no result within " + std::to_string(patience.count() / 1000) + " s");
  }
  return Done{};
}

bool JsvProcess::write_some() {
  const auto sent = ::send(*input_, to_write_.data(), to_write_.size(), MSG_NOSIGNAL);
  if (sent < 0) return errno == EAGAIN || errno == EINTR;
  to_write_.erase(0, static_cast<std::size_t>(sent));
  return true;
}

// A piece of what there is: who writes without end is not read without a look at the clock.
Outcome JsvProcess::take_output(JsvDialogue& dialogue) {
  char piece[16 * 1024];
  const auto got = ::read(*output_, piece, sizeof piece);
  if (got < 0) return errno == EAGAIN || errno == EINTR ? Outcome(Done{}) : Error{"it is gone"};
  if (got == 0) return take_errors(), Error{"it ended without a result"};
  heard_.append(piece, static_cast<std::size_t>(got));
  return hear_lines(dialogue);
}

// What follows the result is nobody's.
Outcome JsvProcess::hear_lines(JsvDialogue& dialogue) {
  std::size_t at = 0;
  while (!dialogue.is_over()) {
    const auto end = heard_.find('\n', at);
    const bool is_whole = end != std::string::npos;
    if (!is_whole && heard_.size() - at <= JsvDialogue::longest_line) break;
    auto answer = dialogue.hear(
        std::string_view(heard_).substr(at, is_whole ? end - at : std::string_view::npos));
    if (!answer) return answer.error();
    to_write_ += *answer;
    at = is_whole ? end + 1 : heard_.size();
  }
  heard_.erase(0, at);
  return Done{};
}

// It is read on, so that it does not wait for us; the beginning is kept.
void JsvProcess::take_errors() {
  char piece[4096];
  const auto got = ::read(*errors_, piece, sizeof piece);
  if (got == 0) return errors_.close(); // it has closed them: nobody looks at them any more
  if (got < 0 || complaints_.size() >= most_complaints) return;
  complaints_.append(piece,
                     std::min(static_cast<std::size_t>(got), most_complaints - complaints_.size()));
}

Error JsvProcess::with_errors(std::string what) const {
  const auto said = trim(complaints_);
  return {said.empty() ? std::move(what) : what + " (" + excerpt(said, most_complaints) + ")"};
}

} // namespace almanac
