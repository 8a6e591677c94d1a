#include "agent/shepherd/user_process.hpp"

#include "core/job/exit_record.hpp"

#include <gtest/gtest.h>

#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <string>
#include <sys/wait.h>
#include <unistd.h>

using namespace almanac;

namespace {

using Words = std::vector<std::string>;

// What comes of a process that is to stay who it is: the reason why not, or "" once it runs.
std::string refusal_of_one_that_stays(uid_t real, uid_t effective,
                                      const Words& words = {"/bin/true"},
                                      std::int64_t expected = failed::after_pe_start) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return "no pipe";
  const auto child = ::fork();
  if (child == 0) {
    if (::setresuid(real, effective, static_cast<uid_t>(-1)) != 0) ::_exit(1);
    ShepherdOrder order;
    order.job.as.self = true;
    order.job.arguments = words, order.job.directory = "/";
    order.job.environment = {{"PATH", "/nowhere:/usr/bin:/bin"}};
    order.output.path = "/dev/null", order.join = true;
    become_user_process(order, ends[1]);
  }
  ::close(ends[1]);
  ChildFailure failure;
  const auto told = ::read(ends[0], &failure, sizeof failure);
  ::close(ends[0]);
  int status = 0;
  ::waitpid(child, &status, 0);
  if (told == 0) return status == 0 ? "" : "it ended without a word";
  EXPECT_EQ(failure.failed, expected);
  return failure.what;
}

// Lines of the only file in a folder that is named for both outputs, from a job that tells its paths.
std::string told_in(const std::string& folder, const std::string& file, bool join) {
  const auto child = ::fork();
  if (child == 0) {
    if (::geteuid() == 0 && ::setresuid(65534, 65534, 65534) != 0) ::_exit(1);
    ShepherdOrder order;
    order.job.as.self = true, order.job.directory = "/";
    order.job.arguments = {"/bin/sh", "-c", "echo $SGE_STDOUT_PATH; echo $SGE_STDERR_PATH"};
    order.job.environment = {{"SGE_STDOUT_PATH", folder}, {"SGE_STDERR_PATH", folder}};
    order.output = {folder, "job.o7"}, order.error = {folder, "job.e7"}, order.join = join;
    become_user_process(order, ::open("/dev/null", O_WRONLY | O_CLOEXEC));
  }
  ::waitpid(child, nullptr, 0);
  std::string first, second;
  std::ifstream written(folder + "/" + file);
  std::getline(written, first), std::getline(written, second);
  return first + " " + second;
}

} // namespace

// C9.9
TEST(GivenAJobWhoseOutputGoesIntoAFolder, WhenItBeginsThenItKnowsItsFiles) {
  char name[] = "/tmp/almanac-output-XXXXXX";
  const std::string folder = ::mkdtemp(name);
  std::filesystem::permissions(folder, std::filesystem::perms::all);
  const auto out = folder + "/job.o7", error = folder + "/job.e7";
  EXPECT_EQ(told_in(folder, "job.o7", false), out + " " + error);
  std::filesystem::remove(out);
  EXPECT_EQ(told_in(folder, "job.o7", true), out + " " + out);
  std::filesystem::remove_all(folder);
}

TEST(GivenRoot, WhenAProcessIsToStayWhoItIsThenItIsRefused) {
  if (::geteuid() != 0) GTEST_SKIP() << "needs root";
  const std::string refused = "root runs nothing as itself by default";
  constexpr uid_t other = 65534;
  EXPECT_EQ(refusal_of_one_that_stays(0, 0), refused);
  EXPECT_EQ(refusal_of_one_that_stays(0, other), refused) << "it could be root again";
  EXPECT_EQ(refusal_of_one_that_stays(other, 0), refused);
  EXPECT_EQ(refusal_of_one_that_stays(other, other), "");
}

// C9.56: as a program that is missing where a path names it.
TEST(GivenAProgramWithoutAPath, WhenItIsNowhereInItsPathThenItIsMissing) {
  const auto real = ::getuid() == 0 ? 65534 : ::getuid();
  const auto refusal = [&](const char* program) {
    return refusal_of_one_that_stays(real, real, {"/usr/bin/env", "--", program}, failed::no_shell);
  };
  EXPECT_EQ(refusal("true"), "");
  EXPECT_EQ(refusal("echo hi"), "can't execute echo hi");
}
