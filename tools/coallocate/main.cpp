// almanac-coallocate: reservations at several sites that start together, all of them or none.
#include "actors/process/descriptor.hpp"
#include "actors/trust/random_number.hpp"
#include "tools/coallocate/coordinator.hpp"
#include "tools/coallocate/plan_check.hpp"
#include "tools/coallocate/report.hpp"
#include "tools/commands/small_file.hpp"

#include <CLI/CLI.hpp>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <optional>
#include <pwd.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <unistd.h>

namespace almanac {

namespace {

// As the man page says.
enum Code { all_committed = 0, none_committed = 1, wrong_usage = 2, mixed_end = 3, unfinished = 4 };

int fail(const std::string& why, Code code) {
  std::cerr << "almanac-coallocate: " << why << "\n";
  return code;
}

std::string home_folder() {
  if (const char* home = std::getenv("HOME"); home && *home) return home;
  const auto* entry = ::getpwuid(::geteuid());
  return entry ? entry->pw_dir : "/";
}

std::string usual_log() {
  const char* state = std::getenv("XDG_STATE_HOME");
  return (state && *state == '/' ? std::string(state) : home_folder() + "/.local/state") +
         "/almanac-coallocate";
}

std::string user_name() {
  const auto* entry = ::getpwuid(::geteuid());
  return entry ? entry->pw_name : "";
}

Result<PlanSource> read_plan(const std::string& file) {
  auto text = SmallFile(file, longest_plan_file).read();
  if (!text) return Error{"can't read " + file + ": " + text.what()};
  std::error_code error;
  const auto folder = std::filesystem::absolute(file, error).parent_path().string();
  return PlanSource{*std::move(text), folder, user_name()};
}

// The signals that end a program come as something to be read: what leads to sites ends first.
Descriptor ends_by_signal() {
  sigset_t ends;
  ::sigemptyset(&ends);
  for (const int signal : {SIGTERM, SIGINT, SIGHUP}) {
    struct sigaction now {};
    // Who runs it with nohup wants it to go on.
    if (::sigaction(signal, nullptr, &now) == 0 && now.sa_handler != SIG_IGN)
      ::sigaddset(&ends, signal);
  }
  ::sigprocmask(SIG_BLOCK, &ends, nullptr);
  return Descriptor(::signalfd(-1, &ends, SFD_CLOEXEC));
}

struct Options {
  std::string plan, log = usual_log();
  bool recovers = false, json = false, verbose = false, checks = false;
};

class Program {
public:
  explicit Program(Options options) : options_(std::move(options)) {}

  int run() {
    std::optional<PlanSource> source;
    std::optional<PlanFile> file;
    if (!options_.recovers) {
      auto read = read_plan(options_.plan);
      if (!read) return fail(read.what(), wrong_usage);
      auto parsed = parse_plan_file(read->text, read->folder, read->user);
      if (!parsed) return fail(options_.plan + ": " + parsed.what(), wrong_usage);
      if (auto checked = check_plan(*parsed); !checked)
        return fail(options_.plan + ": " + checked.what(), wrong_usage);
      source = *std::move(read), file = *std::move(parsed);
      if (options_.checks) return all_committed;
    }
    const auto ending = ends_by_signal(); // before there are threads, which have this mask, too
    auto log = DecisionLog::open(options_.log);
    if (!log) return fail(log.what(), wrong_usage);
    Coordinator coordinator(
        **log, [this](const auto& id, const auto& outcome) { return tell_end(id, outcome); },
        [this](const auto& text) {
          if (options_.verbose) std::cerr << text << std::endl;
        },
        *ending);
    if (auto taken = take_up(**log, coordinator); !taken) return fail(taken.what(), wrong_usage);
    if (file) {
      newest_ = to_hex(random_bytes(8));
      Coallocation machine(file->plan, newest_, random_number());
      coordinator.add(std::move(machine), *std::move(file), *std::move(source));
    }
    auto ran = options_.recovers ? coordinator.run_all() : coordinator.run_last();
    if (!ran) return fail(ran.what() + "; almanac-coallocate --recover goes on", unfinished);
    if (coordinator.count() > 0)
      std::cerr << "almanac-coallocate: " << coordinator.count()
                << " earlier co-allocations are not over: almanac-coallocate --recover goes on\n";
    return code_;
  }

private:
  // What an earlier process has not finished.
  static Outcome take_up(const DecisionLog& log, Coordinator& coordinator) {
    auto entries = log.entries();
    if (!entries) return entries.error();
    for (auto& entry : *entries) {
      auto file = parse_plan_file(entry.plan.text, entry.plan.folder, entry.plan.user);
      if (!file) return Error{"the plan of co-allocation " + entry.record.id + ": " + file.what()};
      Coallocation machine(file->plan, entry.record, random_number());
      coordinator.add(std::move(machine), *std::move(file), std::move(entry.plan));
    }
    return Done{};
  }

  // Where the disk is full or the pipe is closed, RESID and RESKEY are still in the log only.
  Outcome tell_end(const std::string& id, const CoallocationOutcome& outcome) {
    std::cout << (options_.json ? report_json(id, outcome) : report_lines(id, outcome))
              << std::flush;
    if (!std::cout) return Error{"the end of co-allocation " + id + " cannot be written out"};
    const auto code = outcome.end == CoallocationEnd::all    ? all_committed
                      : outcome.end == CoallocationEnd::none ? none_committed
                                                             : mixed_end;
    // Of several that are taken up the worst counts: mixed. That one is aborted is what --recover
    // is for.
    if (id == newest_) code_ = code;
    else if (options_.recovers && code == mixed_end) code_ = mixed_end;
    return Done{};
  }

  Options options_;
  std::string newest_;
  Code code_ = all_committed;
};

} // namespace

} // namespace almanac

int main(int argc, char** argv) {
  CLI::App app("Reserves at several sites for the same time: all of them, or none.",
               "almanac-coallocate");
  app.set_version_flag("--version", std::string("almanac-coallocate ") + ALMANAC_VERSION);
  almanac::Options options;
  app.add_option("PLAN", options.plan, "a file in TOML: the sites, what is wanted there, and when");
  app.add_option("--log", options.log, "the folder where decisions are written down");
  app.add_flag("--recover", options.recovers,
               "finish what an earlier process has begun: what was decided is committed, the rest "
               "is aborted");
  app.add_flag("--check", options.checks, "only read PLAN and say what is wrong in it");
  app.add_flag("--json", options.json, "print one object in a line for each co-allocation");
  app.add_flag("--verbose", options.verbose, "tell each line that is sent and received on stderr");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& problem) {
    return app.exit(problem) == 0 ? 0 : almanac::wrong_usage;
  }
  if (options.plan.empty() != options.recovers)
    return almanac::fail(options.recovers ? "--recover takes no PLAN" : "a PLAN is missing",
                         almanac::wrong_usage);
  if (options.checks && options.recovers)
    return almanac::fail("--check and --recover exclude each other", almanac::wrong_usage);
  ::umask(077);
  std::signal(SIGPIPE, SIG_IGN);
  // Secrets and keys of reservations are in its memory: no other process of the user reads it, and
  // no core holds it.
  if (::prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) != 0)
    return almanac::fail("can't keep other processes from its memory", almanac::wrong_usage);
  return almanac::Program(std::move(options)).run();
}
