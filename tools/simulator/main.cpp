// almanac-sim: plays scenarios, in virtual time or on real processes.
#include "tools/simulator/process_world.hpp"
#include "tools/simulator/scenario.hpp"

#include <CLI/CLI.hpp>

#include <filesystem>
#include <iostream>
#include <memory>

int main(int argc, char** argv) {
  using namespace almanac;
  CLI::App app("Plays scenarios: a whole cluster in one process in virtual time, or on real processes.", "almanac-sim");
  app.set_version_flag("--version", std::string("almanac-sim ") + ALMANAC_VERSION);
  std::vector<std::string> scenarios;
  bool processes = false;
  std::uint64_t seed = 1;
  PlayOptions options;
  app.add_option("SCENARIO", scenarios, "files as in tests/scenarios")->required();
  app.add_flag("--processes", processes, "on real processes of this machine, in a temporary folder");
  app.add_flag("--explain", options.explain, "tell what happens");
  app.add_option("--seed", seed, "of the order in which simulated actors run");
  CLI11_PARSE(app, argc, argv);
  const auto binaries = std::filesystem::read_symlink("/proc/self/exe").parent_path().string();
  for (const auto& scenario : scenarios) {
    std::unique_ptr<World> world;
    world = std::make_unique<ProcessWorld>(binaries);
    if (auto played = play(scenario, *world, options); !played) {
      std::cerr << played.what() << "\n";
      return 1;
    }
    std::cout << scenario << ": as it should be, " << (processes ? "on processes" : "in the simulator, seed " + std::to_string(seed)) << std::endl;
  }
  // The simulator's actors are not torn down one by one: the process ends with them.
  std::cout.flush();
  std::_Exit(0);
}
