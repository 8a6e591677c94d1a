// Which files of the folder common/ a master shows to agents (spec/objects.md O12.10).
#include "core/configuration/objects/site_file.hpp"
#include "master/common_folder.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sys/stat.h>
#include <unistd.h>

using namespace almanac;

namespace {

namespace fs = std::filesystem;

fs::path new_folder() {
  char name[] = "/tmp/almanac-common-XXXXXX";
  return ::mkdtemp(name);
}

class GivenAFolderCommon : public ::testing::Test {
public:
  const fs::path place = new_folder();
  CommonFolder folder{place.string()};
  ~GivenAFolderCommon() override { fs::remove_all(place); }

  void put(const std::string& name, const std::string& content) const {
    std::ofstream(place / name) << content;
    ::chmod((place / name).c_str(), 0644);
  }
  // As "NAME=CONTENT NAME=CONTENT"; "-": nothing has changed.
  std::string look() {
    const auto found = folder.look();
    if (!found) return "-";
    std::string text;
    for (const auto& file : *found)
      text += (text.empty() ? "" : " ") + file.version.name + "=" + file.content;
    return text;
  }
};

} // namespace

TEST_F(GivenAFolderCommon, WhenItIsLookedAtThenAllIsToldAtFirstAndThenOnlyWhatChanges) {
  EXPECT_EQ(look(), "");
  EXPECT_EQ(look(), "-");
  put("sge_request", "a");
  put("sge_qstat", "b");
  EXPECT_EQ(look(), "sge_qstat=b sge_request=a");
  EXPECT_EQ(look(), "-");
  put("sge_request", "c"); // as long as before, and within the same moment
  EXPECT_EQ(look(), "sge_qstat=b sge_request=c");
  fs::remove(place / "sge_qstat");
  EXPECT_EQ(look(), "sge_request=c");
  EXPECT_EQ(look(), "-");
}

TEST_F(GivenAFolderCommon, WhenAFileIsReplacedByOneOfTheSameContentThenNothingHasChanged) {
  put("sge_request", "a");
  EXPECT_EQ(look(), "sge_request=a");
  put("new", "a");
  fs::rename(place / "new", place / "sge_request");
  EXPECT_EQ(look(), "-");
}

TEST_F(GivenAFolderCommon, WhenAFileIsNotOnTheListThenItIsNotShown) {
  for (const char* name :
       {"accounting", "schedule", "act_qmaster", "settings.sh", "sge_request.old"})
    put(name, "secret");
  EXPECT_EQ(look(), "");
}

TEST_F(GivenAFolderCommon, WhenANameIsNoPlainFileThenNothingBehindItIsShown) {
  put("accounting", "secret");
  fs::create_symlink("accounting", place / "sge_request");
  fs::create_symlink("/etc/passwd", place / "sge_qstat");
  fs::create_directory(place / "sge_qquota");
  ASSERT_EQ(::mkfifo((place / "sge_qrstat").c_str(), 0644), 0);
  put("sge_qselect", "shown");
  EXPECT_EQ(look(), "sge_qselect=shown");
  EXPECT_EQ(look(), "-");
}

TEST_F(GivenAFolderCommon, WhenAFileIsTooLargeOrClosedToOthersThenItIsLeftOutUntilItIsNot) {
  put("sge_request", std::string(largest_common_file + 1, 'x'));
  put("sge_qstat", "private");
  ::chmod((place / "sge_qstat").c_str(), 0640);
  EXPECT_EQ(look(), "");
  put("sge_request", std::string(largest_common_file, 'x'));
  EXPECT_EQ(look(), "sge_request=" + std::string(largest_common_file, 'x'));
  ::chmod((place / "sge_qstat").c_str(), 0644);
  EXPECT_EQ(look(), "sge_qstat=private sge_request=" + std::string(largest_common_file, 'x'));
}

