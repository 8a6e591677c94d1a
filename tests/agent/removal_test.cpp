#include "agent/shepherd/removal.hpp"

#include "agent/helper/temporary_folder.hpp"
#include "agent/shepherd/processes.hpp"

#include <gtest/gtest.h>

#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <map>
#include <sched.h>
#include <sys/mount.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace almanac;

namespace {

namespace fs = std::filesystem;

// A temporary folder of a user's, and something else of the same user's that is to stay as it is.
class GivenATemporaryFolder : public testing::Test {
protected:
  GivenATemporaryFolder() {
    char folder[] = "/tmp/almanac-processes-XXXXXX";
    place = ::mkdtemp(folder);
    fs::create_directories(place / "tmp");
    fs::create_directories(place / "kept/inside");
    std::ofstream(place / "kept/file") << "kept";
    std::ofstream(place / "kept/inside/file") << "kept";
    ::chmod(place.c_str(), 0711); // as the cell's folder is
    ::chmod((place / "kept").c_str(), 0755);
    ::chmod((place / "kept/inside").c_str(), 0555);
  }
  ~GivenATemporaryFolder() override {
    ::chmod((place / "kept/inside").c_str(), 0755);
    fs::remove_all(place);
  }

  void links_in(const fs::path& folder) const {
    fs::create_symlink(place / "kept/file", folder / "file");
    fs::create_symlink(place / "kept", folder / "folder");
    fs::create_symlink(place / "kept/inside", folder / "inside");
    fs::create_symlink("..", folder / "above");
  }
  // All that is in it is the user's.
  void give() const {
    if (::geteuid() != 0) return;
    for (const auto& entry : fs::recursive_directory_iterator(place))
      ::lchown(entry.path().c_str(), user, user);
  }
  void remove() const {
    give();
    remove_as_user((place / "tmp").string(), {user, user, {}}, 60);
  }
  static mode_t mode(const fs::path& path) {
    struct stat facts {};
    return ::stat(path.c_str(), &facts) == 0 ? facts.st_mode & 07777 : 0;
  }
  void expect_that_all_is_kept() const {
    EXPECT_FALSE(fs::exists(fs::symlink_status(place / "tmp")));
    EXPECT_TRUE(fs::exists(place / "kept/file"));
    EXPECT_TRUE(fs::exists(place / "kept/inside/file"));
    EXPECT_EQ(mode(place / "kept"), 0755U);
    EXPECT_EQ(mode(place / "kept/inside"), 0555U);
  }

  fs::path place;
  const uid_t user = ::geteuid() == 0 ? 4711 : ::geteuid(); ///< root may do anything anyway
};

// With a file system below it that answers nobody.
// What the user laid out where the cell's folder was to be, with a link of a name that the user
// learnt later.
class GivenAFolderOfTheUsers : public GivenATemporaryFolder {
protected:
  void SetUp() override {
    if (::geteuid() != 0) GTEST_SKIP() << "needs root";
    fs::create_directories(place / "almanac-cell");
    fs::create_directories(place / "roots");
    fs::create_directories(folder.path(user));
    ::lchown((place / "almanac-cell").c_str(), user, user);
    ::lchown(folder.path(user).c_str(), user, user);
  }
  TemporaryFolder folder{place, "cell", "1.1.all.q", "secret", "1"};
};

class GivenAFileSystemThatNeverAnswers : public GivenATemporaryFolder {
protected:
  void SetUp() override {
    if (::geteuid() != 0) GTEST_SKIP() << "needs root";
    fs::create_directories(place / "tmp/slow");
    for (const char* name : {"second", "third", "other"}) {
      fs::create_directories(place / name / "deep");
      std::ofstream(place / name / "deep/file") << "x";
    }
    give();
    device = ::open("/dev/fuse", O_RDWR | O_CLOEXEC);
    const auto options =
        "fd=" + std::to_string(device) + ",rootmode=40000,user_id=4711,group_id=4711,allow_other";
    // Nobody else sees it, and nothing is left of it.
    if (device < 0 || ::unshare(CLONE_NEWNS) != 0 ||
        ::mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0 ||
        ::mount("almanac", (place / "tmp/slow").c_str(), "fuse", 0, options.c_str()) != 0)
      GTEST_SKIP() << "needs FUSE";
  }
  ~GivenAFileSystemThatNeverAnswers() override {
    ::umount2((place / "tmp/slow").c_str(), MNT_DETACH);
    ::umount2((place / "tmp.removed/slow").c_str(), MNT_DETACH);
    break_off();
    while (::waitpid(-1, nullptr, 0) > 0) {
    }
  }
  void break_off() { // whoever waits for an answer has an error
    if (device >= 0) ::close(std::exchange(device, -1));
  }

