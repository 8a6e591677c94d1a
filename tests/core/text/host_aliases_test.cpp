// Which names are of one host (docs/spec/objects.md O12.3).
#include "core/text/host_aliases.hpp"

#include <gtest/gtest.h>

using namespace almanac;

TEST(GivenHostAliases, WhenAHostHasSeveralNamesThenTheFirstOneCounts) {
  const auto aliases = HostAliases::parse("# a remark\n\nhead  head.example.com,10.0.0.2;HEAD-ib\n"
                                          "n1\tn1-ib n1-mgmt\r\nn2 n1-ib\n");
  for (const char* name : {"head", "HEAD", "head.example.com", "10.0.0.2", "head-ib"})
    EXPECT_EQ(aliases.official(name), "head") << name;
  EXPECT_EQ(aliases.official("n1-mgmt"), "n1");
  EXPECT_EQ(aliases.official("n1-ib"), "n1") << "the first line counts";
  EXPECT_EQ(aliases.official("other"), "other");
  EXPECT_EQ(aliases.official(""), "");
}

TEST(GivenHostAliases, WhenTheFileIsNoneThenNothingIsKnown) {
  for (const char* text : {"", "# n1 n2", "\n\n", ",,, ;"})
    EXPECT_TRUE(HostAliases::parse(text).is_empty()) << text;
  EXPECT_EQ(HostAliases::parse("a\tb\n/etc/passwd x").official("x"), "x");
}
