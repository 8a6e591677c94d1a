// Whom and where a rule of a resource quota set concerns (docs/spec/quotas.md, sections 3 and 8).
#include "core/policy/quota_match.hpp"

#include "quota_fixture.hpp"

using namespace almanac;

namespace {

class GivenRulesToMatch : public QuotaFixture {
public:
  GivenRulesToMatch() { hosts(3, 4); }

  static QuotaRule rule(const std::string& filters) {
    const auto read = parse_quota_rule("limit " + filters + " to slots=1");
    EXPECT_TRUE(read.ok()) << filters << ": " << read.what();
    return *read;
  }
  /// Whether the filter of users lets the user of this group in.
  bool lets_user(const std::string& scope, const std::string& name,
                 const std::string& group = "users") const {
    return concerns(configuration(), rule("users " + scope), {name, group, "", ""});
  }
  bool lets_project(const std::string& scope, const std::string& name) const {
    return concerns(configuration(), rule("projects " + scope), {"ann", "users", name, ""});
  }
  bool lets_pe(const std::string& scope, const std::string& name) const {
    return concerns(configuration(), rule("pes " + scope), {"ann", "users", "", name});
  }
  bool lets_queue(const std::string& scope, const std::string& name) const {
    return concerns_queue(rule("queues " + scope), name);
  }
  bool lets_host(const std::string& scope, const std::string& name) const {
    return concerns_host(configuration(), rule("hosts " + scope), name);
  }
};

} // namespace

// Q3.2
TEST_F(GivenRulesToMatch, WhenAFilterIsMissingThenAnythingMatches) {
  const auto any = rule("");
  EXPECT_TRUE(concerns(configuration(), any, {"ann", "users", "", ""}));
  EXPECT_TRUE(concerns(configuration(), any, {"ann", "users", "p1", "mpi"}));
  EXPECT_TRUE(concerns_queue(any, "all.q"));
  EXPECT_TRUE(concerns_host(configuration(), any, "h1"));
}

// Q3.1, Q3.2
TEST_F(GivenRulesToMatch, WhenSeveralFiltersAreGivenThenAllMustMatch) {
  const auto all = rule("users ann projects p1 pes mpi queues all.q hosts h1");
  EXPECT_TRUE(concerns(configuration(), all, {"ann", "users", "p1", "mpi"}));
  EXPECT_FALSE(concerns(configuration(), all, {"bob", "users", "p1", "mpi"}));
  EXPECT_FALSE(concerns(configuration(), all, {"ann", "users", "p2", "mpi"}));
  EXPECT_FALSE(concerns(configuration(), all, {"ann", "users", "p1", "smp"}));
  EXPECT_TRUE(concerns_queue(all, "all.q"));
  EXPECT_FALSE(concerns_queue(all, "long.q"));
  EXPECT_TRUE(concerns_host(configuration(), all, "h1"));
  EXPECT_FALSE(concerns_host(configuration(), all, "h2"));
}

// Q3.3
TEST_F(GivenRulesToMatch, WhenUsersAreNamedThenTheirNamesPatternsAndSetsCount) {
  userset("staff", "ann,bob"), userset("eng", "@engrp"), userset("english", "eve");
  EXPECT_TRUE(lets_user("ann,bob", "bob"));
  EXPECT_FALSE(lets_user("ann,bob", "cyd"));
  EXPECT_TRUE(lets_user("a*", "ann"));
  EXPECT_FALSE(lets_user("a*", "bob"));
  EXPECT_TRUE(lets_user("@staff", "ann"));
  EXPECT_FALSE(lets_user("@staff", "cyd"));
  EXPECT_TRUE(lets_user("@eng", "dan", "engrp")) << "by unix group";
  EXPECT_FALSE(lets_user("@eng", "dan"));
  EXPECT_TRUE(lets_user("@eng*", "eve")) << "every set whose name fits";
  EXPECT_TRUE(lets_user("@eng*", "dan", "engrp"));
  EXPECT_FALSE(lets_user("@eng*", "ann"));
  EXPECT_FALSE(lets_user("*,!@eng", "dan", "engrp"));
  EXPECT_FALSE(lets_user("*,!a*", "ann"));
  EXPECT_FALSE(lets_user("staff", "ann")) << "without @ it is a user's name";
}

