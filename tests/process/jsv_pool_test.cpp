// JSVs as processes: they answer, are asked again, and do no harm when they misbehave.
#include "actors/process/jsv_pool.hpp"

#include "master/hook_program.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <fstream>

using namespace almanac;

namespace {

class GivenAJsv : public testing::Test {
protected:
  GivenAJsv() {
    char name[] = "/tmp/almanac-jsv-XXXXXX";
    folder = ::mkdtemp(name);
  }
  ~GivenAJsv() override { std::filesystem::remove_all(folder); }

  /// What it does with START and with BEGIN; its url.
  std::string script(const std::string& at_start, const std::string& at_begin) const {
    const auto path = folder + "/jsv";
    std::ofstream(path) << "#!/bin/sh\necho $$ >> " << folder
                        << "/pids\nwhile read -r word rest; do\n"
                        << "case $word in\nSTART) " << at_start << ";;\nBEGIN) " << at_begin
                        << ";;\nQUIT) exit 0;;\n*) last=\"$word $rest\";;\nesac\ndone\n";
    std::filesystem::permissions(path, std::filesystem::perms(0755));
    return "script:" + path;
  }
  JsvOutcome verify(const std::string& url) {
    return pool.verify(url, JsvDialogue({{"N", "sleeper"}}, {{"A", "1"}}));
  }
  /// How many processes there were.
  int started() const {
    std::ifstream pids(folder + "/pids");
    int count = 0;
    for (std::string line; std::getline(pids, line);) ++count;
    return count;
  }

  std::string folder;
  JsvPool pool{{{{"PATH", "/usr/bin:/bin"}}, "almanac", {}, std::chrono::milliseconds(1000)}};
};

constexpr const char* starts = "echo STARTED";

} // namespace

TEST_F(GivenAJsv, WhenItAnswersThenItIsAskedAgainAndNotStartedAgain) {
  const auto url = script("echo SEND ENV; echo STARTED",
                          "echo LOG INFO $last; echo PARAM N other; echo RESULT STATE CORRECT ok");
  for (int job = 0; job < 3; ++job) {
    const auto ended = verify(url);
    EXPECT_EQ(ended.failure, "");
    EXPECT_EQ(ended.verdict.state, JsvVerdict::State::correct);
    ASSERT_EQ(ended.verdict.log.size(), 1u);
    EXPECT_EQ(ended.verdict.log.front().text, "ENV ADD A 1");
    EXPECT_EQ(ended.verdict.changes.parameters, (std::vector<Attribute>{{"N", "other"}}));
  }
  EXPECT_EQ(started(), 1);
}

TEST_F(GivenAJsv, WhenItsFileIsAnotherThenThatOneIsAsked) {
  EXPECT_EQ(verify(script(starts, "echo RESULT STATE ACCEPT")).verdict.state,
            JsvVerdict::State::accept);
  EXPECT_EQ(verify(script(starts, "echo RESULT STATE REJECT not today")).verdict.text, "not today");
  EXPECT_EQ(started(), 2);
}

TEST_F(GivenAJsv, WhenItDiesHangsOrWritesGarbageThenItIsSaidAndAnotherIsStarted) {
  for (const auto& [at_begin, why] :
       {std::pair("echo no table >&2; exit 3", "it ended without a result (no table)"),
        {"kill -9 $$", "it ended without a result"},
        {"sleep 100", "it gave no result within 1 s"},
        {"echo hello", "it wrote \"hello\", which is not understood"},
        {"cat /dev/zero | head -c 10000000", "it wrote a line of more than 262144 bytes"},
        {"yes LOG INFO x", "it wrote more than 1000 lines with LOG"}}) {
    const auto begin = std::chrono::steady_clock::now();
    EXPECT_EQ(verify(script(starts, at_begin)).failure, why);
    EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(5));
  }
  EXPECT_EQ(verify(script(starts, "echo RESULT STATE ACCEPT")).failure, "");
  EXPECT_EQ(started(), 7);
}

TEST_F(GivenAJsv, WhenItDiesBetweenTwoJobsThenNobodySeesIt) {
  const auto url = script(starts, "echo RESULT STATE ACCEPT; exit 0");
  EXPECT_EQ(verify(url).failure, "");
  EXPECT_EQ(verify(url).failure, "");
  EXPECT_EQ(started(), 2);
}

TEST_F(GivenAJsv, WhenItReadsNothingThenNobodyWaitsLongerThanIsSaid) {
  const auto path = folder + "/deaf";
  std::ofstream(path) << "#!/bin/sh\necho STARTED\nsleep 100\n";
  std::filesystem::permissions(path, std::filesystem::perms(0755));
  const auto ended = pool.verify(path, JsvDialogue({{"N", std::string(2'000'000, 'x')}}, {}));
  EXPECT_EQ(ended.failure, "it gave no result within 1 s");
}

TEST_F(GivenAJsv, WhenItCannotBeStartedThenItIsSaidWhy) {
  EXPECT_EQ(verify("/nosuch/jsv").failure, "/nosuch/jsv: No such file or directory");
  EXPECT_EQ(pool.distrust("script:bob@/bin/true"),
            "the master runs as almanac and cannot start a JSV as bob");
  EXPECT_EQ(pool.distrust("script:almanac@/bin/true"), "");
  EXPECT_EQ(pool.distrust("none"), "");
}

TEST_F(GivenAJsv, WhenOthersMayWriteItByNowThenItIsAskedNothingMore) {
  JsvPool careful{{{{"PATH", "/usr/bin:/bin"}},
                   "almanac",
                   [](const auto& words) { return HookProgram().distrust(words); },
                   std::chrono::milliseconds(1000)}};
  script(starts, "echo RESULT STATE ACCEPT");
  const auto path = folder + "/jsv";
  for (const auto& url : {"script:" + path, "command:/bin/sh " + path}) {
    const auto failure = [&] { return careful.verify(url, JsvDialogue({{"N", "x"}}, {})).failure; };
    const auto before = started();
    EXPECT_EQ(failure(), "");
    std::filesystem::permissions(path, std::filesystem::perms(0777));
    EXPECT_EQ(failure(), path + " may be written by others");
    EXPECT_EQ(careful.distrust(url), path + " may be written by others");
    std::filesystem::permissions(path, std::filesystem::perms(0755));
    EXPECT_EQ(failure(), "");
    EXPECT_EQ(started(), before + 2) << "the one of before may have been written";
  }
}

TEST_F(GivenAJsv, WhenItIsStartedThenItMayNotFillAllMemory) {
  const auto url = script(starts, "echo RESULT STATE REJECT $(ulimit -d)");
  EXPECT_EQ(verify(url).verdict.text, "1048576");
}
