// subordinate_list (O1.33, O1.41) and the methods of a queue (O1.28, O1.29).
#include "core/configuration/objects/control_method.hpp"
#include "core/configuration/objects/subordinates.hpp"

#include <gtest/gtest.h>

namespace almanac {
namespace {

using Words = std::vector<std::string>;

TEST(GivenASubordinateList, WhenItNamesQueuesThenEachHasItsNumberOfUsedSlots) {
  const auto list = Subordinates::parse("low.q,spare.q=2");
  ASSERT_TRUE(list.ok()) << list.what();
  EXPECT_FALSE(list->is_slotwise());
  EXPECT_EQ(list->queues,
            (std::vector<Subordinate>{{"low.q", 0, 0, false}, {"spare.q", 2, 0, false}}));
  EXPECT_TRUE(Subordinates::parse("none")->queues.empty());
}

TEST(GivenASubordinateList, WhenItIsSlotwiseThenItHasOrderAndAction) {
  const auto list = Subordinates::parse("slots=4(low.q:1:lr, spare.q:2,last.q:sr,b.q)");
  ASSERT_TRUE(list.ok()) << list.what();
  EXPECT_EQ(list->most_slots, 4);
  EXPECT_EQ(list->queues, (std::vector<Subordinate>{{"low.q", 0, 1, true},
                                                    {"spare.q", 0, 2, false},
                                                    {"last.q", 0, 0, false},
                                                    {"b.q", 0, 0, false}}));
}

TEST(GivenASubordinateList, WhenItMakesNoSenseThenItIsRefused) {
  for (const char* text :
       {"", "low.q=0", "low.q=x", "low.q,low.q", "=3", "slots=0(a.q)", "slots=2(a.q", "slots=2()",
        "slots=2(a.q:x)", "slots=2(a.q:1:2)", "slots=2(a.q:1:lr:sr)", "a b:c", "slots=x(a.q)"})
    EXPECT_FALSE(Subordinates::parse(text).ok()) << text;
}

TEST(GivenAMethod, WhenItIsASignalOrACommandThenItIsOneOfThem) {
  EXPECT_TRUE(parse_control_method("NONE")->is_usual());
  for (const char* text : {"SIGTERM", "TERM", "15", "sigterm", "term", "SigTerm"})
    EXPECT_EQ(parse_control_method(text)->signal, 15) << text;
  EXPECT_EQ(parse_control_method("SIGSYS")->signal, 31);
  EXPECT_EQ(parse_control_method("/site/stop $job_pid -9")->words,
            (Words{"/site/stop", "$job_pid", "-9"}));
  for (const char* text : {"LOUD", "65", "0", "-9", "halt", "root@/site/stop", "/x $nothing",
                           "/x; rm", "/x 'open", "SIGSIGTERM", ""})
    EXPECT_FALSE(parse_control_method(text).ok()) << text;
}

TEST(GivenAStarter, WhenItIsNoPathThenItIsRefused) {
  EXPECT_EQ(*parse_starter_method("/site/start $queue"), (Words{"/site/start", "$queue"}));
  EXPECT_TRUE(parse_starter_method("none")->empty());
  for (const char* text : {"SIGTERM", "start", "u@/x"})
    EXPECT_FALSE(parse_starter_method(text).ok()) << text;
}

} // namespace
} // namespace almanac
