// Hooks as processes (spec/beyond.md section 8).
#include "master/hook_program.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>

using namespace almanac;

namespace {

class GivenAHook : public ::testing::Test {
public:
  GivenAHook() {
    char name[] = "/tmp/almanac-hook-XXXXXX";
    folder = ::mkdtemp(name);
  }
  ~GivenAHook() override { std::filesystem::remove_all(folder); }

  std::string script(const std::string& text) const {
    const auto path = folder + "/hook";
    std::ofstream(path) << "#!/bin/sh\n" << text;
    std::filesystem::permissions(path, std::filesystem::perms(0755));
    return path;
  }
  HookOutcome run(const std::string& text, std::int64_t seconds = 30) const {
    return HookProgram().run({{script(text), "$(touch x)"},
                              {{"PATH", "/usr/bin:/bin"}, {"AR_ID", "7"}},
                              "{\"number\":7}",
                              {seconds}});
  }

  std::string folder;
};

} // namespace

// B8.4
TEST_F(GivenAHook, WhenItIsRunThenItHasItsWordsItsInputAndNothingElse) {
  const auto ran = run("echo \"$1\"; cat; echo; env | sort | grep -v '^\\(PWD\\|SHLVL\\|_\\)='\n");
  EXPECT_EQ(ran.failure, "");
  EXPECT_EQ(ran.output, "$(touch x)\n{\"number\":7}\nAR_ID=7\nPATH=/usr/bin:/bin\n");
}

TEST_F(GivenAHook, WhenItFailsThenItIsSaidHow) {
  const auto ran = run("echo no budget >&2; exit 3\n");
  EXPECT_EQ(ran.failure, folder + "/hook exited with 3");
  EXPECT_EQ(ran.output, "no budget\n");
  EXPECT_EQ(ran.errors, "no budget\n");
}

// B8.44, K1
TEST_F(GivenAHook, WhenItsTimeIsOverThenItIsEndedWithWhatItStarted) {
  const auto begin = std::chrono::steady_clock::now();
  const auto ran = run("sleep 60 & echo $! > " + folder + "/child; wait\n", 1);
  EXPECT_EQ(ran.failure, folder + "/hook took too long");
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(20));
  pid_t child = 0;
  std::ifstream(folder + "/child") >> child;
  ASSERT_GT(child, 1);
  std::string state = "Z";
  for (int look = 0; look < 50; ++look) {
    std::ifstream stat("/proc/" + std::to_string(child) + "/stat");
    std::string pid, command;
    state = "";
    if (!(stat >> pid >> command >> state) || state == "Z") break;
    ::usleep(20'000);
  }
  EXPECT_TRUE(state.empty() || state == "Z") << state;
}

// B8.43
TEST_F(GivenAHook, WhenItWritesMuchThenSoMuchIsKept) {
  const auto ran = run("head -c 1000000 /dev/zero | tr '\\0' x\n");
  EXPECT_EQ(ran.failure, "");
  EXPECT_EQ(ran.output.size(), HookProgram::most_output);
}

// B8.16
TEST_F(GivenAHook, WhenOthersCouldHaveWrittenItThenItIsNotRun) {
  const auto path = script("touch " + folder + "/ran\n");
  std::filesystem::permissions(path, std::filesystem::perms(0777));
  EXPECT_EQ(HookProgram().run({{path}, {}, "", {5}}).failure, path + " may be written by others");
  EXPECT_EQ(HookProgram().run({{"/bin/sh", path}, {}, "", {5}}).failure,
            path + " may be written by others");
  std::filesystem::remove(path);
  EXPECT_EQ(HookProgram().run({{path}, {}, "", {5}}).failure, path + ": No such file or directory");
  EXPECT_EQ(HookProgram().run({{folder}, {}, "", {5}}).failure, folder + " is no file");
  EXPECT_FALSE(std::filesystem::exists(folder + "/ran"));
}

// B8.16, B13.31
TEST_F(GivenAHook, WhenOthersCouldPutAnotherInItsPlaceThenItIsNotRun) {
  const auto path = script("touch " + folder + "/ran\n");
  EXPECT_EQ(HookProgram().distrust({path}), "");
  std::filesystem::permissions(path, std::filesystem::perms(0644));
  EXPECT_EQ(HookProgram().distrust({path}), path + " is not executable");
  std::filesystem::permissions(path, std::filesystem::perms(0755));
  std::filesystem::permissions(folder, std::filesystem::perms(0777));
  EXPECT_EQ(HookProgram().run({{path}, {}, "", {5}}).failure, folder + " may be written by others");
  std::filesystem::create_symlink(path, folder + "-link");
  EXPECT_EQ(HookProgram().distrust({folder + "-link"}), folder + " may be written by others");
  std::filesystem::remove(folder + "-link");
  std::filesystem::permissions(folder, std::filesystem::perms(01777)); // sticky, as /tmp
  EXPECT_EQ(HookProgram().distrust({path}), "");
  EXPECT_FALSE(std::filesystem::exists(folder + "/ran"));
}
