// almanac-sim: plays scenarios and random histories, in virtual time; scenarios on real processes,
// too; and job traces through the planner alone.
#include "tools/simulator/process_world.hpp"
#include "tools/simulator/replay_report.hpp"
#include "tools/simulator/scenario.hpp"
#include "tools/simulator/storm.hpp"
#include "tools/simulator/virtual_world.hpp"

#include <CLI/CLI.hpp>

#include <filesystem>
#include <fstream>
#include <iostream>
#include <memory>

namespace almanac {

namespace {

int play_all(const std::vector<std::string>& scenarios, bool processes, std::uint64_t seed,
             const PlayOptions& options) {
  const auto binaries = std::filesystem::read_symlink("/proc/self/exe").parent_path().string();
  for (const auto& scenario : scenarios) {
    std::unique_ptr<World> world;
    if (processes) world = std::make_unique<ProcessWorld>(binaries);
    else world = std::make_unique<VirtualWorld>(seed);
    if (auto played = play(scenario, *world, options); !played) {
      std::cerr << played.what() << "\n";
      return 1;
    }
    std::cout << scenario << ": as it should be, "
              << (processes ? "on processes" : "in the simulator, seed " + std::to_string(seed))
              << std::endl;
  }
  return 0;
}

int storms(std::uint64_t first, std::uint64_t count, int steps) {
  for (auto seed = first; seed < first + count; ++seed) {
    auto passed = storm(seed, steps);
    if (!passed) {
      std::cerr << "seed " << seed << ": " << passed.what() << "\nagain with: almanac-sim --seed "
                << seed << " --steps " << steps << "\n";
      return 1;
    }
    std::cout << "seed " << seed << ": " << passed->jobs << " jobs, " << passed->reservations
              << " reservations, " << passed->faults << " faults, trace " << std::hex
              << passed->trace << std::dec << std::endl;
  }
  return 0;
}

struct ReplayOptions {
  std::string trace, estimates = "requested", out, picture;
  std::int64_t processors = 0;
  ReplaySettings settings;
};

void add_replay(CLI::App& app, ReplayOptions& options) {
  auto& settings = options.settings;
  app.add_option("TRACE", options.trace, "a trace in the Standard Workload Format, .swf or .swf.gz")
      ->required();
  auto* pool = app.add_option("--processors", options.processors, "one pool of so many processors")
                   ->check(CLI::Range(std::int64_t{1}, most_slots));
  auto* nodes = app.add_option("--nodes", settings.nodes, "so many hosts,")
                    ->check(CLI::Range(std::int64_t{1}, std::int64_t{100'000}))
                    ->excludes(pool);
  app.add_option("--slots", settings.slots, "each of so many slots")
      ->check(CLI::Range(std::int64_t{1}, most_slots))
      ->needs(nodes);
  app.add_option("--policy", settings.policy,
                 "first come first served; the first blocked job holds a place (and the others in "
                 "order of their estimates); every job holds one (planned anew each time)")
      ->check(CLI::IsMember({"fcfs", "easy", "easy-sjbf", "cons", "cons-scratch"}));
  app.add_option("--estimates", options.estimates, "run times as users asked, or as they came out")
      ->check(CLI::IsMember({"requested", "actual"}));
  app.add_option("--reserve", settings.reserved_percent,
                 "so many percent of the jobs run in advance reservations,")
      ->check(CLI::Range(0, 100));
  app.add_option("--lead", settings.lead, "made so many seconds ahead")
      ->check(CLI::Range(std::int64_t{0}, std::int64_t{1'000'000'000}));
  app.add_option("--out", options.out, "a file for job,submit,start");
  app.add_option("--picture", options.picture, "an SVG file: utilization over time, waits by size");
}

int write_to(const std::string& path, const std::function<void(std::ostream&)>& write) {
  if (path.empty()) return 0;
  std::ofstream file(path);
  write(file);
  file.close();
  if (file) return 0;
  std::cerr << "almanac-sim: can't write " << path << "\n";
  return 1;
}

int replay(ReplayOptions options) {
  auto& settings = options.settings;
  if (options.processors > 0) settings.nodes = 1, settings.slots = options.processors;
  settings.actual = options.estimates == "actual";
  auto trace = read_trace(options.trace);
  if (!trace) {
    std::cerr << "almanac-sim: " << trace.what() << "\n";
    return 1;
  }
  auto jobs = replay_trace(*trace, settings);
  if (!jobs) {
    std::cerr << "almanac-sim: " << jobs.what() << "\n";
    return 1;
  }
  write_summary(std::cout, *jobs, settings);
  return write_to(options.out, [&](std::ostream& out) { write_starts(out, *jobs); }) +
         write_to(options.picture, [&](std::ostream& out) { write_picture(out, *jobs, settings); });
}

} // namespace

} // namespace almanac

int main(int argc, char** argv) {
  using namespace almanac;
  CLI::App app("Plays scenarios, or random histories from seeds: a whole cluster in one process in "
               "virtual time.",
               "almanac-sim");
  app.set_version_flag("--version", std::string("almanac-sim ") + ALMANAC_VERSION);
  std::vector<std::string> scenarios;
  bool processes = false;
  std::uint64_t seed = 1, count = 1;
  int steps = 60;
  PlayOptions options;
  app.add_option("SCENARIO", scenarios, "files as in tests/scenarios; none: a random history");
  app.add_flag("--processes", processes,
               "play on real processes of this machine, in a temporary folder");
  app.add_flag("--explain", options.explain, "tell what happens");
  app.add_option("--seed", seed, "of all chance");
  app.add_option("--count", count, "random histories, from this seed on");
  app.add_option("--steps", steps, "of a random history");
  ReplayOptions replay_options;
  auto* replaying = app.add_subcommand("replay", "drives the planner with the jobs of a trace");
  add_replay(*replaying, replay_options);
  CLI11_PARSE(app, argc, argv);
  if (replaying->parsed()) return replay(replay_options);
  const int code = scenarios.empty() ? storms(seed, count, steps)
                                     : play_all(scenarios, processes, seed, options);
  // Simulated actors are not torn down one by one: the process ends with them.
  std::cout.flush();
  std::_Exit(code);
}
