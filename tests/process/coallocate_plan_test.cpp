// What almanac-coallocate looks at before it begins a plan, and what becomes of the programs that
// lead to sites when it is told to end.
#include "tools/coallocate/plan_check.hpp"
#include "tools/coallocate/site_way.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>

using namespace almanac;

namespace {

std::string plan_of(const std::string& resources, const std::string& settings = "",
                    const std::string& way = "command = [\"gmeta\", \"-i\"]") {
  return "duration = 3600\n" + settings +
         "\n[[site]]\nname = \"alpha\"\ncommand = [\"gmeta\", \"-i\"]\nresources = \"NODES=1\"\n"
         "[[site]]\nname = \"beta\"\nresources = \"" +
         resources + "\"\n" + way + "\n";
}

std::string refusal(const std::string& text) {
  const auto parsed = parse_plan_file(text, "/plans", "ann");
  if (!parsed) return parsed.what();
  const auto checked = check_plan(*parsed);
  return checked ? "" : checked.what();
}

bool ends_within(SiteWay& way, std::chrono::milliseconds time) {
  const auto until = std::chrono::steady_clock::now() + time;
  while (!way.has_ended()) {
    if (std::chrono::steady_clock::now() > until) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return true;
}

std::unique_ptr<SiteWay> way_of(const std::string& script) {
  SitePlace place;
  place.command = {"sh", "-c", script};
  auto way = open_way(place);
  EXPECT_TRUE(way.ok()) << way.what();
  return way ? *std::move(way) : nullptr;
}

} // namespace

// Section 3: each token is known, stands once, and makes sense.
TEST(GivenAPlanToBegin, WhenASiteWouldNotTakeItsResourcesThenItIsRefused) {
  EXPECT_EQ(refusal(plan_of("NODES=2;SLOTS=4;MEM=4G;L=arch:lx-amd64;X_SEEN=1")), "");
  EXPECT_EQ(refusal(plan_of("NODES=1;NODES=2")), "site beta: resources: syntax: NODES is repeated");
  EXPECT_EQ(refusal(plan_of("NODES=1;CORES=2")), "site beta: resources: unknown token CORES");
  EXPECT_EQ(refusal(plan_of("NODES=1;NAME=both")),
            "site beta: resources: unknown token NAME, which stands in \"with\"");
  EXPECT_EQ(refusal(plan_of("NODES=none")), "site beta: resources: bad value for NODES");
  EXPECT_EQ(refusal(plan_of("MEM=4G")), "site beta: resources: missing token RES");
}

TEST(GivenAPlanToBegin, WhenASiteWouldNotTakeWhatBelongsToReservationsThenItIsRefused) {
  EXPECT_EQ(refusal(plan_of("NODES=1", "with = \"NAME=both\"")), "");
  EXPECT_EQ(refusal(plan_of("NODES=1", "with = \"NAME=1bad\"")), "with: bad value for NAME");
  EXPECT_EQ(refusal(plan_of("NODES=1", "with = \"PUBKEY=abc\"")), "with: bad value for PUBKEY");
  EXPECT_EQ(refusal(plan_of("NODES=1", "with = \"CORES=1\"")), "with: unknown token CORES");
  EXPECT_EQ(refusal(plan_of("NODES=1", "with = \"NODES=2\"")), "with: syntax: NODES is repeated");
}

TEST(GivenAPlanToBegin, WhenItsFilesCannotBeReadThenTheFirstOneIsNamed) {
  const auto way = "host = \"beta.example.org\"\nport = 6446\nauthority = \"/nowhere/ca.pem\"\n"
                   "certificate = \"c.pem\"\nkey = \"c.key\"";
  EXPECT_EQ(refusal(plan_of("NODES=1", "", way)),
            "site beta: can't read /nowhere/ca.pem: No such file or directory");
}

// M5.5
TEST(GivenAPlanToBegin, WhenTheLeadIsTooShortThenItIsRefused) {
  EXPECT_EQ(refusal(plan_of("NODES=1", "lead = 30")),
            "lead is at least three times answer_within, and margin: 100 s, not 30");
  EXPECT_EQ(refusal(plan_of("NODES=1", "lead = 30\nanswer_within = 5")), "");
}

TEST(GivenAPlanToBegin, WhenATimeIsNoneThenItSaysWhatIsRight) {
  const auto why = [](const std::string& value) {
    return refusal(plan_of("NODES=1", "skew = " + value));
  };
  const std::string expected =
      "line 2: skew: whole seconds, or a time such as \"2:0:0\", are expected";
  EXPECT_EQ(why("1.5"), expected);
  EXPECT_EQ(why("true"), expected);
  EXPECT_EQ(why("\"soon\""), expected);
  EXPECT_EQ(why("\"0:0:20\""), "");
}

TEST(GivenAProgramThatIgnoresTheEndOfItsInput, WhenItIsToldToEndThenItDoes) {
  const auto way = way_of("sleep 100; true");
  ASSERT_TRUE(way);
  EXPECT_FALSE(ends_within(*way, std::chrono::milliseconds(200)));
  way->ask_to_end();
  EXPECT_TRUE(ends_within(*way, std::chrono::seconds(20)));
}

TEST(GivenAProgramThatIgnoresWhatItIsTold, WhenItsWayIsClosedThenItHasEnded) {
  auto way = way_of("trap '' TERM; echo ready; while :; do sleep 0.1; done");
  ASSERT_TRUE(way);
  for (int i = 0; i < 400; ++i) {
    const auto lines = way->work();
    if (!lines || !lines->empty()) break;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  way->ask_to_end();
  EXPECT_FALSE(ends_within(*way, std::chrono::milliseconds(200)));
  way.reset(); // waits for it
}