// Q3.4
TEST_F(GivenRulesToMatch, WhenAJobHasNoProjectThenOnlyExclusionsMatch) {
  EXPECT_FALSE(lets_project("*", ""));
  EXPECT_TRUE(lets_project("!*", ""));
  EXPECT_TRUE(lets_project("!p1", ""));
  EXPECT_FALSE(lets_project("p1", ""));
  EXPECT_FALSE(lets_project("*,!p1", ""));
  EXPECT_TRUE(lets_project("*", "p1"));
  EXPECT_FALSE(lets_project("!*", "p1"));
  EXPECT_FALSE(lets_project("!p1", "p1"));
  EXPECT_TRUE(lets_project("!p1", "p2"));
  EXPECT_TRUE(lets_project("p?", "p1"));
}

// Q3.5
TEST_F(GivenRulesToMatch, WhenAJobIsSequentialThenItsParallelEnvironmentIsNone) {
  EXPECT_FALSE(lets_pe("*", ""));
  EXPECT_TRUE(lets_pe("!*", ""));
  EXPECT_TRUE(lets_pe("!mpi", ""));
  EXPECT_FALSE(lets_pe("mpi", ""));
  EXPECT_TRUE(lets_pe("m*", "mpi"));
  EXPECT_FALSE(lets_pe("*,!mpi", "mpi"));
  EXPECT_TRUE(lets_pe("*,!mpi", "smp"));
}

// Q3.6
TEST_F(GivenRulesToMatch, WhenQueuesAreNamedThenTheyAreClusterQueues) {
  EXPECT_TRUE(lets_queue("all.q", "all.q"));
  EXPECT_FALSE(lets_queue("all.q", "long.q"));
  EXPECT_TRUE(lets_queue("*.q,!long.q", "all.q"));
  EXPECT_FALSE(lets_queue("*.q,!long.q", "long.q"));
}

// Q3.7
TEST_F(GivenRulesToMatch, WhenHostsAreNamedThenGroupsAreResolvedRecursively) {
  host_group("@lin", "h1"), host_group("@linux", "@lin h2");
  EXPECT_TRUE(lets_host("h1", "h1"));
  EXPECT_FALSE(lets_host("h1", "h2"));
  EXPECT_TRUE(lets_host("h[12]", "h2"));
  EXPECT_FALSE(lets_host("h[12]", "h3"));
  EXPECT_TRUE(lets_host("@lin", "h1"));
  EXPECT_FALSE(lets_host("@lin", "h2"));
  EXPECT_TRUE(lets_host("@linux", "h1")) << "through @lin";
  EXPECT_TRUE(lets_host("@lin*", "h2"));
  EXPECT_FALSE(lets_host("@lin*", "h3"));
  EXPECT_FALSE(lets_host("*,!@linux", "h1"));
  EXPECT_TRUE(lets_host("*,!@linux", "h3"));
}

// Q3.8
TEST_F(GivenRulesToMatch, WhenANameIsIncludedAndExcludedThenTheExclusionWins) {
  userset("staff", "ann,bob");
  EXPECT_FALSE(lets_user("@staff,!ann,ann", "ann"));
  EXPECT_TRUE(lets_user("@staff,!ann,ann", "bob"));
  EXPECT_FALSE(lets_user("ann,!ann", "ann"));
  EXPECT_FALSE(lets_user("!ann,ann", "ann"));
  EXPECT_FALSE(lets_user("{ann,!ann}", "ann"));
}

// Q3.9
TEST_F(GivenRulesToMatch, WhenThereAreOnlyExclusionsThenAllOthersMatch) {
  EXPECT_TRUE(lets_user("!ann", "bob"));
  EXPECT_FALSE(lets_user("!ann", "ann"));
  EXPECT_TRUE(lets_queue("!all.q", "long.q"));
  EXPECT_FALSE(lets_queue("!all.q", "all.q"));
  EXPECT_TRUE(lets_host("!h1", "h2"));
  EXPECT_FALSE(lets_host("!h1", "h1"));
}

