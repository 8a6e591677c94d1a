// Where an agent keeps copies of the cell's common files, and how commands find them (spec/objects.md
// O12.11, O12.12).
#include "actors/trust/keyring.hpp"
#include "agent/copies_folder.hpp"
#include "agent/helper/own_folders.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <sys/stat.h>

using namespace almanac;

namespace {

namespace fs = std::filesystem;

fs::path new_folder() {
  char name[] = "/tmp/almanac-copies-XXXXXX";
  return ::mkdtemp(name);
}

class GivenTheFolderOfAnAgent : public ::testing::Test {
public:
  const fs::path place = new_folder(), kept = place / "common_files",
                 common = place / "default" / "common";
  CopiesFolder copies{kept.string()};

  GivenTheFolderOfAnAgent() { fs::create_directory(kept); }
  ~GivenTheFolderOfAnAgent() override { fs::remove_all(place); }

  void link() const {
    const auto linked = link_common_files(place.string(), "default");
    EXPECT_TRUE(linked.ok()) << linked.what();
  }
  // As a command finds it; "-": there is none.
  std::string read(const std::string& name) const {
    std::ifstream file(common / name);
    std::stringstream all;
    all << file.rdbuf();
    return file.is_open() ? all.str() : "-";
  }
};

} // namespace

TEST_F(GivenTheFolderOfAnAgent, WhenACopyIsWrittenThenEverybodyMayReadItThroughTheLink) {
  link();
  EXPECT_EQ(read("sge_request"), "-") << "there is none yet";
  const auto mask = ::umask(077);
  EXPECT_TRUE(copies.write("sge_request", "-j y\n").ok());
  ::umask(mask);
  EXPECT_EQ(read("sge_request"), "-j y\n");
  EXPECT_EQ(fs::status(kept / "sge_request").permissions(), fs::perms(0644));
  EXPECT_TRUE(copies.write("sge_request", "-j n\n").ok());
  EXPECT_EQ(read("sge_request"), "-j n\n");
  EXPECT_EQ(copies.all(), (std::vector<CommonFileVersion>{{"sge_request", sha256("-j n\n")}}));
  EXPECT_EQ(std::distance(fs::directory_iterator(kept), {}), 1) << "nothing is left beside it";
  EXPECT_TRUE(copies.remove("sge_request").ok());
  EXPECT_EQ(read("sge_request"), "-");
  EXPECT_TRUE(copies.remove("sge_request").ok()) << "it is gone already";
}

TEST_F(GivenTheFolderOfAnAgent, WhenTheFolderOfCopiesIsMissingThenTheErrorSaysSo) {
  fs::remove(kept);
  EXPECT_FALSE(copies.write("sge_request", "-j y\n").ok());
  EXPECT_TRUE(copies.all().empty());
}

TEST_F(GivenTheFolderOfAnAgent, WhenASiteHasAFileOfItsOwnThereThenItStays) {
  fs::create_directories(common);
  std::ofstream(common / "sge_request") << "own";
  std::ofstream(common / "settings.sh") << "own";
  for (int i = 0; i < 2; ++i) link(); // with each start
  EXPECT_TRUE(copies.write("sge_request", "the master's").ok());
  EXPECT_TRUE(copies.write("sge_qstat", "the master's").ok());
  EXPECT_EQ(read("sge_request"), "own");
  EXPECT_EQ(read("settings.sh"), "own");
  EXPECT_EQ(read("sge_qstat"), "the master's");
}

// One machine, one folder.
TEST_F(GivenTheFolderOfAnAgent, WhenTheFolderIsTheMastersOwnThenNothingIsMadeInIt) {
  const auto masters = place / "root" / "default" / "common";
  fs::create_directories(masters);
  std::ofstream(masters / "act_qmaster") << "head\n";
  fs::create_directory_symlink("root/default", place / "default");
  link();
  EXPECT_EQ(std::distance(fs::directory_iterator(masters), {}), 1);
}

TEST_F(GivenTheFolderOfAnAgent, WhenOthersMayWriteThereThenNothingIsLinked) {
  fs::create_directories(common);
  ::chmod(common.c_str(), 0777);
  EXPECT_FALSE(link_common_files(place.string(), "default").ok());
  EXPECT_TRUE(fs::is_empty(common));
}
