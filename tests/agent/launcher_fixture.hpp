// A launcher as an agent has it, its helper in a process of its own, and what it has told.
#pragma once

#include "agent/process_launcher.hpp"
#include "schema/codec.hpp"
#include "tests/agent/helper_fixture.hpp"

#include <chrono>
#include <csignal>
#include <memory>
#include <mutex>
#include <set>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>

namespace almanac {

inline constexpr auto patience = std::chrono::seconds(30);

template <class Condition> bool eventually(Condition is_so) {
  const auto deadline = std::chrono::steady_clock::now() + patience;
  while (!is_so()) {
    if (std::chrono::steady_clock::now() > deadline) return false;
    ::usleep(1000);
  }
  return true;
}

[[noreturn]] inline void be_the_helper(Helper helper, int socket) {
  int status = 0;
  while (serve_one(helper, socket))
    for (pid_t ended = 0; (ended = ::waitpid(-1, &status, WNOHANG)) > 0;)
      helper.child_ended(ended, status);
  ::_exit(0);
}

// R, S, T, Z or another letter of proc(5); ' ' for none that is there.
inline char state_of(pid_t pid) {
  const auto text = content_at("/proc/" + std::to_string(pid) + "/stat");
  const auto at = text.rfind(')');
  return at == std::string::npos ? ' ' : text[at + 2];
}

inline bool is_gone(pid_t pid) { return state_of(pid) == ' ' || state_of(pid) == 'Z'; }

inline std::ptrdiff_t open_files() {
  return std::distance(fs::directory_iterator("/proc/self/fd"), fs::directory_iterator());
}

// What a launcher has told so far. Read with told(), which copies it: more comes at any time.
struct Told {
  std::vector<session::TaskReport> reports;
  std::map<std::int64_t, std::string> output, error;
  std::map<std::int64_t, ExitRecord> ended;
  std::map<std::int64_t, std::int64_t> room;
};

// A launcher as an agent has it: with a helper that is a process of its own, and shepherds that
// outlive both.
class LauncherFixture : public HelperFixture {
protected:
  LauncherFixture() {
    ::prctl(PR_SET_CHILD_SUBREAPER, 1); // shepherds without a helper become children of the test
    ::mkfifo((place / "gate").c_str(), 0600);
    gate = ::open((place / "gate").c_str(), O_RDWR | O_NONBLOCK | O_CLOEXEC);
    script("echo $$ >> " + (place / "pids").string() + "\nread status < " +
           (place / "gate").string() + "\nexit $status\n");
    begin();
  }

  ~LauncherFixture() override {
    launcher.reset();
    if (socket >= 0)
      for (const auto& attempt : ordered) ask(HelperVerb::remove, attempt);
    stop();
    EXPECT_TRUE(eventually([] {
      while (::waitpid(-1, nullptr, WNOHANG) > 0) {
      }
      return ::waitpid(-1, nullptr, WNOHANG) < 0;
    })) << "a process is left";
    ::prctl(PR_SET_CHILD_SUBREAPER, 0);
    ::close(gate);
  }

  // The agent is started: its helper, then what talks. `found` is what lies in the spool.
  void begin() {
    int ends[2];
    ASSERT_EQ(::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends), 0);
    const auto settings = helper_settings(); // with the master's key of this process
    helper = ::fork();
    if (helper == 0) {
      ::close(ends[0]);
      be_the_helper(Helper(settings, task_places(), spool, nullptr), ends[1]);
    }
    ::close(ends[1]);
    socket = ends[0];
    const auto nonce = ask(HelperVerb::adopt, {}).nonce.content;
    auto opened = Spool::open(session_folder(), "id");
    ASSERT_TRUE(opened.ok()) << opened.what();
    launcher = std::make_unique<ProcessLauncher>(LauncherSettings{"n1", nonce, ""}, *opened,
                                                 HelperClient(socket));
    found = launcher->adopt(events());
  }

  // The agent ends; its tasks do not.
  void stop() {
    launcher.reset();
    if (socket < 0) return;
    ::close(std::exchange(socket, -1));
    if (eventually([&] { return ::waitpid(helper, nullptr, WNOHANG) == helper; })) return;
    ADD_FAILURE() << "the helper did not end";
    ::kill(helper, SIGKILL);
  }

  void restart() {
    stop();
    forget_told();
    begin();
  }

