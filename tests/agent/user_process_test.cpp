#include "agent/shepherd/user_process.hpp"

#include "core/job/exit_record.hpp"

#include <gtest/gtest.h>

#include <fcntl.h>
#include <string>
#include <sys/wait.h>
#include <unistd.h>

using namespace almanac;

namespace {

// What comes of a process that is to stay who it is: the reason why not, or "" once it runs.
std::string refusal_of_one_that_stays(uid_t real, uid_t effective) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return "no pipe";
  const auto child = ::fork();
  if (child == 0) {
    if (::setresuid(real, effective, static_cast<uid_t>(-1)) != 0) ::_exit(1);
    ShepherdOrder order;
    order.job.as.self = true;
    order.job.arguments = {"/bin/true"}, order.job.directory = "/";
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
  EXPECT_EQ(failure.failed, failed::after_pe_start);
  return failure.what;
}

} // namespace

TEST(GivenRoot, WhenAProcessIsToStayWhoItIsThenItIsRefused) {
  if (::geteuid() != 0) GTEST_SKIP() << "needs root";
  const std::string refused = "root runs nothing as itself by default";
  constexpr uid_t other = 65534;
  EXPECT_EQ(refusal_of_one_that_stays(0, 0), refused);
  EXPECT_EQ(refusal_of_one_that_stays(0, other), refused) << "it could be root again";
  EXPECT_EQ(refusal_of_one_that_stays(other, 0), refused);
  EXPECT_EQ(refusal_of_one_that_stays(other, other), "");
}
