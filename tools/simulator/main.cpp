// almanac-sim: plays scenarios and random histories, in virtual time; scenarios on real processes,
// too.
#include "tools/simulator/process_world.hpp"
#include "tools/simulator/scenario.hpp"
#include "tools/simulator/storm.hpp"
#include "tools/simulator/virtual_world.hpp"

#include <CLI/CLI.hpp>

#include <filesystem>
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
  CLI11_PARSE(app, argc, argv);
  const int code = scenarios.empty() ? storms(seed, count, steps)
                                     : play_all(scenarios, processes, seed, options);
  // Simulated actors are not torn down one by one: the process ends with them.
  std::cout.flush();
  std::_Exit(code);
}