// Q3.10
TEST_F(GivenRulesToMatch, WhenASetIsUnknownThenNobodyIsInIt) {
  EXPECT_FALSE(lets_user("@nosuch", "ann"));
  EXPECT_TRUE(lets_user("!@nosuch", "ann"));
  EXPECT_FALSE(lets_host("@nosuch", "h1"));
  EXPECT_TRUE(lets_host("!@nosuch", "h1"));
}

// Q3.11
TEST_F(GivenRulesToMatch, WhenAWordIsAPatternThenItIsThatOfTheShell) {
  EXPECT_TRUE(lets_user("?nn", "ann"));
  EXPECT_FALSE(lets_user("?nn", "joann"));
  EXPECT_TRUE(lets_user("[ab]*", "bob"));
  EXPECT_FALSE(lets_user("[ab]*", "cyd"));
  EXPECT_FALSE(lets_user("an", "ann")) << "the whole name";
}

// Q3.12
TEST_F(GivenRulesToMatch, WhenHostsDifferInTheirCaseThenTheyAreTheSame) {
  EXPECT_TRUE(lets_host("H1", "h1"));
  EXPECT_TRUE(lets_host("H*", "h1"));
  EXPECT_FALSE(lets_host("!H1", "h1"));
  EXPECT_FALSE(lets_queue("ALL.Q", "all.q")) << "names of queues are what they are";
  EXPECT_FALSE(lets_user("ANN", "ann"));
}

// Section 8, Matching only.
TEST_F(GivenRulesToMatch, WhenTheTableOfSection8IsAskedThenItIsSo) {
  EXPECT_FALSE(lets_user("*,!u3", "u3")); // Q8.1
  userset("s1", "u"), userset("s2", "u");
  EXPECT_FALSE(lets_user("@s1,!@s2", "u")); // Q8.2
  userset("group2", "@staff");
  EXPECT_TRUE(lets_user("@g*2", "u", "staff")); // Q8.3
  EXPECT_FALSE(lets_user("@g*2", "u", ""));
  EXPECT_TRUE(lets_project("!*", "")); // Q8.4
  EXPECT_FALSE(lets_project("!*", "p1"));
  EXPECT_FALSE(lets_project("*", "")); // Q8.5
  host_group("@lin", "h1 h2");
  EXPECT_FALSE(lets_host("!@lin", "h1")); // Q8.6, without the query of qquota
  EXPECT_TRUE(lets_host("!@lin", "h3"));
  EXPECT_TRUE(lets_host("ho*", "host1"));     // of Q8.7: the host that the query names
  EXPECT_FALSE(lets_queue("!qu*", "queue1")); // of Q8.8: any queue that the query may mean
}

TEST_F(GivenRulesToMatch, WhenPlacesOfASetAreLookedUpThenTheyAreThoseOfItsRules) {
  host_group("@lin", "h1 h2");
  queue("long.q", {{"hostlist", "@allhosts"}});
  quotas("A", {"queues long.q hosts h1 to slots=1", "hosts @lin to slots=1",
               "queues long.q hosts h1 to slots=2", "users ann to slots=1"});
  const auto& set = configuration().quota_sets().front();
  const QuotaPlaces places(configuration(), set);
  EXPECT_TRUE(places.everywhere(3));
  for (std::size_t round = 0; round < 2; ++round) // the second time from what is known
    for (std::size_t rule = 0; rule < set.rules.size(); ++rule)
      for (const auto& there : configuration().instances())
        EXPECT_EQ(places.at(rule, there),
                  concerns_queue(set.rules[rule], there.name.queue) &&
                      concerns_host(configuration(), set.rules[rule], there.name.host))
            << rule << " " << there.name.text();
}

TEST_F(GivenRulesToMatch, WhenAGroupIsAskedAboutManyHostsThenItMeansItsHosts) {
  host_group("@lin", "h1 h2"), host_group("@more", "h3");
  QuotaHosts words(configuration());
  EXPECT_EQ(words.hosts_of("@lin"), (std::set<std::string>{"h1", "h2"}));
  EXPECT_EQ(words.hosts_of("@*"), (std::set<std::string>{"h1", "h2", "h3"})) << "and @allhosts";
  EXPECT_TRUE(words.hosts_of("@nosuch").empty());
  EXPECT_TRUE(words.mean("@lin", "h2"));
  EXPECT_FALSE(words.mean("@more", "h2"));
}
