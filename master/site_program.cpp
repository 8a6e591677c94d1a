#include "master/site_program.hpp"

#include "actors/process/child_program.hpp"
#include "core/base/result.hpp"

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <poll.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

namespace almanac {

namespace {

constexpr int after_terminate_ms = 5'000;

Error problem(const std::string& program, int code) {
  return {program + ": " + std::strerror(code)};
}

// A file without a name: the program reads it as fast as it likes, and nobody waits for a pipe.
Descriptor file_of(const std::string& text) {
  Descriptor file(::memfd_create("almanac-input", MFD_CLOEXEC));
  if (*file >= 0 && ::write(*file, text.data(), text.size()) == static_cast<ssize_t>(text.size()) &&
      ::lseek(*file, 0, SEEK_SET) == 0)
    return file;
  return Descriptor();
}

// ---- while it runs ------------------------------------------------------------------------------

// What it writes, on both streams together and on standard error.
class Streams {
public:
  Streams(Descriptor output, Descriptor errors, std::size_t most)
      : output_(std::move(output)), errors_(std::move(errors)), most_(most) {}

  std::array<pollfd, 2> events() const { return {{{*output_, POLLIN, 0}, {*errors_, POLLIN, 0}}}; }
  void take() {
    take(output_, {});
    take(errors_, &written_on_errors_);
  }
  SiteProgramEnd end() { return {"", std::move(written_), std::move(written_on_errors_)}; }

private:
  // What there is, or a part of it: who writes without end is not read without end. A stream without
  // a writer is closed.
  void take(Descriptor& from, std::string* also) {
    char piece[4096];
    for (int pieces = 0; *from >= 0 && pieces < 64; ++pieces) {
      const auto got = ::read(*from, piece, sizeof piece);
      if (got < 0 && errno == EINTR) continue;
      if (got < 0 && errno == EAGAIN) return;
      if (got <= 0) return from.close();
      const auto size = std::min(static_cast<std::size_t>(got), most_ - written_.size());
      written_.append(piece, size);
      if (also) also->append(piece, size);
    }
  }

  Descriptor output_, errors_;
  std::size_t most_;
  std::string written_, written_on_errors_;
};

using Clock = std::chrono::steady_clock;

int left_until(Clock::time_point end) {
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(end - Clock::now()).count();
  return left < 0 ? 0 : static_cast<int>(left);
}

// True once the process has ended before `end`. Those that it has started may go on.
bool watch(int process, Streams& streams, Clock::time_point end) {
  for (;;) {
    const auto [output, errors] = streams.events();
    pollfd events[]{{process, POLLIN, 0}, output, errors};
    const int ready = ::poll(events, 3, left_until(end));
    if (ready < 0 && errno != EINTR) return false;
    if (events[1].revents != 0 || events[2].revents != 0) streams.take();
    if (ready > 0 && events[0].revents != 0) return true;
    if (left_until(end) == 0) return false;
  }
}

std::string failure_of(const std::string& program, int status, bool in_time) {
  if (!in_time) return program + " took too long";
  if (WIFSIGNALED(status))
    return program + " was ended by signal " + std::to_string(WTERMSIG(status));
  if (WEXITSTATUS(status) != 0)
    return program + " exited with " + std::to_string(WEXITSTATUS(status));
  return "";
}

// Waits for its end, and sees to it.
SiteProgramEnd await(const SiteProgram& program, pid_t child, Streams streams) {
  const Descriptor process(static_cast<int>(::syscall(SYS_pidfd_open, child, 0)));
  const auto until = [](int ms) { return Clock::now() + std::chrono::milliseconds(ms); };
  const auto look = [&](int ms) { return *process >= 0 && watch(*process, streams, until(ms)); };
  const bool in_time = look(program.patience_ms);
  if (!in_time) {
    ::kill(-child, SIGTERM);
    if (!look(after_terminate_ms)) ::kill(-child, SIGKILL);
  }
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  ::kill(-child, SIGKILL); // what it has left behind
  streams.take();
  auto end = streams.end();
  end.failure = failure_of(program.words.front(), status, in_time);
  return end;
}

} // namespace

SiteProgramEnd run_program(const SiteProgram& program) {
  const auto input = file_of(program.input);
  auto output = new_pipe(), errors = new_pipe();
  if (*input < 0 || !output || !errors) return {problem(program.words.front(), errno).what, "", ""};
  auto child = start_program({program.words, program.environment, program.as_nobody, 0, *input,
                              *output->writes, *errors->writes});
  output->writes.close(), errors->writes.close();
  if (!child) return {child.what(), "", ""};
  return await(program, *child,
               Streams(std::move(output->reads), std::move(errors->reads), program.most_output));
}

} // namespace almanac
