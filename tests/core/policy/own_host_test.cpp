// Who may start processes within a job on one of its hosts.
#include "core/policy/own_host.hpp"

#include <gtest/gtest.h>

using namespace almanac;

namespace {

Caller with_uid(std::int64_t uid) {
  Caller caller;
  caller.uid = uid;
  return caller;
}

} // namespace

TEST(GivenAJobOnAHost, WhenSomebodyStartsAProcessInItThenItIsItsOwnerOrRoot) {
  const auto owner = with_uid(1001);
  EXPECT_TRUE(may_start_within(owner, owner));
  EXPECT_TRUE(may_start_within(with_uid(0), owner));
  EXPECT_FALSE(may_start_within(with_uid(1002), owner));
  EXPECT_FALSE(may_start_within(owner, with_uid(0)));
}
