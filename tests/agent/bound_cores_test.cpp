// Cores that shepherds take for their tasks (C3.51).
#include "agent/shepherd/bound_cores.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <sched.h>
#include <sstream>
#include <unistd.h>

using namespace almanac;

namespace {

namespace fs = std::filesystem;

class GivenAHostWithCores : public testing::Test {
protected:
  GivenAHostWithCores() {
    char folder[] = "/tmp/almanac-cores-XXXXXX";
    place = ::mkdtemp(folder);
  }
  ~GivenAHostWithCores() override { fs::remove_all(place); }

  ShepherdOrder order(const std::string& binding, const std::string& marker) const {
    ShepherdOrder made;
    made.binding = binding, made.marker = marker, made.cores = place / "cores";
    return made;
  }
  // Told only, unless the binding says something else: this process stays as it is.
  std::unique_ptr<BoundCores> take(const std::string& binding, const std::string& marker) {
    told = order(binding, marker);
    told.job.environment = {{"SGE_BINDING", "inherited"}};
    return std::make_unique<BoundCores>(told, place, cores);
  }
  std::string variable() const {
    const auto& list = told.job.environment;
    return list.empty() ? "(none)" : list.front().value;
  }
  void write(const fs::path& path, const std::string& text) const {
    fs::create_directories(path.parent_path());
    std::ofstream(path) << text;
  }
  static std::string content(const fs::path& path) {
    std::ostringstream text;
    text << std::ifstream(path).rdbuf();
    return text.str();
  }

  fs::path place;
  ShepherdOrder told;
  std::vector<HostCore> cores{
      {{0, 0}, {0, 4}}, {{0, 1}, {1, 5}}, {{1, 0}, {2, 6}}, {{1, 1}, {3, 7}}};
};

} // namespace

TEST_F(GivenAHostWithCores, WhenTasksAreBoundThenEachHasCoresOfItsOwn) {
  const auto first = take("env linear:2", "s/1.0.1");
  EXPECT_EQ(variable(), "0 1 4 5");
  const auto second = take("env linear:1", "s/2.0.1");
  EXPECT_EQ(variable(), "2 6");
  const auto third = take("env linear:1", "s/3.0.1");
  EXPECT_EQ(variable(), "3 7");
}

TEST_F(GivenAHostWithCores, WhenNotEnoughIsFreeThenTheTaskIsUnboundAndTakesNothing) {
  const auto first = take("env explicit:0,0:1,0", "s/1.0.1");
  EXPECT_EQ(variable(), "0 2 4 6");
  EXPECT_TRUE(take("env linear:3", "s/2.0.1")->names().empty());
  EXPECT_EQ(variable(), "(none)") << "what it was submitted with says nothing about it";
  const auto third = take("env linear:2", "s/3.0.1");
  EXPECT_EQ(variable(), "1 3 5 7");
}

TEST_F(GivenAHostWithCores, WhenATaskEndsThenItsCoresAreFree) {
  take("env linear:4", "s/1.0.1");
  EXPECT_EQ(take("env linear:4", "s/2.0.1")->names().size(), 4u);
}

TEST_F(GivenAHostWithCores, WhenAnotherProcessOfATaskComesThenItHasTheSameCoresToItsEnd) {
  auto first = take("env linear:2", "s/1.0.1");
  const auto call = take("env linear:2", "s/1.0.1");
  EXPECT_EQ(variable(), "0 1 4 5");
  first.reset();
  const auto other = take("env linear:2", "s/2.0.1");
  EXPECT_EQ(variable(), "2 3 6 7");
}

TEST_F(GivenAHostWithCores, WhenAParallelJobAsksWithPeThenItsHostFileNamesThem) {
  write(place / "pe_hostfile", "h1 2 all.q@h1 UNDEFINED\nh2 1 all.q@h2 UNDEFINED\n");
  const auto bound = take("pe linear:2", "s/1.0.1");
  EXPECT_EQ(content(place / "pe_hostfile"), "h1 2 all.q@h1 0,0:0,1\nh2 1 all.q@h2 0,0:0,1\n");
  EXPECT_EQ(variable(), "0 1 4 5");
}

TEST_F(GivenAHostWithCores, WhenItCantBeBoundThenItHoldsNothing) {
  cores = {{{0, 0}, {8'000}}};
  EXPECT_TRUE(take("set linear:1", "s/1.0.1")->names().empty()) << "there is no such processor";
  const auto bound = take("env linear:1", "s/2.0.1");
  EXPECT_EQ(print_cores(bound->names()), "0,0");
}

TEST_F(GivenAHostWithCores, WhenAProcessIsBoundThenTheSystemKnowsIt) {
  cpu_set_t before, after;
  ASSERT_EQ(::sched_getaffinity(0, sizeof before, &before), 0);
  cores = cores_of_host();
  const auto bound = take("set linear:1", "s/1.0.1");
  ASSERT_EQ(::sched_getaffinity(0, sizeof after, &after), 0);
  ::sched_setaffinity(0, sizeof before, &before);
  if (cores.empty()) GTEST_SKIP() << "this system does not tell of its cores";
  ASSERT_FALSE(bound->processors().empty());
  EXPECT_EQ(CPU_COUNT(&after), static_cast<int>(bound->processors().size()));
  for (const auto number : bound->processors())
    EXPECT_TRUE(CPU_ISSET(static_cast<std::size_t>(number), &after)) << number;
}

TEST_F(GivenAHostWithCores, WhenTheSystemNumbersThemWithHolesThenTheirNamesHaveNone) {
  const auto processor = [&](const std::string& name, const std::string& socket,
                             const std::string& core) {
    write(place / "cpu" / name / "topology/physical_package_id", socket + "\n");
    write(place / "cpu" / name / "topology/core_id", core + "\n");
  };
  processor("cpu0", "3", "8"), processor("cpu1", "3", "2"), processor("cpu2", "7", "2");
  write(place / "cpu/cpufreq/policy", "no processor");
  write(place / "cpu/cpu9/online", "0\n");
  std::vector<CoreName> names;
  for (const auto& core : cores_of_host(place / "cpu")) names.push_back(core.name);
  EXPECT_EQ(cores_of_machine(place / "cpu").size(), names.size());
  EXPECT_EQ(names, (std::vector<CoreName>{{0, 0}, {0, 1}, {1, 0}}));
}
