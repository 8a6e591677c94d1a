// What almanac-coallocate has besides its rules: plans, the log, and ways to sites.
#include "core/coallocation/site_answer.hpp"
#include "tools/coallocate/decision_log.hpp"
#include "actors/trust/line_seal.hpp"
#include "tools/coallocate/plan_file.hpp"
#include "tools/coallocate/report.hpp"
#include "tools/coallocate/site_way.hpp"

#include <gtest/gtest.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sys/stat.h>
#include <unistd.h>

using namespace almanac;

namespace {

class PrivateFolder : public testing::Test {
protected:
  PrivateFolder() {
    char name[] = "/tmp/almanac-coallocate-XXXXXX";
    folder = ::mkdtemp(name);
  }
  ~PrivateFolder() override { std::filesystem::remove_all(folder); }

  std::string write(const std::string& name, const std::string& text, mode_t mode) const {
    const auto file = folder + "/" + name;
    std::ofstream(file, std::ios::binary) << text;
    ::chmod(file.c_str(), mode);
    return file;
  }
  // Whether any file below holds this text.
  bool holds(const std::string& text) const {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
      if (!entry.is_regular_file()) continue;
      std::ifstream file(entry.path(), std::ios::binary);
      const std::string content(std::istreambuf_iterator<char>(file), {});
      if (content.find(text) != std::string::npos) return true;
    }
    return false;
  }

  std::string folder;
};

const std::string two_sites = R"(
duration = "1:30:0"
earliest = 2026-12-01T08:00:00+01:00
latest = 1796200000
skew = 60
with = "NAME=both"
[[site]]
name = "beta"
host = "beta.example.org"
port = 6446
authority = "beta-ca.pem"
key_id = "ann"
secret = "/etc/secret"
user = "ann2"
resources = "NODES=2;SLOTS=4"
[[site]]
name = "alpha"
command = ["gmeta", "-i"]
environment = { ALMANAC_DIR = "/srv/cell" }
resources = "NODES=1"
)";

std::string refusal(const std::string& text) {
  const auto parsed = parse_plan_file(text, "/plans", "ann");
  return parsed ? "" : parsed.what();
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  return text.replace(text.find(from), from.size(), to);
}

} // namespace

TEST(GivenAPlanFile, WhenItIsReadThenItsSitesAreInTheOrderOfTheirNames) {
  const auto parsed = parse_plan_file(two_sites, "/plans", "ann");
  ASSERT_TRUE(parsed.ok()) << parsed.what();
  const auto& plan = parsed->plan;
  EXPECT_EQ(plan.duration, Duration{5400});
  EXPECT_EQ(plan.earliest, Instant{1796108400});
  EXPECT_EQ(plan.latest, Instant{1796200000});
  EXPECT_EQ(plan.skew, Duration{60});
  EXPECT_EQ(plan.sites.at(0).name, "alpha");
  EXPECT_EQ(plan.sites.at(0).user, "ann");
  EXPECT_EQ(plan.sites.at(1).user, "ann2");
  EXPECT_EQ(parsed->places.at(0).command, (std::vector<std::string>{"gmeta", "-i"}));
  EXPECT_EQ(parsed->places.at(1).authority, "/plans/beta-ca.pem");
  EXPECT_EQ(parsed->places.at(1).secret_file, "/etc/secret");
}

TEST(GivenAPlanFile, WhenSomethingIsWrongThenTheLineIsNamed) {
  EXPECT_EQ(refusal(replaced(two_sites, "skew = 60", "skews = 60")).substr(0, 39),
            "line 5: skews: \"skews\" is not a setting");
  EXPECT_EQ(refusal(replaced(two_sites, "port = 6446", "port = 0")),
            "line 10: site: a number from 1 to 65535 is expected");
  EXPECT_NE(refusal(replaced(two_sites, "key_id = \"ann\"\n", "")), "");
  EXPECT_NE(refusal(replaced(two_sites, "key_id", "certificate = \"c\"\nkey = \"k\"\nkey_id")), "");
  EXPECT_NE(refusal(replaced(two_sites, "command = [\"gmeta\", \"-i\"]\n", "")), "");
  EXPECT_NE(refusal(replaced(two_sites, "+01:00", "")), "");
  EXPECT_NE(refusal(replaced(two_sites, "\"1:30:0\"", "\"soon\"")), "");
  EXPECT_NE(refusal(replaced(two_sites, "\"alpha\"", "\"beta\"")), "");
  EXPECT_NE(refusal(replaced(two_sites, "skew = 60", "skew = ")), "");
  EXPECT_NE(refusal("duration = 5"), "");
  EXPECT_NE(refusal(""), "");
}