  // The order for `launch` as it is now, with a warrant that nobody has used.
  session::Launch order() {
    auto order = launch;
    session::Credential credential;
    credential.store_id = "store", credential.term = {4};
    order.credential.content = encode(credential);
    order.warrant.content = print_warrant(warrant_naming(launcher->nonce()));
    order.warrant_signature.content = masters_signature(order.warrant.content);
    ordered.insert(order.attempt);
    return order;
  }
  // Until it runs. Returns its process.
  pid_t start() {
    const auto before = pids().size();
    launcher->launch(order());
    EXPECT_TRUE(is_reported(session::TaskPhase::running));
    EXPECT_TRUE(eventually([&] { return pids().size() > before; }));
    return pids().size() > before ? pids().back() : -1;
  }
  // The task is a part of one that began on another host, and may have more processes here.
  void make_part() {
    launch.control_slaves = true;
    auto first = launch.parts.front();
    first.host = "n2", first.instance = {"all.q", "n2"};
    launch.parts.insert(launch.parts.begin(), first);
    launch.job.tasks.front().grants = {{{"all.q", "n2"}, 1}, {{"all.q", "n1"}, 1}};
  }
  // As the agent of the task's first host orders it.
  InheritedStart process(std::int64_t call, const std::string& line, bool input = false) const {
    const CallOrder made{"n1", launch.attempt, call + 100, {line}, {}, "/", input};
    return {call,
            made.words,
            {},
            made.directory,
            input,
            made.number,
            {agents_key.sign(print_call(made))}};
  }

  // Lets a task's process end with this status.
  void let_end(int status) {
    const auto line = std::to_string(status) + "\n";
    ASSERT_EQ(::write(gate, line.data(), line.size()), static_cast<ssize_t>(line.size()));
  }
  // Of all processes of tasks that have begun.
  std::vector<pid_t> pids() const {
    std::vector<pid_t> result;
    std::ifstream file(place / "pids");
    for (std::string line; std::getline(file, line) && !file.eof();)
      result.push_back(std::stoi(line));
    return result;
  }
  pid_t shepherd() const {
    std::string word;
    pid_t pid = -1;
    std::ifstream(folder() / "progress") >> word >> pid;
    return pid;
  }

  Told told() const {
    const std::lock_guard lock(mutex);
    return so_far;
  }
  std::vector<session::TaskReport> reports(session::TaskPhase phase) const {
    auto result = told().reports;
    std::erase_if(result, [&](const auto& report) {
      return report.phase != phase || report.attempt != launch.attempt;
    });
    return result;
  }
  bool is_reported(session::TaskPhase phase) const {
    return eventually([&] { return !reports(phase).empty(); });
  }
  // The only end that was reported.
  session::TaskReport end() const {
    EXPECT_TRUE(is_reported(session::TaskPhase::ended));
    const auto ends = reports(session::TaskPhase::ended);
    EXPECT_EQ(ends.size(), 1u);
    return ends.empty() ? session::TaskReport() : ends.front();
  }
  bool has_ended(std::int64_t call) const {
    return eventually([&] { return told().ended.contains(call); });
  }
  // Until all that was ordered before is done: a process for a task that is not here ends at once.
  void settle() {
    launcher->start_inherited({}, {--last_mark, {}, {}, "", false, 0, {}});
    ASSERT_TRUE(has_ended(last_mark));
  }
  std::string session_folder() const { return (place / "spool/session").string(); }
  fs::path spooled() const { return fs::path(session_folder()) / Spool::name(launch.attempt); }

  std::vector<session::TaskReport> found;
  std::unique_ptr<ProcessLauncher> launcher;
  int gate = -1, socket = -1;
  pid_t helper = -1;

private:
  // The helper, while no launcher does.
  HelperReply ask(HelperVerb verb, const Attempt& attempt) const {
    HelperRequest request;
    request.verb = verb, request.attempt = attempt;
    return HelperClient(socket).ask(request).reply;
  }
  Launcher::Events events() {
    const auto locked = [this](auto take) {
      const std::lock_guard lock(mutex);
      take();
    };
    return {[=, this](session::TaskReport report) {
              locked([&] { so_far.reports.push_back(report); });
            },
            [=, this](std::int64_t call, std::string content, bool error) {
              locked([&] { (error ? so_far.error : so_far.output)[call] += content; });
            },
            [=, this](std::int64_t call, ExitRecord record) {
              locked([&] { so_far.ended[call] = record; });
            },
            [=, this](std::int64_t call, std::int64_t bytes) {
              locked([&] { so_far.room[call] += bytes; });
            }};
  }
  void forget_told() {
    const std::lock_guard lock(mutex);
    so_far = {};
  }

  mutable std::mutex mutex; // guards so_far
  Told so_far;
  std::set<Attempt> ordered;
  std::int64_t last_mark = 0;
};

} // namespace almanac
