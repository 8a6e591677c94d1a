// The files of accounting and reporting: no line is missing, and none is there twice.
#include "master/record_file.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

using namespace almanac;

namespace {

std::string folder_for_records() {
  char name[] = "/tmp/almanac-records-XXXXXX";
  return ::mkdtemp(name);
}

class GivenARecordFile : public ::testing::Test {
public:
  ~GivenARecordFile() override { std::filesystem::remove_all(folder); }

  std::string lines() const {
    std::ifstream in(path);
    std::string line, all;
    while (std::getline(in, line))
      if (!line.starts_with('#')) all += line + "\n";
    return all;
  }
  void cut_off(const std::string& text) const { std::ofstream(path, std::ios::app) << text; }

  const std::string folder = folder_for_records(), path = folder + "/reporting";
  RecordFile file{path};
};

} // namespace

TEST_F(GivenARecordFile, WhenACrashLeavesPartOfALineThenItIsTakenBack) {
  EXPECT_EQ(file.recover(), 0);
  ASSERT_TRUE(file.append("one\n", 1));
  cut_off("two\nthr");
  RecordFile anew(path);
  EXPECT_EQ(anew.recover(), 1) << "of the second nobody knows";
  EXPECT_EQ(lines(), "one\n");
  ASSERT_TRUE(anew.append("two\nthree\n", 3));
  EXPECT_EQ(anew.recover(), 3);
  EXPECT_EQ(lines(), "one\ntwo\nthree\n");
}

TEST_F(GivenARecordFile, WhenNothingWasEverWrittenThenThereIsNoFile) {
  EXPECT_EQ(file.recover(), 0);
  EXPECT_FALSE(std::filesystem::exists(path));
}

TEST_F(GivenARecordFile, WhenItIsMovedAwayThenItBeginsAnewWithItsHeading) {
  ASSERT_TRUE(file.append("one\n", 1));
  std::filesystem::rename(path, path + ".old");
  ASSERT_TRUE(file.append("two\n", 2));
  EXPECT_EQ(lines(), "two\n");
  std::string first;
  std::ifstream(path) >> first;
  EXPECT_EQ(first, "#");
  RecordFile anew(path);
  EXPECT_EQ(anew.recover(), 2);
  EXPECT_EQ(lines(), "two\n");
}
