// C3.51: the cores that a job asks to be bound to, as words.
#include "core/job/core_binding.hpp"

#include <gtest/gtest.h>

using namespace almanac;

namespace {

std::string printed(const std::string& text) {
  const auto binding = parse_core_binding(text);
  return binding ? print_core_binding(*binding) : "(refused)";
}

} // namespace

TEST(GivenABinding, WhenItIsReadThenItIsPrintedWithItsInstance) {
  EXPECT_EQ(printed("linear:2"), "set linear:2");
  EXPECT_EQ(printed("set linear:2:1,0"), "set linear:2:1,0");
  EXPECT_EQ(printed("env striding:2:4"), "env striding:2:4");
  EXPECT_EQ(printed("striding:2:4:0,1"), "set striding:2:4:0,1");
  EXPECT_EQ(printed("pe explicit:0,0:1,0"), "pe explicit:0,0:1,0");
}

TEST(GivenABinding, WhenItHasNoNumberThenThatOfTheSlotsIsMeant) {
  for (const auto* text : {"linear", "linear:", "linear:slots", "set linear:slots"})
    EXPECT_EQ(printed(text), "set linear:slots") << text;
  EXPECT_EQ(printed("linear:slots:0,1"), "set linear:slots:0,1");
}

TEST(GivenABinding, WhenItIsPrintedThenItIsReadAsTheSame) {
  for (const auto* text :
       {"set linear:slots", "env linear:3:0,1", "pe striding:1:1", "set explicit:2,3"})
    EXPECT_EQ(printed(text), text);
}

TEST(GivenWordsThatAreNoBinding, WhenTheyAreReadThenTheyAreRefused) {
  for (const auto* text : {"",
                           "set",
                           "x linear:1",
                           "linear:0",
                           "linear:-1",
                           "linear:1:0",
                           "linear:1:0,x",
                           "linear:1:0,0:1,0",
                           "linear:4097",
                           "striding:1",
                           "striding:2:0",
                           "striding:slots:2",
                           "striding:1:1:0,0:0,1",
                           "explicit",
                           "explicit:",
                           "explicit:0",
                           "explicit:0,0:0,0",
                           "explicit:0,0,0",
                           "balanced:1",
                           "set env linear:1",
                           "linear:99999999999999999999"})
    EXPECT_EQ(printed(text), "(refused)") << text;
}
