#include "master/site_program.hpp"

#include "core/base/result.hpp"

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <linux/close_range.h>
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

// A descriptor that is closed.
class Descriptor {
public:
  explicit Descriptor(int number = -1) : number_(number) {}
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  ~Descriptor() { close(); }
  int operator*() const { return number_; }
  void close() {
    if (number_ >= 0) ::close(std::exchange(number_, -1));
  }

private:
  int number_;
};

// A file without a name: the program reads it as fast as it likes, and nobody waits for a pipe.
Descriptor file_of(const std::string& text) {
  Descriptor file(::memfd_create("almanac-input", MFD_CLOEXEC));
  if (*file >= 0 && ::write(*file, text.data(), text.size()) == static_cast<ssize_t>(text.size()) &&
      ::lseek(*file, 0, SEEK_SET) == 0)
    return file;
  return Descriptor();
}

// What users wrote is among the words of a mailer, and there have been mailers that take some words
// for commands: where the daemon is root it is nobody.
struct RunUser {
  uid_t uid = ::geteuid();
  gid_t gid = ::getegid();
  bool is_other = false;
};
RunUser user_of(const SiteProgram& program) {
  if (!program.as_nobody || ::geteuid() != 0) return {};
  constexpr unsigned nobody = 65534; // on every Linux, whatever its name
  return {nobody, nobody, true};
}

// In the child, between fork and exec: system calls alone, since other threads hold locks here.
bool become(const RunUser& user) {
  return !user.is_other || (::syscall(SYS_setgroups, 0, nullptr) == 0 &&
                            ::syscall(SYS_setresgid, user.gid, user.gid, user.gid) == 0 &&
                            ::syscall(SYS_setresuid, user.uid, user.uid, user.uid) == 0);
}

struct Child {
  std::vector<char*> words, environment;
  RunUser user;
  int input, output, errors, report;
};

[[noreturn]] void run(const Child& child) {
  sigset_t none;
  sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  ::setpgid(0, 0);
  if (::dup2(child.input, 0) == 0 && ::dup2(child.output, 1) == 1 && ::dup2(child.errors, 2) == 2 &&
      ::close_range(3, ~0U, CLOSE_RANGE_CLOEXEC) == 0 && become(child.user))
    ::execve(child.words[0], child.words.data(), child.environment.data());
  const int code = errno;
  ::_exit(::write(child.report, &code, sizeof code) == sizeof code ? 127 : 126);
}

std::vector<char*> pointers_to(std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  for (auto& text : texts) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  return pointers;
}

std::vector<std::string> environment_of(const SiteProgram& program) {
  std::vector<std::string> lines;
  if (!program.environment)
    for (char** line = environ; *line; ++line) lines.emplace_back(*line);
  else
    for (const auto& [name, value] : *program.environment) lines.push_back(name + "=" + value);
  return lines;
}

// Its process; what kept it from being is told through a pipe that exec closes.
Result<pid_t> start(const SiteProgram& program, int input, int output, int errors) {
  int report[2];
  if (::pipe2(report, O_CLOEXEC) != 0) return problem(program.words.front(), errno);
  Descriptor read_end(report[0]), write_end(report[1]);
  auto words = program.words;
  auto environment = environment_of(program);
  const Child child{
      pointers_to(words), pointers_to(environment), user_of(program), input, output, errors,
      report[1]};
  const pid_t pid = ::fork();
  if (pid == 0) run(child);
  int code = pid < 0 ? errno : 0;
  write_end.close();
  if (pid > 0 && ::read(*read_end, &code, sizeof code) == sizeof code) ::waitpid(pid, nullptr, 0);
  if (code != 0) return problem(program.words.front(), code);
  return pid;
}

// ---- while it runs ------------------------------------------------------------------------------

struct Pipe {
  Descriptor reads, writes;
};
std::optional<Pipe> new_pipe() {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return std::nullopt;
  ::fcntl(ends[0], F_SETFL, O_NONBLOCK);
  return Pipe{Descriptor(ends[0]), Descriptor(ends[1])};
}

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
  auto child = start(program, *input, *output->writes, *errors->writes);
  output->writes.close(), errors->writes.close();
  if (!child) return {child.what(), "", ""};
  return await(program, *child,
               Streams(std::move(output->reads), std::move(errors->reads), program.most_output));
}

} // namespace almanac