  static std::map<std::string, std::string> facts_of(pid_t pid) {
    std::map<std::string, std::string> facts;
    std::ifstream file("/proc/" + std::to_string(pid) + "/status");
    for (std::string line; std::getline(file, line);)
      facts[line.substr(0, line.find(':'))] = line.substr(line.find(':') + 1);
    return facts;
  }
  // Once it waits for the file system.
  static pid_t process() {
    for (int round = 0; round < 10'000; ++round, ::usleep(1000))
      for (const auto pid : descendants(::getpid())) {
        std::string where;
        std::ifstream("/proc/" + std::to_string(pid) + "/wchan") >> where;
        if (where.find("fuse") != std::string::npos || where.find("request") != std::string::npos)
          return pid;
      }
    return -1;
  }
  // What the user's attempt comes to: 0 or errno.
  template <class Attempt> int as_the_user(const Attempt& attempt) const {
    const auto child = ::fork();
    if (child == 0) ::_exit(become_for_good({user, user, {}}) && attempt() < 0 ? errno : 0);
    int status = 0;
    ::waitpid(child, &status, 0);
    return WEXITSTATUS(status);
  }

  int device = -1;
};

} // namespace

TEST_F(GivenATemporaryFolder, WhenItIsRemovedThenNoLinkInItIsFollowed) {
  fs::create_directories(place / "tmp/deep/deeper");
  links_in(place / "tmp"), links_in(place / "tmp/deep/deeper");
  remove();
  expect_that_all_is_kept();
}

// What is closed has to be opened first: a link is no way to have something else opened.
TEST_F(GivenATemporaryFolder, WhenItIsClosedThenItIsRemovedAndNoLinkInItIsFollowed) {
  for (const mode_t mode : {0500U, 0300U, 0U}) {
    fs::create_directories(place / "tmp/deep");
    links_in(place / "tmp"), links_in(place / "tmp/deep");
    for (const char* name : {"tmp/deep", "tmp"}) ::chmod((place / name).c_str(), mode);
    remove();
    expect_that_all_is_kept();
  }
}

TEST_F(GivenAFileSystemThatNeverAnswers, WhenItIsWaitedForThenNotWithoutEnd) {
  const auto begun = boot_clock_ms();
  testing::internal::CaptureStderr();
  remove_as_user((place / "tmp").string(), {user, user, {}}, 1);
  EXPECT_NE(testing::internal::GetCapturedStderr().find("/tmp is left"), std::string::npos);
  EXPECT_LT(boot_clock_ms() - begun, 30'000);
  EXPECT_GT(::waitpid(-1, nullptr, 0), 0) << "its alarm has ended it";
}

TEST_F(GivenAFolderOfTheUsers, WhenATaskFolderIsLookedForThenNotInThere) {
  ASSERT_TRUE(fs::exists(folder.path(user)));
  EXPECT_FALSE(folder.find(user));
  const auto made = make_temporary_folder(folder, {user, user, {}});
  ASSERT_TRUE(made);
  EXPECT_NE(fs::path(*made).parent_path(), place / "almanac-cell");
  EXPECT_EQ(folder.find(user), *made);
}

TEST_F(GivenAFolderOfTheUsers, WhenItLeadsElsewhereThenNothingIsRenamedOrRemovedThere) {
  fs::remove_all(place / "almanac-cell");
  const auto name = fs::path(folder.path(user)).filename();
  fs::create_directories(place / "roots" / name);
  fs::create_directory_symlink(place / "roots", place / "almanac-cell");
  Removals removals;
  removals.add(folder.path(user), {user, user, {}});
  remove_as_user(folder.path(user), {user, user, {}}, 1);
  EXPECT_TRUE(fs::exists(place / "roots" / name));
  EXPECT_FALSE(fs::exists(place / "roots" / (name.string() + ".removed")));
}

TEST_F(GivenAFileSystemThatNeverAnswers, WhenItCoversTmpdirThenTheFolderIsLookedForWithoutIt) {
  const TemporaryFolder folder{place, "cell", "1.1.all.q", "secret", "1"};
  ASSERT_TRUE(make_shared_folder(folder));
  fs::create_directories(folder.path(user));
  ASSERT_EQ(
      ::mount((place / "tmp/slow").c_str(), folder.path(user).c_str(), nullptr, MS_BIND, nullptr),
      0);
  const auto looker = ::fork();
  if (looker == 0) ::alarm(10), folder.find(user), ::_exit(0);
  int status = -1;
  ::waitpid(looker, &status, 0);
  EXPECT_EQ(status, 0) << "its alarm has not ended it";
  ::umount2(folder.path(user).c_str(), MNT_DETACH);
}

TEST_F(GivenAFileSystemThatNeverAnswers, WhenItIsRemovedThenTheUserCanDoNothingToWhoDoesIt) {
  Removals removals;
  removals.add((place / "tmp").string(), {user, user, {}});
  const auto pid = process();
  ASSERT_GT(pid, 0);
  auto facts = facts_of(pid);
  EXPECT_EQ(facts["Uid"], "\t0\t0\t0\t4711");
  EXPECT_EQ(facts["Gid"], "\t0\t0\t0\t4711");
  EXPECT_EQ(facts["Groups"], "\t ");
  for (const char* name : {"CapInh", "CapPrm", "CapEff", "CapAmb"})
    EXPECT_EQ(facts[name], "\t0000000000000000") << name;
  for (const int signal : {0, SIGSTOP, SIGKILL, SIGTERM})
    EXPECT_EQ(as_the_user([&] { return ::kill(pid, signal); }), EPERM) << signal;
  EXPECT_EQ(as_the_user([&] { return ::ptrace(PTRACE_SEIZE, pid, nullptr, nullptr); }), EPERM);
  EXPECT_EQ(as_the_user([&] { return ::setpriority(PRIO_PROCESS, pid, 19); }), EPERM);
  const sched_param idle{};
  EXPECT_EQ(as_the_user([&] { return ::sched_setscheduler(pid, SCHED_IDLE, &idle); }), EPERM);
  for (const char* name : {"mem", "environ", "fd/0"}) {
    const auto path = "/proc/" + std::to_string(pid) + "/" + name;
    EXPECT_EQ(as_the_user([&] { return ::open(path.c_str(), O_RDONLY); }), EACCES) << name;
  }
  for (const auto& entry : fs::directory_iterator("/proc/" + std::to_string(pid) + "/fd")) {
    const auto open = fs::read_symlink(entry).string();
    EXPECT_TRUE(open.starts_with("pipe:") || open.starts_with(place.string())) << open;
  }
}

// All of a user's are one process: another user's go on.
TEST_F(GivenAFileSystemThatNeverAnswers, WhenMoreIsRemovedThenOnlyTheSameUsersWaitsForIt) {
  for (const char* name : {"other", "other/deep", "other/deep/file"})
    ::chown((place / name).c_str(), 4712, 4712);
  const auto is_there = [&](const char* name) { return fs::exists(place / name); };
  Removals removals;
  for (const char* name : {"tmp", "second", "third"})
    removals.add((place / name).string(), {user, user, {}});
  removals.add((place / "other").string(), {4712, 4712, {}});
  EXPECT_FALSE(is_there("second")) << "a new one can be made";
  for (int round = 0; round < 10'000 && is_there("other.removed"); ++round) ::usleep(1000);
  EXPECT_FALSE(is_there("other.removed"));
  removals.go_on();
  EXPECT_TRUE(is_there("second.removed") && is_there("third.removed"));
  break_off();
  for (int round = 0; round < 10'000 && is_there("third.removed"); ++round)
    removals.go_on(), ::usleep(1000);
  EXPECT_FALSE(is_there("second.removed") || is_there("third.removed"));
}

TEST_F(GivenAFileSystemThatNeverAnswers, WhenTheirOwnerEndsThenWhatWaitsBegins) {
  {
    Removals removals;
    for (const char* name : {"tmp", "second"})
      removals.add((place / name).string(), {user, user, {}});
  }
  for (int round = 0; round < 10'000 && fs::exists(place / "second.removed"); ++round)
    ::usleep(1000);
  EXPECT_FALSE(fs::exists(place / "second.removed"));
}
