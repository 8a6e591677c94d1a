#include "agent/shepherd/shepherd_order.hpp"

#include <gtest/gtest.h>

using namespace almanac;

namespace {

ShepherdOrder example_order() {
  ShepherdOrder order;
  order.job.as = {false, "alice", 1000, 1000};
  order.job.arguments = {"/bin/sh", "-c", "echo \"$1\"\nuser 4\nroot\n", ""};
  order.job.environment = {{"A", "x\nuid 1\n0\n"}, {"BASH_FUNC_f%%", "() { :\n}"}, {"EMPTY", ""}};
  order.job.directory = "/home/alice";
  order.prolog.as = {false, "root", 0, 0};
  order.prolog.arguments = {"/site/prolog", "12"};
  order.output = {"/home/alice", "a.o12"};
  order.limits = {{"cpu", 10, -1}};
  order.limit = 60, order.join = true;
  return order;
}

} // namespace

TEST(GivenAShepherdsOrder, WhenPrintedThenItReadsBackWhateverIsInIt) {
  const auto text = print_shepherd_order(example_order());
  const auto read = parse_shepherd_order(text);
  ASSERT_TRUE(read.ok()) << read.what();
  EXPECT_EQ(print_shepherd_order(*read), text);
  EXPECT_EQ(read->job.as.uid, 1000);
  EXPECT_EQ(read->job.environment, example_order().job.environment);
  EXPECT_EQ(read->limits.front().hard, -1);
}

TEST(GivenAShepherdsOrder, WhenAnyByteIsMissingOrAnythingFollowsThenItIsRefused) {
  const auto text = print_shepherd_order(example_order());
  for (std::size_t size = 0; size < text.size(); ++size)
    EXPECT_FALSE(parse_shepherd_order(text.substr(0, size)).ok()) << size;
  EXPECT_FALSE(parse_shepherd_order(text + "\n").ok());
  EXPECT_FALSE(parse_shepherd_order(text + text).ok());
  const auto user = text.find("user 5\nalice\n");
  ASSERT_NE(user, std::string::npos);
  auto twice = text;
  EXPECT_FALSE(parse_shepherd_order(twice.insert(user, "user 0\n\n")).ok());
}

TEST(GivenAShepherdsOrder, WhenAZeroByteIsInAFieldThenItIsRefused) {
  const std::string zero("x\0user\0", 7);
  auto order = example_order();
  order.job.environment = {{"A", zero}};
  EXPECT_FALSE(check_shepherd_order(order).ok());
  order = example_order(), order.job.arguments.push_back(zero);
  EXPECT_FALSE(check_shepherd_order(order).ok());
  order = example_order(), order.output.path = zero;
  EXPECT_FALSE(check_shepherd_order(order).ok());
  order = example_order(), order.job.directory = zero;
  EXPECT_FALSE(check_shepherd_order(order).ok());
}

TEST(GivenAShepherdsOrder, WhenItDoesNotSayAsWhomThenItIsRefused) {
  auto order = example_order();
  order.job.as = {};
  EXPECT_FALSE(check_shepherd_order(order).ok());
  order.job.as = {true, "alice", 1000, 1000};
  EXPECT_FALSE(check_shepherd_order(order).ok());
  order.job.as = {false, "alice", -1, 1000};
  EXPECT_FALSE(check_shepherd_order(order).ok());
  order.job.as = {true, "", 1000, 1000};
  EXPECT_TRUE(check_shepherd_order(order).ok());
  order.prolog.as = {};
  EXPECT_FALSE(check_shepherd_order(order).ok());
  order.prolog.arguments.clear();
  EXPECT_TRUE(check_shepherd_order(order).ok());
  order.job.arguments = {"sh"};
  EXPECT_FALSE(check_shepherd_order(order).ok());
}