TEST_F(PrivateFolder, WhenARecordIsPutThenItIsThereAfterAStartUntilItIsDropped) {
  const CoallocationRecord record{
      "a1", 2, CoallocationVerdict::commit, {{"alpha", Instant{5}, "R1", "v1.k", Duration{-3}}}};
  const PlanSource plan{"duration = 5\n# a; b\\\n\ttab\n", "/plans", "ann"};
  {
    auto log = DecisionLog::open(folder + "/log");
    ASSERT_TRUE(log.ok()) << log.what();
    ASSERT_TRUE((*log)->put(record, plan).ok());
    auto second = DecisionLog::open(folder + "/log");
    ASSERT_FALSE(second.ok());
    EXPECT_NE(second.what().find("another almanac-coallocate"), std::string::npos) << second.what();
  }
  auto log = DecisionLog::open(folder + "/log");
  ASSERT_TRUE(log.ok()) << log.what();
  const auto entries = (*log)->entries();
  ASSERT_TRUE(entries.ok() && entries->size() == 1);
  EXPECT_EQ(entries->front().record, record);
  EXPECT_EQ(entries->front().plan.text, plan.text);
  ASSERT_TRUE((*log)->drop("a1").ok());
  EXPECT_TRUE((*log)->entries()->empty());
}

TEST_F(PrivateFolder, WhenOthersMayReadTheLogThenItIsRefused) {
  std::filesystem::create_directory(folder + "/log");
  ::chmod((folder + "/log").c_str(), 0755);
  const auto log = DecisionLog::open(folder + "/log");
  ASSERT_FALSE(log.ok());
  EXPECT_NE(log.what().find("can be read by others"), std::string::npos) << log.what();
}

TEST_F(PrivateFolder, WhenSomebodyElseHasMadeTheLogsFolderThenItIsRefused) {
  std::filesystem::create_directory(folder + "/log");
  ::chmod((folder + "/log").c_str(), 0700);
  if (::chown((folder + "/log").c_str(), 1, 1) != 0) GTEST_SKIP() << "only root gives it away";
  const auto log = DecisionLog::open(folder + "/log");
  ASSERT_FALSE(log.ok());
  EXPECT_NE(log.what().find("belongs to uid 1"), std::string::npos) << log.what();
}

// What is deleted would stay in the files of the store until it has grown.
TEST_F(PrivateFolder, WhenAnEndWasToldThenNoFileHoldsItsKeyAnyMore) {
  const std::string key = "v1.R1.once-told-key";
  const PlanSource plan{"duration = 5\n", "/plans", "ann"};
  const auto put = [&](DecisionLog& log, const char* id, CoallocationVerdict verdict) {
    const CoallocationRecord record{id, 1, verdict, {{"alpha", Instant{5}, "R1", key, {}}}};
    EXPECT_TRUE(log.put(record, plan).ok());
  };
  for (const bool in_one_start : {true, false}) {
    {
      auto log = DecisionLog::open(folder + "/log");
      ASSERT_TRUE(log.ok()) << log.what();
      put(**log, "a1", CoallocationVerdict::undecided);
      put(**log, "a1", CoallocationVerdict::commit);
      EXPECT_TRUE(holds(key));
      if (in_one_start) {
        EXPECT_TRUE((*log)->drop("a1").ok());
      }
    }
    auto log = DecisionLog::open(folder + "/log");
    ASSERT_TRUE(log.ok()) << log.what();
    if (!in_one_start) {
      EXPECT_TRUE(holds(key) && (*log)->drop("a1").ok());
    }
    EXPECT_FALSE(holds(key));
  }
}

TEST_F(PrivateFolder, WhenASecretIsReadThenItIsLongEnoughAndNobodyElseMayReadIt) {
  const std::string bytes(40, 's');
  const auto secret = read_line_secret(write("good", bytes + "\n", 0600));
  ASSERT_TRUE(secret.ok()) << secret.what();
  EXPECT_EQ(secret->bytes(), bytes);
  EXPECT_FALSE(read_line_secret(write("short", "abc", 0600)).ok());
  EXPECT_FALSE(read_line_secret(write("long", std::string(1025, 'x'), 0600)).ok());
  EXPECT_FALSE(read_line_secret(write("open", bytes, 0640)).ok());
  EXPECT_FALSE(read_line_secret(folder + "/none").ok());
  EXPECT_FALSE(read_line_secret(folder).ok());
}

// M2.7
TEST(GivenALineAndASecret, WhenItIsSealedThenConnectionNumberAndTextCount) {
  const LineSecret secret{"ann", Wiped(std::string(32, 's'))};
  const auto sealed = [&](const char* line, char binding, std::int64_t number) {
    return sealed_line(line, secret, std::string(32, binding), number);
  };
  const auto one = sealed("HELLO USER=ann", 'b', 1);
  EXPECT_EQ(one.substr(0, 36), "HELLO USER=ann;X_KEYID=ann;X_HMAC=" + one.substr(34, 2));
  EXPECT_EQ(one.size(), 34U + 64U);
  EXPECT_EQ(one, sealed("HELLO USER=ann", 'b', 1));
  EXPECT_NE(one, sealed("HELLO USER=ann", 'b', 2));
  EXPECT_NE(one, sealed("HELLO USER=ann", 'c', 1));
}

