// almanac-sim: plays scenarios and random histories, in virtual time; scenarios on real processes,
// too; and job traces through the planner alone.
#include "core/text/values.hpp"
#include "core/text/words.hpp"
#include "core/text/table.hpp"
#include "tools/simulator/chaos/chaos.hpp"
#include "tools/simulator/chaos/harmed_world.hpp"
#include "tools/simulator/coallocation/coallocate.hpp"
#include "tools/simulator/replay/golden_journal.hpp"
#include "tools/simulator/world/process_world.hpp"
#include "tools/simulator/replay/replay_report.hpp"
#include "tools/simulator/world/scenario.hpp"
#include "tools/simulator/chaos/storm.hpp"
#include "tools/simulator/world/virtual_world.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <memory>
#include <random>
#include <sstream>

namespace almanac {

namespace {

struct ProcessOptions {
  bool processes = false;
  std::string owner;
};

struct WorldOptions {
  std::vector<std::string> scenarios; ///< none: random histories
  ProcessOptions real;
  PlayOptions play;
  std::uint64_t seed = 1, count = 1;
  int steps = 60;
  StormOptions storm;
};

void add_scenarios(CLI::App& app, WorldOptions& options) {
  app.add_option("SCENARIO", options.scenarios,
                 "files as in tests/scenarios; none: a random history");
  auto* processes = app.add_flag("--processes", options.real.processes,
                                 "play on real processes of this machine, in a temporary folder");
  app.add_option("--owner", options.real.owner, "the user who owns the cell there; for root")
      ->needs(processes);
  app.add_flag("--explain", options.play.explain, "tell what happens");
  app.add_flag("--rewrite", options.play.rewrite,
               "write into the scenario what commands print now, where they print something else")
      ->excludes(processes);
}

void add_histories(CLI::App& app, WorldOptions& options) {
  app.add_option("--seed", options.seed, "of all chance");
  app.add_option("--count", options.count, "random histories, from this seed on");
  app.add_option("--steps", options.steps, "of a random history");
  app.add_flag("!--no-changes", options.storm.changes,
               "no reservation is changed in two phases in a random history");
  app.add_option("--journal", options.storm.journal,
                 "a file that keeps the journal of the last random history");
}

int play_all(const WorldOptions& options) {
  const auto binaries = std::filesystem::read_symlink("/proc/self/exe").parent_path().string();
  for (const auto& scenario : options.scenarios) {
    std::unique_ptr<World> world;
    if (options.real.processes)
      world = std::make_unique<ProcessWorld>(binaries, options.real.owner);
    else {
      auto simulated = std::make_unique<HarmedWorld>(options.seed);
      simulated->set_checking();
      world = std::move(simulated);
    }
    if (auto played = play(scenario, *world, options.play); !played) {
      std::cerr << played.what() << "\n";
      return 1;
    }
    std::cout << scenario << ": as it should be, "
              << (options.real.processes ? "on processes"
                                         : "in the simulator, seed " + std::to_string(options.seed))
              << std::endl;
  }
  return 0;
}

int storms(const WorldOptions& options) {
  for (auto seed = options.seed; seed < options.seed + options.count; ++seed) {
    auto passed = storm(seed, options.steps, options.storm);
    if (!passed) {
      std::cerr << "seed " << seed << ": " << passed.what() << "\nagain with: almanac-sim --seed "
                << seed << " --steps " << options.steps
                << (options.storm.changes ? "" : " --no-changes") << "\n";
      return 1;
    }
    std::cout << "seed " << seed << ": " << passed->jobs << " jobs, " << passed->reservations
              << " reservations, " << passed->faults << " faults, trace " << std::hex
              << passed->trace << std::dec << std::endl;
  }
  return 0;
}

struct SeedOptions {
  std::uint64_t seed = 1;
  std::uint64_t fresh = 0; ///< so many that nobody has tried
  std::string seeds;
};

void add_seeds(CLI::App& app, SeedOptions& options) {
  auto* seed = app.add_option("--seed", options.seed, "of all chance");
  auto* seeds = app.add_option("--seeds", options.seeds, "A..B, both included")->excludes(seed);
  app.add_option("--fresh", options.fresh, "so many seeds that are drawn anew each time")
      ->excludes(seed)
      ->excludes(seeds)
      ->check(CLI::Range(1, 1'000'000));
}

struct ChaosOptions {
  SeedOptions seeds;
  std::string faults;
  ChaosSettings settings;
};

void add_chaos(CLI::App& app, ChaosOptions& options) {
  add_seeds(app, options.seeds);
  app.add_option("--hosts", options.settings.hosts, "of four slots each")
      ->check(CLI::Range(1, 10'000));
  app.add_option("--minutes", options.settings.minutes, "of virtual time under faults")
      ->check(CLI::Range(1, 100'000));
  app.add_option(
      "--faults", options.faults,
      "which may come, separated by commas, with :N behind one that shall come N times as "
      "often as others; \"none\", \"accidents\" (all but the last two; so where it is missing) or "
      "\"mischief\" (the last two): " +
          join({fault_names.begin(), fault_names.end()}, ","));
  app.add_flag("!--no-changes", options.settings.changes,
               "no reservation is changed in two phases, as in histories of before 2026-11-25");
  app.add_option("--mutation", options.settings.mutation,
                 "break the invariant with this number on purpose")
      ->check(CLI::Range(0, static_cast<int>(last_invariant)));
}

Outcome read_faults(ChaosOptions& options) {
  auto& faults = options.settings.faults;
  if (options.faults == "none") return Done{};
  for (const auto& word : words(options.faults.empty() ? "accidents" : options.faults)) {
    if (word == "accidents" || word == "mischief") {
      for (std::size_t i = 0; i < fault_names.size(); ++i)
        if ((static_cast<Fault>(i) < first_mischief) == (word == "accidents"))
          faults[static_cast<Fault>(i)] = 1;
      continue;
    }
    const auto colon = std::min(word.find(':'), word.size());
    const auto it = std::find(fault_names.begin(), fault_names.end(), word.substr(0, colon));
    if (it == fault_names.end()) return Error{"--faults: \"" + word + "\" is not a fault"};
    const auto rate = colon == word.size() ? 1 : parse_number(word.substr(colon + 1));
    if (!rate || *rate < 1 || *rate > 1000)
      return Error{"--faults: \"" + word + "\": a rate is a number from 1 to 1000"};
    faults[static_cast<Fault>(it - fault_names.begin())] = static_cast<int>(*rate);
  }
  return Done{};
}

Result<std::pair<std::uint64_t, std::uint64_t>> seed_range(const SeedOptions& options) {
  if (options.fresh > 0) {
    const std::uint64_t first = std::random_device()();
    return std::pair(first, first + options.fresh - 1);
  }
  if (options.seeds.empty()) return std::pair(options.seed, options.seed);
  const auto dots = options.seeds.find("..");
  const auto first = parse_number(options.seeds.substr(0, dots));
  const auto last =
      dots == std::string::npos ? first : parse_number(options.seeds.substr(dots + 2));
  if (!first || !last || *last < *first)
    return Error{"--seeds: \"" + options.seeds + "\" is not A..B"};
  return std::pair(static_cast<std::uint64_t>(*first), static_cast<std::uint64_t>(*last));
}

void print_failure(std::uint64_t seed, const ChaosSettings& settings, const ChaosFailure& failure) {
  std::vector<std::string> faults;
  for (const auto& [fault, rate] : settings.faults)
    faults.push_back(fault_names.at(static_cast<std::size_t>(fault)) +
                     (rate == 1 ? std::string() : ":" + std::to_string(rate)));
  std::cerr << "seed " << seed << ", event " << failure.event << ", second " << failure.second
            << ": " << failure.violation.text() << "\nagain with: almanac-sim chaos --seed " << seed
            << " --hosts " << settings.hosts << " --minutes " << settings.minutes << " --faults "
            << (faults.empty() ? "none" : join(faults, ","))
            << (settings.changes ? "" : " --no-changes")
            << (settings.mutation ? " --mutation " + std::to_string(settings.mutation) : "")
            << std::endl;
}

void print_result(std::uint64_t seed, const ChaosResult& result, double real_seconds) {
  std::cout << "seed " << seed << ": " << result.jobs << " jobs, " << result.reservations
            << " reservations acknowledged, " << result.refused << " refused, " << result.unanswered
            << " without an answer, " << result.events << " events, "
            << static_cast<std::int64_t>(static_cast<double>(result.virtual_seconds) / real_seconds)
            << " times real time, trace hash " << std::hex << result.trace << std::dec << std::endl;
}

// How often each fault met each phase of the work; false if one never did.
bool print_meetings(const ChaosSettings& settings, const ChaosResult& sum) {
  bool all = true;
  std::cout << left("fault", 14);
  for (const auto* phase : phase_names) std::cout << right(phase, 10);
  std::cout << "\n";
  for (const auto& [fault, rate] : settings.faults) {
    const auto it = sum.met.find(fault);
    std::cout << left(fault_names.at(static_cast<std::size_t>(fault)), 14);
    for (std::size_t i = 0; i < phase_names.size(); ++i) {
      const auto count = it == sum.met.end() ? 0 : it->second.at(i);
      all = all && count > 0;
      std::cout << right(std::to_string(count), 10);
    }
    std::cout << "\n";
  }
  return all;
}

int wrong(const std::string& why) {
  std::cerr << "almanac-sim: " << why << "\n";
  return 1;
}

int run_chaos(ChaosOptions options) {
  if (auto read = read_faults(options); !read) return wrong(read.what());
  auto range = seed_range(options.seeds);
  if (!range) return wrong(range.what());
  ChaosResult sum;
  for (auto seed = range->first; seed <= range->second; ++seed) {
    const auto began = std::chrono::steady_clock::now();
    auto outcome = chaos(seed, options.settings);
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - began;
    if (auto* failure = std::get_if<ChaosFailure>(&outcome)) {
      print_failure(seed, options.settings, *failure);
      const auto less = smallest(seed, options.settings, *failure);
      std::cerr << "the smallest that breaks it, too:\n";
      print_failure(seed, less, *failure);
      return 1;
    }
    const auto& result = std::get<ChaosResult>(outcome);
    print_result(seed, result, took.count());
    for (const auto& [fault, cells] : result.met)
      for (std::size_t i = 0; i < cells.size(); ++i) sum.met[fault][i] += cells[i];
  }
  const bool all = print_meetings(options.settings, sum);
  constexpr std::uint64_t enough = 600; // minutes in all, for every fault to meet every phase
  const auto seeds = range->second - range->first + 1;
  if (all || seeds * static_cast<std::uint64_t>(options.settings.minutes) < enough) return 0;
  return wrong("a fault never met a phase: the run proves nothing about it");
}

struct CoallocateOptions {
  SeedOptions seeds;
  bool explain = false;
};

void add_coallocate(CLI::App& app, CoallocateOptions& options) {
  add_seeds(app, options.seeds);
  app.add_flag("--explain", options.explain, "tell of each line, each decision and each kill");
}

void print_event(std::int64_t ms, const std::string& who, const std::string& what) {
  const auto thousandths = std::to_string(1000 + ms % 1000).substr(1);
  std::cout << right(std::to_string(ms / 1000), 6) << "." << thousandths << " " << who << ": "
            << what << "\n";
}

void print_count(const CoallocationCount& sum) {
  for (const auto& [end, times] : sum.ends) std::cout << times << " " << end << ", ";
  std::cout << sum.lines << " lines to " << sum.sites << " sites, " << sum.holds << " holds, "
            << sum.site_kills << " kills of masters and " << sum.own_kills
            << " of the coordinator, " << sum.without_key
            << " committed without a key that was told, " << sum.virtual_seconds
            << " s, trace hash " << std::hex << sum.trace << std::dec << std::endl;
}

int run_coallocate(const CoallocateOptions& options) {
  const auto range = seed_range(options.seeds);
  if (!range) return wrong(range.what());
  CoallocationCount sum;
  for (auto seed = range->first; seed <= range->second; ++seed) {
    const auto one = coallocate(seed, options.explain ? print_event : OnCoallocationEvent());
    if (!one) {
      std::cout.flush();
      std::cerr << "seed " << seed << ": " << one.what()
                << "\nagain with: almanac-sim coallocate --explain --seed " << seed << std::endl;
      return 1;
    }
    sum.add(*one);
  }
  print_count(sum);
  const auto missing = never_seen(sum, range->second - range->first + 1);
  return missing.empty() ? 0 : wrong(missing + " never came: the run proves nothing about it");
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

struct DecideOptions {
  std::string journal, starts;
};

void add_decide(CLI::App& app, DecideOptions& options) {
  app.add_option("JOURNAL", options.journal, "made by --journal")->required();
  app.add_option("--out", options.starts, "a file for each start: task, attempt, time, grants");
}

int decide(const DecideOptions& options) {
  std::ostringstream starts;
  const auto run = decide_again(options.journal, starts);
  if (!run) {
    std::cerr << "almanac-sim: " << run.what() << "\n";
    return 1;
  }
  std::cout << run->inputs << " inputs, " << run->starts << " starts, digest " << std::hex
            << run->digest << std::dec << "\n";
  return write_to(options.starts, [&](std::ostream& file) { file << starts.str(); });
}

// Simulated actors are not torn down one by one: the process ends with them.
[[noreturn]] void leave(int code) {
  std::cout.flush();
  std::_Exit(code);
}

} // namespace

} // namespace almanac

int main(int argc, char** argv) {
  using namespace almanac;
  CLI::App app("Plays scenarios, or random histories from seeds: a whole cluster in one process in "
               "virtual time.",
               "almanac-sim");
  app.set_version_flag("--version", std::string("almanac-sim ") + ALMANAC_VERSION);
  WorldOptions world;
  add_scenarios(app, world);
  add_histories(app, world);
  ReplayOptions of_replay;
  auto* replaying = app.add_subcommand("replay", "drives the planner with the jobs of a trace");
  add_replay(*replaying, of_replay);
  DecideOptions of_decide;
  auto* deciding = app.add_subcommand("decide", "lets the rules decide a kept journal again");
  add_decide(*deciding, of_decide);
  ChaosOptions of_chaos;
  auto* breaking = app.add_subcommand("chaos", "a cluster at work while everything breaks");
  add_chaos(*breaking, of_chaos);
  CoallocateOptions of_coallocate;
  auto* coallocating = app.add_subcommand(
      "coallocate", "reservations at several clusters, all or none, while everybody is killed");
  add_coallocate(*coallocating, of_coallocate);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& problem) {
    return app.exit(problem) == 0 ? 0 : 1;
  }
  if (replaying->parsed()) return replay(std::move(of_replay));
  if (deciding->parsed()) return decide(of_decide);
  if (breaking->parsed()) leave(run_chaos(std::move(of_chaos)));
  if (coallocating->parsed()) leave(run_coallocate(of_coallocate));
  leave(world.scenarios.empty() ? storms(world) : play_all(world));
}
