#include "tools/coallocate/program_site.hpp"

#include "actors/process/child_program.hpp"
#include "core/text/words.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <optional>
#include <sys/wait.h>
#include <utility>

extern char** environ;

namespace almanac {

namespace {

constexpr std::size_t read_at_once = 16 << 10;

// As execvp() does.
std::string path_of(const std::string& name) {
  if (name.find('/') != std::string::npos) return name;
  const char* const path = std::getenv("PATH");
  for (const auto& folder : split(path ? path : "/usr/bin:/bin", ':'))
    if (const auto file = (folder.empty() ? "." : folder) + "/" + name;
        ::access(file.c_str(), X_OK) == 0)
      return file;
  return name;
}

// What is said for this site replaces what this process has.
std::vector<Attribute> environment_of(const SitePlace& place) {
  std::vector<Attribute> result;
  for (char** line = environ; *line; ++line) {
    const std::string text = *line;
    const auto equals = text.find('=');
    if (equals == std::string::npos) continue;
    const auto name = text.substr(0, equals);
    const auto is_same = [&](const Attribute& one) { return one.name == name; };
    if (std::none_of(place.environment.begin(), place.environment.end(), is_same))
      result.push_back({name, text.substr(equals + 1)});
  }
  result.insert(result.end(), place.environment.begin(), place.environment.end());
  return result;
}

// Those that have not been reaped. One that the kernel holds up, with a file system that does not
// answer, does not end at once: other sites do not wait for it.
std::vector<pid_t>& killed_programs() {
  static std::vector<pid_t> programs;
  return programs;
}
void reap_killed() {
  std::erase_if(killed_programs(),
                [](pid_t program) { return ::waitpid(program, nullptr, WNOHANG) != 0; });
}

class ProgramSite final : public SiteWay {
public:
  ProgramSite(pid_t process, Descriptor input, Descriptor output)
      : process_(process), input_(std::move(input)), output_(std::move(output)) {}

  ~ProgramSite() override {
    ::kill(-process_, SIGKILL);
    killed_programs().push_back(process_);
    reap_killed();
  }

  void send(const std::string& line) override { unsent_ += line + "\n"; }

  std::vector<pollfd> waits_for() const override {
    std::vector<pollfd> result{{*output_, POLLIN, 0}};
    if (!unsent_.empty()) result.push_back({*input_, POLLOUT, 0});
    return result;
  }

  Result<std::vector<std::string>> work() override {
    while (!unsent_.empty()) {
      const auto count = ::write(*input_, unsent_.data(), unsent_.size());
      if (count > 0) unsent_.erase(0, static_cast<std::size_t>(count));
      else if (errno == EAGAIN) break;
      else if (errno != EINTR) return Error{"its program has ended"};
    }
    std::array<char, read_at_once> bytes{};
    const auto count = ::read(*output_, bytes.data(), bytes.size());
    if (count > 0) return cutter_.take({bytes.data(), static_cast<std::size_t>(count)});
    if (count < 0 && (errno == EAGAIN || errno == EINTR)) return std::vector<std::string>{};
    return Error{"its program has ended"};
  }

  void ask_to_end() override { ::kill(-process_, SIGTERM); }

  // It stays to be waited for, so that its number is nobody else's.
  bool has_ended() const override {
    siginfo_t end{};
    const auto id = static_cast<id_t>(process_);
    return ::waitid(P_PID, id, &end, WEXITED | WNOHANG | WNOWAIT) != 0 || end.si_pid == process_;
  }

private:
  pid_t process_;
  Descriptor input_, output_;
  std::string unsent_;
  LineCutter cutter_;
};

} // namespace

Result<std::unique_ptr<SiteWay>> open_program_site(const SitePlace& place) {
  reap_killed();
  auto input = new_pipe(), output = new_pipe();
  if (!input || !output) return Error{std::strerror(errno)};
  // The ends of this process wait for nobody; those of the program are as usual.
  ::fcntl(*input->reads, F_SETFL, 0);
  ::fcntl(*input->writes, F_SETFL, O_NONBLOCK);
  ProgramStart start;
  start.words = place.command;
  start.words.front() = path_of(start.words.front());
  start.environment = environment_of(place);
  start.input = *input->reads, start.output = *output->writes, start.errors = STDERR_FILENO;
  const auto process = start_program(start);
  if (!process) return process.error();
  return std::unique_ptr<SiteWay>(
      std::make_unique<ProgramSite>(*process, std::move(input->writes), std::move(output->reads)));
}

} // namespace almanac