TEST(GivenBytesOfASite, WhenTheyAreCutThenLinesAreBounded) {
  LineCutter cutter;
  EXPECT_EQ(*cutter.take("SC=0"), std::vector<std::string>{});
  EXPECT_EQ(*cutter.take(";A=1\r\nSC=-1\n\nSC"),
            (std::vector<std::string>{"SC=0;A=1", "SC=-1", ""}));
  const std::string most(longest_answer_line, 'a');
  EXPECT_TRUE(LineCutter().take(most + "\n").ok());
  EXPECT_FALSE(LineCutter().take(most + "a\n").ok());
  EXPECT_FALSE(LineCutter().take(most + "ab").ok());
}

namespace {

// Waits as the coordinator does, until a line comes or the way ends.
Result<std::string> next_line(SiteWay& way) {
  for (int i = 0; i < 200; ++i) {
    auto descriptors = way.waits_for();
    ::poll(descriptors.data(), descriptors.size(), 50);
    auto lines = way.work();
    if (!lines) return lines.error();
    if (!lines->empty()) return lines->front();
  }
  return Error{"nothing came"};
}

} // namespace

TEST(GivenASiteWithAProgram, WhenALineIsSentThenItsAnswerComes) {
  SitePlace place;
  place.command = {"sh", "-c", "while read line; do echo \"SC=0;SAID=$line $CELL\"; done"};
  place.environment = {{"CELL", "one"}};
  const auto way = open_way(place);
  ASSERT_TRUE(way.ok()) << way.what();
  for (const char* line : {"HELLO", "COMMIT"}) {
    (*way)->send(line);
    const auto answer = next_line(**way);
    ASSERT_TRUE(answer.ok()) << answer.what();
    EXPECT_EQ(*answer, "SC=0;SAID=" + std::string(line) + " one");
  }
}

TEST(GivenASiteWithAProgram, WhenItEndsOrIsNotThereThenTheWayEnds) {
  SitePlace place;
  place.command = {"true"};
  const auto way = open_way(place);
  ASSERT_TRUE(way.ok()) << way.what();
  EXPECT_FALSE(next_line(**way).ok());
  place.command = {"/nowhere/gmeta"};
  EXPECT_FALSE(open_way(place).ok());
}

TEST(GivenASiteWithAProgram, WhenTheWayIsGivenUpThenItsProgramIsKilledAndReapedLater) {
  SitePlace place;
  place.command = {"sh", "-c", "echo $$; sleep 1000"};
  auto way = open_way(place);
  ASSERT_TRUE(way.ok()) << way.what();
  const auto number = next_line(**way);
  ASSERT_TRUE(number.ok()) << number.what();
  const auto process = static_cast<pid_t>(std::stol(*number));
  way->reset();
  place.command = {"true"};
  for (int i = 0; i < 1'000 && ::kill(process, 0) == 0; ++i) {
    ::usleep(10'000);
    EXPECT_TRUE(open_way(place).ok());
  }
  EXPECT_NE(::kill(process, 0), 0);
}

TEST_F(PrivateFolder, WhenAPortAnswersNoTlsOrIsClosedThenTheWayEnds) {
  SitePlace place;
  place.name = "z", place.host = "127.0.0.1", place.port = 1;
  place.key_id = "ann", place.secret_file = write("secret", std::string(40, 's'), 0600);
  place.authority = folder + "/none.pem";
  EXPECT_FALSE(open_way(place).ok());
}

TEST(GivenAnEnd, WhenItIsReportedThenItsLinesAreTokensAndItsObjectHasTheSame) {
  CoallocationOutcome outcome{
      CoallocationEnd::all,
      {{{"alpha", Instant{5}, "R14", "v1.k", {}}, SiteState::committed, ""}},
      ""};
  EXPECT_EQ(report_lines("x", outcome),
            "COALLOCATION=x;END=all\n"
            "SITE=alpha;STATE=committed;RESID=R14;STARTTIME=5;RESKEY=v1.k\n");
  EXPECT_EQ(report_json("x", outcome),
            R"({"coallocation":"x","end":"all","sites":[{"site":"alpha","state":"committed",)"
            R"("reservation":"R14","start_time":5,"reservation_key":"v1.k"}]})"
            "\n");
  outcome.end = CoallocationEnd::none, outcome.why = "b: no; never";
  EXPECT_EQ(report_lines("x", outcome), "COALLOCATION=x;END=none;MSG=b\\: no\\; never\n");
}
