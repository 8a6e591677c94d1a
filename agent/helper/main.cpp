// almanac-agent: runs jobs on one host.
//
// What root starts is the helper: it alone launches what the master has signed, and forks a
// shepherd for it. The network half is almanac-agent-session, from the same folder. If one of them
// ends, the other ends; shepherds stay.
#include "actors/process/lock_file.hpp"
#include "actors/process/ownership.hpp"
#include "actors/trust/keyring.hpp"
#include "actors/process/command_links.hpp"
#include "agent/helper/helper.hpp"
#include "agent/helper/own_folders.hpp"
#include "agent/helper/process_title.hpp"
#include "agent/helper/session_process.hpp"
#include "agent/helper/settings.hpp"

#include <csignal>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <poll.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

namespace almanac {

namespace {

namespace fs = std::filesystem;

int fail(const std::string& why) {
  std::fprintf(stderr, "almanac-agent: %s\n", why.c_str());
  return 1;
}

Result<std::string> read_master_key(const std::string& path) {
  std::string text;
  std::ifstream(path) >> text;
  auto key = from_hex(text);
  if (!key || key->size() != 32) return Error{path + ": expected 64 hexadecimal digits"};
  return *key;
}

// As sd_notify(3) does; systemd believes nobody else of this service.
void tell_ready() {
  const char* const place = std::getenv("NOTIFY_SOCKET");
  if (!place) return;
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::strncpy(address.sun_path, place, sizeof address.sun_path - 1);
  const auto size = offsetof(sockaddr_un, sun_path) + std::strlen(address.sun_path);
  if (address.sun_path[0] == '@') address.sun_path[0] = '\0';
  const int socket = ::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  ::sendto(socket, "READY=1", 7, MSG_NOSIGNAL, reinterpret_cast<const sockaddr*>(&address),
           static_cast<socklen_t>(size));
  ::close(socket);
}

// What whoever started it has ignored would be ignored by jobs, too.
int signals_to_hear() {
  for (int signal = 1; signal < NSIG; ++signal)
    if (signal != SIGKILL && signal != SIGSTOP) ::signal(signal, SIG_DFL);
  sigset_t set;
  sigemptyset(&set);
  for (const int signal : {SIGTERM, SIGINT, SIGHUP, SIGCHLD}) sigaddset(&set, signal);
  ::sigprocmask(SIG_BLOCK, &set, nullptr);
  ::signal(SIGPIPE, SIG_IGN);
  return ::signalfd(-1, &set, SFD_NONBLOCK | SFD_CLOEXEC);
}

// The exit status of the network half once it has ended, or nothing. Shepherds that have ended are
// waited for, too.
std::optional<int> hear_signals(Helper& helper, int signals, pid_t session) {
  signalfd_siginfo signal{};
  while (::read(signals, &signal, sizeof signal) == sizeof signal) {
    if (signal.ssi_signo == SIGCHLD) continue;
    if (signal.ssi_signo != SIGHUP) helper.save_tasks();
    ::kill(session, static_cast<int>(signal.ssi_signo));
  }
  for (int status = 0;;) {
    const auto ended = ::waitpid(-1, &status, WNOHANG);
    if (ended <= 0) return {};
    if (ended == session) return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
    helper.child_ended(ended, status);
  }
}

int serve(Helper& helper, SessionProcess session, int signals) {
  bool speaks = true;
  for (;;) {
    pollfd files[]{{signals, POLLIN, 0},
                   {speaks ? session.socket : -1, POLLIN, 0},
                   {session.ready, POLLIN, 0}};
    ::poll(files, 3, -1);
    if (files[0].revents)
      if (const auto status = hear_signals(helper, signals, session.pid)) return *status;
    if (files[2].revents) {
      char byte = 0;
      if (::read(session.ready, &byte, 1) == 1) tell_ready();
      ::close(std::exchange(session.ready, -1));
    }
    // One that says nothing any more has ended, or is made to.
    if (files[1].revents && !(speaks = serve_one(helper, session.socket)))
      ::kill(session.pid, SIGKILL);
  }
}

int run(const std::string& given, Title title) {
  std::error_code error;
  const auto directory = fs::absolute(given, error).lexically_normal().string();
  if (auto ours = check_ownership(directory, {{"", "settings.toml"}, {}}); !ours)
    return fail(ours.what());
  const auto settings = read_agent_settings(directory + "/settings.toml");
  if (!settings) return fail(settings.what());
  const auto user = session_user(settings->user);
  if (!user) return fail(user.what());
  if (auto shared = share_directory(directory, user->ids); !shared) return fail(shared.what());
  const auto spool_folder = settings->spool.empty() ? directory + "/spool"
                                                    : fs::absolute(settings->spool, error).string();
  if (auto ours = check_ownership(spool_folder, {{""}, {}}); !ours) return fail(ours.what());
  const auto lock = lock_file(directory + "/lock", directory);
  if (!lock) return fail(lock.what());
  const auto master_key = read_master_key(directory + "/master.pub");
  if (!master_key) return fail(master_key.what());
  const auto copied = set_aside_copy(spool_folder);
  if (!copied) return fail(copied.what());
  if (!copied->empty())
    fail("the spool was copied from another place: it is kept as " + *copied +
         ", and its tasks are left alone");
  TaskPlaces places;
  const auto spool = open_spool(spool_folder, user->ids, places);
  if (!spool) return fail(spool.what());
  const auto binaries = fs::read_symlink("/proc/self/exe").parent_path().string();
  if (auto linked = link_commands(directory, binaries); !linked) fail(linked.what());
  if (auto linked = link_common_files(directory, settings->cell); !linked) fail(linked.what());
  // Before any user makes it: most queues have this one.
  if (auto made = make_shared_folder({"/tmp", settings->cell, "", places.secret, ""}); !made)
    fail(made.what());

  const int signals = signals_to_hear();
  Helper helper(
      {settings->cell, settings->host, directory, binaries, settings->min_uid, *master_key,
       boot_clock_ms, user->ids.uid == 0 ? -1 : static_cast<std::int64_t>(user->ids.uid), *user},
      places, *spool, [&](const std::string& folder) { title.set("almanac-shepherd " + folder); });
  const auto session = start_session(
      binaries + "/almanac-agent-session", *user, *lock,
      {directory, spool_folder + "/session", places.id, {helper.nonce()}, to_hex(*master_key)});
  if (!session) return fail(session.what());
  return serve(helper, *session, signals);
}

constexpr const char* help = R"(The Almanac agent: runs jobs on one host. Runs in the foreground.
Usage: almanac-agent [OPTIONS]

Options:
  -h,--help                   Print this help message and exit
  --dir TEXT REQUIRED         the agent's directory, made by almanac-admin add-host
  --version                   Display program version information and exit
)";

} // namespace

} // namespace almanac

int main(int argc, char** argv) {
  const std::string option = argc > 1 ? argv[1] : "";
  if (option == "-h" || option == "--help") return std::printf("%s", almanac::help) < 0;
  if (option == "--version") return std::printf("almanac-agent %s\n", ALMANAC_VERSION) < 0;
  if (argc == 3 && option == "--dir") return almanac::run(argv[2], almanac::Title(argc, argv));
  if (argc == 2 && option.starts_with("--dir=") && option.size() > 6)
    return almanac::run(option.substr(6), almanac::Title(argc, argv));
  std::fprintf(
      stderr,
      option == "--dir" || argc < 2
          ? "--dir is required, with a folder\nRun with --help for more information.\n"
          : "almanac-agent has only the option --dir\nRun with --help for more information.\n");
  return 1;
}
