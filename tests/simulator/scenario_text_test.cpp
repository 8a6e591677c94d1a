#include "tools/simulator/world/scenario_text.hpp"

#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>
#include <sstream>

#include <unistd.h>

using namespace almanac;
using Lines = std::vector<std::string>;

namespace {

class GivenTheTextOfAScenario : public testing::Test {
public:
  ~GivenTheTextOfAScenario() override { std::remove(path.c_str()); }

  ScenarioText read(const std::string& content) {
    std::ofstream(path) << content;
    auto text = ScenarioText::read(path);
    EXPECT_TRUE(text.ok());
    return std::move(*text);
  }
  std::string written() const {
    std::stringstream all;
    all << std::ifstream(path).rdbuf();
    return all.str();
  }
  static std::string as_it_is(std::string text) { return text; }

  const std::string path = testing::TempDir() + "scenario." + std::to_string(getpid()) + ".txt";
};

} // namespace

TEST_F(GivenTheTextOfAScenario, WhenItIsReadThenACommandHasWhatIsToBeSeenBelowIt) {
  auto text = read("$ qstat\njob 1 *\n  -> 1\n$ qhost\n(nothing)\n\n# the end\n");
  EXPECT_EQ(text.next(), "$ qstat");
  const auto first = text.expectation(as_it_is);
  EXPECT_EQ(first.lines, (Lines{"job 1 *"}));
  EXPECT_EQ(first.code, 1);
  EXPECT_TRUE(first.fits({"job 1 runs"}, 1));
  EXPECT_FALSE(first.fits({"job 1 runs"}, 0));
  EXPECT_FALSE(first.fits({"job 2 runs"}, 1));
  EXPECT_EQ(text.number(), 4u);
  EXPECT_EQ(text.next(), "$ qhost");
  const auto second = text.expectation(as_it_is);
  EXPECT_TRUE(second.is_nothing());
  EXPECT_TRUE(second.fits({}, 0));
  EXPECT_FALSE(second.fits({"a line"}, 0));
  EXPECT_TRUE(Expectation().fits({"anything"}, 0)) << "it is not looked at";
}

TEST_F(GivenTheTextOfAScenario, WhenAFileStandsInItThenItGoesToItsEnd) {
  auto text = read("file a\n  one {x}\nend file\nwait 1s\n");
  EXPECT_EQ(text.next(), "file a");
  const auto x = [](std::string line) { return line.replace(line.find("{x}"), 3, "1"); };
  EXPECT_EQ(text.file(x), "  one 1\n");
  EXPECT_EQ(text.next(), "wait 1s");
  auto cut = read("file a\nno end");
  cut.next();
  EXPECT_EQ(cut.file(as_it_is), "no end\n");
  EXPECT_TRUE(cut.at_end());
}

TEST_F(GivenTheTextOfAScenario, WhenSomethingElseCameThenOnlyThoseLinesAreWrittenAnew) {
  const std::string content = "# kept\n$ a\nin {dir}\nold\n$ b\n(nothing)\n";
  auto text = read(content);
  const auto dir = [](std::string line) {
    const auto at = line.find("{dir}");
    return at == std::string::npos ? line : line.replace(at, 5, "/tmp/s");
  };
  text.next(), text.next();
  const auto first = text.expectation(dir);
  ASSERT_TRUE(text.replace(first, {"in /tmp/s", "new in /tmp/s/x"}, 2, "/tmp/s").ok());
  EXPECT_EQ(written(), content) << "before the end nothing is written";
  text.next();
  ASSERT_TRUE(text.replace(text.expectation(dir), {"something"}, 0, "/tmp/s").ok());
  EXPECT_EQ(text.changes(), 2u);
  ASSERT_TRUE(text.write().ok());
  EXPECT_EQ(written(), "# kept\n$ a\nin {dir}\nnew in {dir}/x\n-> 2\n$ b\nsomething\n");
}