TEST_F(GivenAFolderCommon, WhenTheFolderCannotBeOpenedThenNothingIsSaid) {
  put("sge_request", "a");
  EXPECT_EQ(look(), "sge_request=a");
  const auto away = place.string() + ".away";
  fs::rename(place, away);
  EXPECT_EQ(look(), "-") << "agents would remove what they have";
  fs::rename(away, place);
  EXPECT_EQ(look(), "-");
}

namespace {

// A file that the planner goes by (spec/plus.md P6.2, P7.1).
class GivenAFileOfTheSite : public GivenAFolderCommon {
public:
  CommonFolder site{place.string(), "sched_conf"};

  // Its text; "(none)": there is none; "-": nothing is said; "!WHY": it cannot be used.
  std::string read() {
    const auto found = site.look();
    if (!found) return "-";
    if (found->empty()) return "(none)";
    const auto& content = found->front().content;
    const auto why = why_unusable(content);
    return why.empty() ? content : "!" + std::string(why);
  }
};

} // namespace

TEST_F(GivenAFileOfTheSite, WhenItComesChangesAndGoesThenEachIsTold) {
  put("reservable.ad", "x");
  EXPECT_EQ(read(), "(none)");
  put("sched_conf", "a");
  EXPECT_EQ(read(), "a");
  EXPECT_EQ(read(), "-");
  put("sched_conf", "b");
  EXPECT_EQ(read(), "b");
  fs::remove(place / "sched_conf");
  EXPECT_EQ(read(), "(none)");
}

// plus.md P7.3, P7.4: everything is allowed without a file, and not with one that cannot be used.
TEST_F(GivenAFileOfTheSite, WhenOthersMayWriteItThenThatIsSaidUntilTheyMayNot) {
  put("sched_conf", "a");
  EXPECT_EQ(read(), "a");
  for (const auto mode : {0664, 0646}) {
    put("sched_conf", "b");
    ::chmod((place / "sched_conf").c_str(), static_cast<mode_t>(mode));
    EXPECT_EQ(read(), "!others than its owner may write it: chmod go-w") << mode;
    EXPECT_EQ(read(), "-") << mode << ", once";
    put("sched_conf", "a");
    EXPECT_EQ(read(), "a");
  }
  ::chmod((place / "sched_conf").c_str(), 0666);
  EXPECT_EQ(read(), "!others than its owner may write it: chmod go-w") << "with the text of before";
  put("sched_conf", "b");
  ::chmod((place / "sched_conf").c_str(), 0600);
  EXPECT_EQ(read(), "b") << "others need not read it";
}

TEST_F(GivenAFileOfTheSite, WhenItIsNoPlainFileOrTooLargeThenThatIsSaid) {
  put("secret", "x");
  fs::create_symlink("secret", place / "sched_conf");
  EXPECT_EQ(read(), "!it is not a plain file");
  EXPECT_EQ(read(), "-") << "once";
  fs::remove(place / "sched_conf");
  EXPECT_EQ(read(), "(none)");
  fs::create_directory(place / "sched_conf");
  EXPECT_EQ(read(), "!it is not a plain file");
  fs::remove(place / "sched_conf");
  put("sched_conf", std::string(largest_site_file + 1, '#'));
  EXPECT_EQ(read(), "!it has 262145 bytes, at most 262144 are taken");
  put("sched_conf", std::string(largest_site_file, '#'));
  EXPECT_EQ(read(), std::string(largest_site_file, '#'));
}

TEST_F(GivenAFileOfTheSite, WhenTheMasterMayNotReadItThenThatIsSaid) {
  if (::geteuid() == 0) GTEST_SKIP() << "root reads everything";
  put("sched_conf", "a");
  ::chmod((place / "sched_conf").c_str(), 0200);
  EXPECT_EQ(read(), "!it can't be read for now: Permission denied");
  EXPECT_EQ(read(), "-") << "once";
}

TEST_F(GivenAFileOfTheSite, WhenItBelongsToSomebodyElseThenThatIsSaid) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root can give files away";
  put("sched_conf", "a");
  ASSERT_EQ(::chown((place / "sched_conf").c_str(), 65534, 65534), 0);
  EXPECT_EQ(read(), "!it belongs neither to root nor to the user of the master: chown root");
}
