// almanac-gmeta: the port of a cell for metaschedulers.
#include "actors/process/ownership.hpp"
#include "actors/process/rights.hpp"
#include "actors/process/tcp_socket.hpp"
#include "tools/commands/small_file.hpp"
#include "tools/gmeta_port/port.hpp"

#include <CLI/CLI.hpp>

#include <csignal>
#include <cstdio>
#include <string>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <unistd.h>

namespace almanac {

namespace {

int fail(const std::string& why) {
  std::fprintf(stderr, "almanac-gmeta: %s\n", why.c_str());
  return 1;
}

// Nothing that is started or found later gives rights back, and no other process of the user reads
// the secrets out of this one.
Outcome give_up_rights(const PortSettings& settings) {
  if (::geteuid() == 0) {
    const auto user = account_of(settings.user);
    if (!user) return user.error();
    if (auto became = become_for_good(*user, low_ports_for(settings.port, 0)); !became)
      return became;
  }
  if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 || ::prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) != 0)
    return Error{"can't give up what a program could gain"};
  return Done{};
}

// Whoever can change the certificates of authorities can be any caller. One that is not there is
// named by whoever needs it.
Outcome check_authority(const std::string& path) {
  const SmallFile file(path, largest_port_file);
  if (path.empty() || file.is_missing()) return Done{};
  if (auto text = file.read_closed(); !text) return Error{path + ": " + text.what()};
  return Done{};
}

Outcome check_files(const PortSettings& settings) {
  OwnFiles files{{settings.files.certificate}, {settings.files.key}};
  for (const auto& caller : settings.callers)
    if (!caller.secret_file.empty()) files.secret.push_back(caller.secret_file);
  if (auto ours = check_ownership("/", files); !ours) return ours;
  return check_authority(settings.files.authority);
}

void allow_files(std::size_t connections) {
  constexpr rlim_t others = 256;
  rlimit limit{};
  ::getrlimit(RLIMIT_NOFILE, &limit);
  limit.rlim_cur = std::min(limit.rlim_max, std::max(limit.rlim_cur, connections + others));
  ::setrlimit(RLIMIT_NOFILE, &limit);
}

int serve(const std::string& path, bool only_checks) {
  const auto settings = read_port_settings(path);
  if (!settings) return fail(settings.what());
  if (auto given = give_up_rights(*settings); !given) return fail(given.what());
  if (auto ours = check_files(*settings); !ours) return fail(ours.what());
  auto context = TlsContext::open_site(settings->files);
  if (!context) return fail(context.what());
  auto callers = known_callers(*settings);
  if (!callers) return fail(callers.what());
  if (only_checks) return 0;
  auto listener = listen_at(settings->address, settings->port);
  if (!listener) return fail(listener.what());
  if (auto decided = decide_low_ports(LowPorts::refused); !decided) return fail(decided.what());
  allow_files(settings->connections);
  sigset_t ends;
  ::sigemptyset(&ends), ::sigaddset(&ends, SIGTERM), ::sigaddset(&ends, SIGINT);
  ::sigprocmask(SIG_BLOCK, &ends, nullptr);
  const Descriptor ending(::signalfd(-1, &ends, SFD_CLOEXEC));
  std::fprintf(stderr, "almanac-gmeta listens at %s:%u\n", settings->address.c_str(),
               static_cast<unsigned>(settings->port));
  Port(*settings, std::move(*context), std::move(*callers), Descriptor(*listener), *ending).run();
  return 0;
}

} // namespace

} // namespace almanac

int main(int argc, char** argv) {
  CLI::App app("The port of a cell for metaschedulers: lines over TLS 1.3.", "almanac-gmeta");
  app.set_version_flag("--version", std::string("almanac-gmeta ") + ALMANAC_VERSION);
  std::string config;
  bool only_checks = false;
  app.add_option("--config", config, "the settings, a file in TOML")->required();
  app.add_flag("--check", only_checks, "only read the settings and say what is wrong");
  CLI11_PARSE(app, argc, argv);
  ::umask(077);
  std::signal(SIGPIPE, SIG_IGN);
  return almanac::serve(config, only_checks);
}
