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

// O2.11
TEST(GivenHostAliases, WhenDomainsAreIgnoredThenTheyAreCutOff) {
  const auto aliases = HostAliases::parse("head head-ib.cluster.org\nn2 n2-ib\n",
                                          "admin_user sge\nignore_fqdn   TRUE\n");
  EXPECT_EQ(aliases.official("N1.cluster.org"), "N1");
  EXPECT_EQ(aliases.official("n1"), "n1");
  EXPECT_EQ(aliases.official("head-ib.cluster.org"), "head");
  EXPECT_EQ(aliases.official("n2-ib.elsewhere.org"), "n2");
  EXPECT_EQ(aliases.listed("all.q"), "all.q");
  for (const char* other : {"10.0.0.7", "n*.org", "@group", "fe80::1.2"})
    EXPECT_EQ(aliases.official(other), other);
}

TEST(GivenHostAliases, WhenThereIsADefaultDomainThenNamesWithoutOneAreInIt) {
  const auto aliases = HostAliases::parse(
      "", "default_domain cluster.org\nignore_fqdn false\nspooling_method classic");
  EXPECT_FALSE(aliases.is_empty());
  EXPECT_EQ(aliases.official("n1"), "n1.cluster.org");
  EXPECT_EQ(aliases.official("n1.other.org"), "n1.other.org");
  for (const char* other : {"global", "template", "n[12]", "7"})
    EXPECT_EQ(aliases.official(other), other);
  EXPECT_TRUE(HostAliases::parse("", "default_domain none\nignore_fqdn false\n").is_empty());
  EXPECT_TRUE(HostAliases::parse("", "ignore_fqdn\ndefault_domain a/b\n").is_empty());
}

TEST(GivenHostAliases, WhenTheFileIsNoneThenNothingIsKnown) {
  for (const char* text : {"", "# n1 n2", "\n\n", ",,, ;"})
    EXPECT_TRUE(HostAliases::parse(text).is_empty()) << text;
  EXPECT_EQ(HostAliases::parse("a\tb\n/etc/passwd x").official("x"), "x");
}
