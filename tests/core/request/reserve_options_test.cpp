// The words of qrsub.
#include "core/request/reserve_options.hpp"

#include <gtest/gtest.h>

using namespace almanac;

namespace {

Result<ReserveOptions> parsed(const std::vector<std::string>& words) {
  return parse_reservation(words, [](const DateTime&) -> Result<Instant> { return Instant{1}; });
}

} // namespace

TEST(GivenOptionsOfQrsub, WhenMailIsAskedForAgainThenItAddsUpAndNClears) {
  EXPECT_EQ(parsed({"-m", "b", "-m", "e"})->request.mail_at, "be");
  EXPECT_EQ(parsed({"-m", "b,n,a"})->request.mail_at, "a");
  EXPECT_EQ(parsed({"-m", "bea", "-m", "n"})->request.mail_at, "");
  EXPECT_FALSE(parsed({"-m", "s"}).ok());
  EXPECT_EQ(parsed({"-M", "a,b", "-M", "b,c"})->request.mail_to,
            (std::vector<std::string>{"a", "b", "c"}));
}

TEST(GivenOptionsOfQrsub, WhenOneIsNotBuiltThenItIsRefusedByName) {
  EXPECT_EQ(parsed({"-w", "p"}).what(), "option -w p is not built yet");
  EXPECT_EQ(parsed({"-override-holds"}).what(), "option -override-holds is not built yet");
  EXPECT_EQ(parsed({"-alloc", "$fill_up", "4"}).what(), "option -alloc is not built yet");
}
