#include "tools/simulator/world/process_world.hpp"

#include "core/text/words.hpp"
#include "tools/commands/context.hpp"
#include "tools/commands/process_door.hpp"

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <ctime>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <functional>
#include <grp.h>
#include <pwd.h>
#include <sstream>
#include <sys/stat.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace almanac {

namespace {

constexpr auto patience = std::chrono::seconds(30);

pid_t spawn(const std::vector<std::string>& words, const std::string& user,
            const std::string& directory, int output) {
  const pid_t child = ::fork();
  if (child != 0) return child;
  const int null = ::open("/dev/null", O_RDONLY);
  ::dup2(null, 0);
  ::dup2(output, 1);
  ::dup2(output, 2);
  if (!user.empty()) {
    const auto* entry = ::getpwnam(user.c_str());
    if (!entry || ::initgroups(user.c_str(), entry->pw_gid) != 0 || ::setgid(entry->pw_gid) != 0 ||
        ::setuid(entry->pw_uid) != 0)
      ::_exit(126);
    ::setenv("HOME", entry->pw_dir, 1);
    ::setenv("USER", user.c_str(), 1);
    ::setenv("LOGNAME", user.c_str(), 1);
  }
  if (::chdir(directory.c_str()) != 0) ::_exit(126);
  std::vector<char*> arguments;
  for (const auto& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  ::execvp(arguments[0], arguments.data());
  ::_exit(127);
}

// An agent is two processes; its shepherds, which are the helper's children as well, go on.
void signal_daemon(pid_t pid, int signal) {
  ::kill(pid, signal);
  const auto base = "/proc/" + std::to_string(pid) + "/task/" + std::to_string(pid);
  std::ifstream children(base + "/children");
  for (pid_t child = 0; children >> child;) {
    std::string name;
    std::ifstream("/proc/" + std::to_string(child) + "/comm") >> name;
    if (name == "almanac-agent-s") ::kill(child, signal); // as long as the kernel keeps names
  }
}

bool wait_until(const std::function<bool()>& holds) {
  const auto end = std::chrono::steady_clock::now() + patience;
  while (std::chrono::steady_clock::now() < end) {
    if (holds()) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  return false;
}

} // namespace

ProcessWorld::ProcessWorld(std::string binaries, std::string owner)
    : binaries_(std::move(binaries)), owner_(std::move(owner)) {
  char folder[] = "/tmp/almanac-XXXXXX";
  check(::mkdtemp(folder) != nullptr, "a temporary folder can be made");
  directory_ = folder;
  ::chmod(folder, 0777 | S_ISVTX); // users write their output here
  const char* path = std::getenv("PATH");
  ::setenv("PATH", (binaries_ + ":" + (path ? path : "/usr/bin:/bin")).c_str(), 1);
  ::setenv("ALMANAC_DIR", (directory_ + "/cell").c_str(), 1);
}

ProcessWorld::~ProcessWorld() {
  end_all();
  end_leftovers();
  if (std::getenv("ALMANAC_KEEP")) return;
  std::error_code error;
  std::filesystem::remove_all(directory_, error);
}

std::string ProcessWorld::folder_of(const std::string& host) const {
  return directory_ + (host.empty() ? "/cell" : "/cell/agents/" + host);
}

Outcome ProcessWorld::start(const std::string& host) {
  const auto folder = folder_of(host);
  ::unlink((folder + "/run/ready").c_str());
  const int log = ::open((directory_ + "/daemons.log").c_str(),
                         O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
  daemons_[host] =
      spawn({binaries_ + (host.empty() ? "/almanac-master" : "/almanac-agent"), "--dir", folder},
            "", directory_, log);
  ::close(log);
  if (wait_until([&] { return ::access((folder + "/run/ready").c_str(), F_OK) == 0; }))
    return Done{};
  auto text = read_text_file(directory_ + "/daemons.log");
  return Error{(host.empty() ? "the master" : "agent " + host) + " did not start:\n" +
               (text ? *text : "")};
}

Outcome ProcessWorld::begin(const std::vector<std::string>& hosts, std::int64_t slots) {
  hosts_ = hosts;
  std::vector<std::string> init{"almanac-admin", "init", directory_ + "/cell"};
  if (!owner_.empty()) init.insert(init.end(), {"--user", owner_});
  if (auto made = run("", init); made.code != 0) return Error{made.text};
  if (auto started = start(""); !started) return started;
  // Several agents share this machine, whose load says nothing about any one of them.
  std::ofstream(directory_ + "/all.q") << "qname all.q\nload_thresholds NONE\n";
  if (auto set = run("", {"qconf", "-Mq", directory_ + "/all.q"}); set.code != 0)
    return Error{set.text};
  for (const auto& host : hosts) {
    if (auto added = run("", {"almanac-admin", "add-host", directory_ + "/cell", host, "--slots",
                              std::to_string(slots)});
        added.code != 0)
      return Error{added.text};
    if (auto started = start(host); !started) return started;
  }
  const bool registered = wait_until([&] {
    const auto queues = run("", {"qstat", "-f"}).text;
    return queues.find("-NA-") == std::string::npos;
  });
  if (!registered) return Error{"the agents did not register"};
  return Done{};
}

World::Output ProcessWorld::run(const std::string& user, const std::vector<std::string>& words) {
  int pipe[2];
  check(::pipe2(pipe, O_CLOEXEC) == 0, "a pipe can be made");
  const auto child = spawn(words, user, directory_, pipe[1]);
  ::close(pipe[1]);
  Output output;
  char buffer[4096];
  for (ssize_t size = 0; (size = ::read(pipe[0], buffer, sizeof buffer)) > 0;)
    output.text.append(buffer, static_cast<std::size_t>(size));
  ::close(pipe[0]);
  int status = 0;
  ::waitpid(child, &status, 0);
  output.code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return output;
}

World::Output ProcessWorld::perform(const std::string& user, CommandBody body) {
  if (!user.empty()) return {1, "only this process itself can ask for that\n"};
  ProcessDoor door({}, directory_ + "/cell");
  std::istringstream in;
  std::ostringstream out;
  Context context{
      "almanac-sim", {}, in, out, out, door, "", directory_, {}, [this] { return now(); }, {}, {}};
  const int code = run_command(context, std::move(body));
  return {code, out.str()};
}

// The master looks every five seconds.
Outcome ProcessWorld::put_site_file(const std::string& name, const std::string& text) {
  const auto path = directory_ + "/cell/root/default/common/" + name;
  ::unlink(path.c_str());
  if (!text.empty()) {
    std::ofstream out(path);
    out << text;
    if (!out) return Error{"can't write " + path};
    ::chmod(path.c_str(), 0644); // nobody else may write what the planner goes by
  }
  return Done{};
}

Outcome ProcessWorld::stage(const std::string& verb, const std::string& host) {
  const auto it = daemons_.find(host);
  const pid_t pid = it == daemons_.end() ? 0 : it->second;
  if (verb == "start") return start(host);
  if (pid <= 0) return Error{"there is no such daemon to " + verb};
  if (verb == "kill") {
    ::kill(pid, SIGKILL);
    ::waitpid(pid, nullptr, 0);
    daemons_.erase(host);
  } else if (verb == "stop") signal_daemon(pid, SIGSTOP);
  else if (verb == "continue") signal_daemon(pid, SIGCONT);
  else return Error{"\"" + verb + "\" is no stage direction"};
  return Done{};
}

Outcome ProcessWorld::mischief(const std::vector<std::string>&) {
  return Error{"nobody means harm to real processes here: tests/security does"};
}

void ProcessWorld::wait(Duration duration) {
  std::this_thread::sleep_for(std::chrono::seconds(duration.seconds));
}
Instant ProcessWorld::now() const { return {std::time(nullptr)}; }

void ProcessWorld::end_all() {
  for (const auto& [host, pid] : daemons_) {
    signal_daemon(pid, SIGCONT);
    ::kill(pid, SIGTERM);
  }
  for (const auto& [host, pid] : daemons_) ::waitpid(pid, nullptr, 0);
  daemons_.clear();
}

// After a failure shepherds and jobs may be left: they outlive their agents, and carry the folder's
// name.
void ProcessWorld::end_leftovers() const {
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator("/proc", error)) {
    const auto pid = std::atoi(entry.path().filename().c_str());
    if (pid <= 0 || pid == ::getpid()) continue;
    for (const char* file : {"/cmdline", "/environ"}) {
      auto text = read_text_file(entry.path().string() + file);
      if (text && text->find(directory_ + "/cell") != std::string::npos) ::kill(pid, SIGKILL);
    }
  }
}

Outcome ProcessWorld::finish() {
  if (hosts_.empty()) return Done{};
  if (daemons_.contains("")) {
    run("", {"qdel", "-u", "*"});
    wait_until([&] { return run("", {"qstat", "-u", "*"}).text.empty(); });
    run("", {"qrdel", "-u", "*"});
  }
  end_all();
  const auto replayed = run("", {"almanac-admin", "replay", directory_ + "/cell"});
  if (replayed.code != 0) return Error{"the journal does not replay: " + replayed.text};
  return Done{};
}

} // namespace almanac
