// The files of the schedule trace (spec/scheduling.md S11.1, S11.15 to S11.17).
#include "master/schedule_trace_file.hpp"

#include <gtest/gtest.h>

#include <csignal>
#include <cstdlib>
#include <ctime>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <sys/resource.h>
#include <sys/stat.h>

using namespace almanac;

namespace {

constexpr std::int64_t day = 24 * 3600;
constexpr Instant evening{1'795'637'701}; // 25 November 2026, 20:15:01

std::string new_folder() {
  char name[] = "/tmp/almanac-schedule-XXXXXX";
  return ::mkdtemp(name);
}

class GivenAScheduleTrace : public ::testing::Test {
public:
  GivenAScheduleTrace() { file.follow({{7 * day}, 1}); }
  ~GivenAScheduleTrace() override { std::filesystem::remove_all(folder); }

  std::string text(const std::string& name) const {
    std::stringstream all;
    all << std::ifstream(folder + "/" + name).rdbuf();
    return all.str();
  }
  void put(const std::string& name, const std::string& content) const {
    std::ofstream(folder + "/" + name) << content;
  }
  std::size_t files() const {
    return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(folder), {}));
  }

  const std::string folder = new_folder();
  ScheduleTraceFile file{folder + "/schedule"};
};

} // namespace

TEST_F(GivenAScheduleTrace, WhenADayIsOverThenItBecomesAPieceAndTheLastRunIsInTheFile) {
  file.append({"::::::::", "one"}, evening);
  file.append({"::::::::", "two"}, evening + Duration{60});
  EXPECT_EQ(text("schedule"), "::::::::\none\n::::::::\ntwo\n");
  file.append({"::::::::", "three"}, evening + Duration{day});
  EXPECT_EQ(text("schedule.20261125T201601"), "::::::::\none\n::::::::\ntwo\n");
  EXPECT_EQ(text("schedule"), "::::::::\nthree\n");
}

TEST_F(GivenAScheduleTrace, WhenTheMasterBeginsAnewThenTheFileItselfSaysWhenItsLastRunWas) {
  put("schedule", "old\n");
  const timespec then[2]{{evening.seconds, 0}, {evening.seconds, 0}};
  ASSERT_EQ(::utimensat(AT_FDCWD, (folder + "/schedule").c_str(), then, 0), 0);
  file.append({"new"}, evening + Duration{day});
  EXPECT_EQ(text("schedule.20261125T201501"), "old\n");
  EXPECT_EQ(text("schedule"), "new\n");
}

TEST_F(GivenAScheduleTrace, WhenMuchIsWrittenThenNoMoreIsKeptThanIsSaid) {
  put("schedule.old", "not ours");
  const std::string run(100'000, 'x');
  for (int second = 0; second < 50; ++second) file.append({run}, evening + Duration{second});
  std::size_t bytes = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) bytes += entry.file_size();
  EXPECT_LE(bytes, 1u << 20);
  EXPECT_GE(bytes, 9 * run.size());
  EXPECT_TRUE(text("schedule").ends_with(run + "\n"));
  EXPECT_EQ(text("schedule.old"), "not ours");
}

TEST_F(GivenAScheduleTrace, WhenNothingIsWrittenThenPiecesGrowOldAllTheSame) {
  file.append({"one"}, evening);
  file.append({"two"}, evening + Duration{day});
  file.clear_away(evening + Duration{7 * day - 1});
  EXPECT_EQ(files(), 2u);
  file.clear_away(evening + Duration{8 * day});
  EXPECT_EQ(files(), 1u);
  EXPECT_EQ(text("schedule"), "two\n") << "the file itself stays";
}

TEST_F(GivenAScheduleTrace, WhenTwoPiecesWouldHaveOneNameThenNoLineIsLost) {
  const std::string run(100'000, 'x');
  for (int runs = 0; runs < 3; ++runs) file.append({run}, evening);
  EXPECT_EQ(text("schedule").size() + text("schedule.20261125T201501").size(),
            3 * (run.size() + 1));
}

TEST_F(GivenAScheduleTrace, WhenACrashHasLeftPartOfARunThenTheNextOneBeginsALine) {
  put("schedule", "::::::::\n1:1:STA");
  file.append({"::::::::"}, Instant{::time(nullptr)});
  EXPECT_EQ(text("schedule"), "::::::::\n1:1:STA\n::::::::\n");
}

TEST_F(GivenAScheduleTrace, WhenItIsALinkThenItStaysOne) {
  put("elsewhere", "old\n");
  std::filesystem::create_symlink(folder + "/elsewhere", folder + "/schedule");
  file.append({"one"}, evening);
  file.append({"two"}, evening + Duration{day});
  EXPECT_EQ(text("elsewhere"), "old\none\ntwo\n");
  EXPECT_EQ(files(), 2u);
}

TEST_F(GivenAScheduleTrace, WhenItCannotBeWrittenThenTheNextRunsAreWrittenOnceItCan) {
  std::filesystem::create_directory(folder + "/schedule");
  file.append({"one"}, evening);
  std::filesystem::remove(folder + "/schedule");
  file.append({"two"}, evening);
  EXPECT_EQ(text("schedule"), "two\n");
}

// In a process of its own, whose files have a limit.
TEST_F(GivenAScheduleTrace, WhenTheDiskIsFullThenNoPartOfARunIsWritten) {
  const auto write_beyond_limit = [&] {
    ::signal(SIGXFSZ, SIG_IGN);
    file.append({"one"}, evening);
    const rlimit limit{20, RLIM_INFINITY};
    ::setrlimit(RLIMIT_FSIZE, &limit);
    file.append({std::string(50, 'x')}, evening);
    file.append({"three"}, evening);
    std::_Exit(0);
  };
  EXPECT_EXIT(write_beyond_limit(), ::testing::ExitedWithCode(0), "");
  EXPECT_EQ(text("schedule"), "one\nthree\n");
}
