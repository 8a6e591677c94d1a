// What qquota shows of resource quota sets (docs/spec/quotas.md, sections 6 and 8).
#include "core/policy/quota_rows.hpp"

#include "core/policy/quota_plans.hpp"
#include "core/text/words.hpp"
#include "matching_fixture.hpp"

using namespace almanac;

namespace {

using Lines = std::vector<std::string>;

class GivenQuotasInUse : public MatchingFixture {
public:
  const Caller ann{"ann", "users", 1003, 100, "master"}, bob{"bob", "users", 1004, 100, "master"};
  const Caller dan{"dan", "engrp", 1005, 101, "master"};

  GivenQuotasInUse() {
    hosts(3, 9);
    change({ObjectKind::host_group, "@lin", {{"hostlist", "h1 h2"}}}, ChangeVerb::add);
    change({ObjectKind::userset, "staff", {{"entries", "ann,bob"}}}, ChangeVerb::add);
    change({ObjectKind::userset, "eng", {{"entries", "@engrp"}}}, ChangeVerb::add);
    complex("lic", "lic INT <= YES YES 0 0");
    complex("mem", "mem MEMORY <= YES YES 0 0");
    complex("cputime", "ct TIME <= YES YES 0:0:0 0");
    complex("tmem", "tm MEMORY <= YES NO 0 0");
    complex("ttime", "tt TIME <= YES NO 0:0:0 0");
    offer("global", "lic=99,mem=99G,cputime=99:0:0");
  }

  /// Rules without the word "limit".
  void quotas(const std::string& name, Lines rules, const std::string& enabled = "TRUE") {
    for (auto& rule : rules) rule = "limit " + rule;
    change({ObjectKind::quota_set, name, {{"enabled", enabled}, {"limit", join(rules, "\t")}}},
           ChangeVerb::add);
  }
  std::int64_t run(const Caller& user, const std::string& host,
                   const std::vector<Attribute>& resources = {}) {
    auto request = asking(resources);
    request.queues = {"all.q@" + host};
    const auto number = submit(user, std::move(request));
    pass();
    EXPECT_TRUE(is_active(number)) << why_it_waits(number);
    return number;
  }
  std::string why_it_waits(std::int64_t number) {
    return text(planner.ask(ExplainJob{number}, now));
  }

  std::vector<QuotaRow> shown(const Caller& caller, QuotaSelection selection) const {
    if (selection.users.empty()) selection.users = {caller.user};
    const QuotaCounters counters(state().records());
    return quota_rows(state().records(), counters, caller, selection, now);
  }
  std::vector<QuotaRow> met(std::int64_t job, const std::string& only_host = "") const {
    const QuotaCounters counters(state().records());
    const auto might_run_in = [&](const QueueInstance& instance) {
      return only_host.empty() || instance.name.host == only_host;
    };
    return quota_rows_met(state().records(), counters, *state().job_by_number({job}), might_run_in,
                          now);
  }
  /// "per/1 slots=2/2 bob h1"
  static Lines lines(const std::vector<QuotaRow>& rows) {
    Lines texts;
    for (const auto& row : rows) {
      auto text =
          row.label + " " + row.resource + "=" + (row.is_counted ? row.used + "/" : "") + row.limit;
      for (const auto& member : row.member)
        if (!member.empty()) text += " " + member;
      texts.push_back(std::move(text));
    }
    return texts;
  }
  Lines rows(const Caller& caller, const QuotaSelection& selection = {}) const {
    return lines(shown(caller, selection));
  }
  static QuotaSelection of_users(Lines users) {
    QuotaSelection selection;
    selection.users = std::move(users);
    return selection;
  }
  static QuotaSelection of_hosts(Lines hosts) {
    QuotaSelection selection;
    selection.hosts = std::move(hosts);
    return selection;
  }
  static QuotaSelection of_resources(Lines resources) {
    QuotaSelection selection;
    selection.resources = std::move(resources);
    return selection;
  }
};

// What fixed limits show depends on the selection alone.
class GivenRulesWithFixedLimits : public GivenQuotasInUse {
public:
  std::size_t met(const std::string& filters, const QuotaSelection& selection) {
    quotas("A", {filters + " to tmem=4G"});
    const auto count = rows(ann, selection).size();
    change({ObjectKind::quota_set, "A", {}}, ChangeVerb::erase);
    return count;
  }
  static QuotaSelection of_queues(Lines queues) {
    QuotaSelection selection;
    selection.queues = std::move(queues);
    return selection;
  }
};

} // namespace

// The example of section 6.
TEST_F(GivenQuotasInUse, WhenBobAsksThenHeSeesWhatConcernsHimAndAllMatchingRules) {
  quotas("total", {"users * to slots=20"});
  quotas("lin", {"users * hosts @lin to slots=5"});
  quotas("per", {"users bob hosts {@lin} to slots=2", "users {*} hosts {@lin} to slots=1"});
  run(bob, "h1"), run(bob, "h1"), run(bob, "h2"), run(bob, "h2"), run(ann, "h1");
  // Q6.4, Q6.8, Q6.10, Q6.12
  EXPECT_EQ(rows(bob), (Lines{"total/1 slots=5/20", "lin/1 slots=5/5", "per/1 slots=2/2 h1",
                              "per/1 slots=2/2 h2"}));
  auto on_h1 = of_users({"ann"});
  on_h1.hosts = {"h1"}; // Q6.2
  EXPECT_EQ(rows(bob, on_h1),
            (Lines{"total/1 slots=5/20", "lin/1 slots=5/5", "per/2 slots=1/1 ann h1"}));
  auto nothing = of_users({"zoe"});
  nothing.resources = {"lic"};
  EXPECT_EQ(rows(bob, nothing), Lines{});
  // Q6.11: several words mean the same row.
  EXPECT_EQ(rows(bob, of_users({"bob", "b*", "@staff", "bob"})),
            (Lines{"total/1 slots=5/20", "lin/1 slots=5/5", "per/1 slots=2/2 h1",
                   "per/1 slots=2/2 h2", "per/2 slots=1/1 ann h1"}));
}

// The tests of counting at the end of section 8.
TEST_F(GivenQuotasInUse, WhenRowsAreCountedThenTheyAreAsManyAsTheOptionsSay) {
  quotas("each", {"users {*} to slots=10"});
  quotas("together", {"users * to slots=10"});
  for (const auto& user : {ann, ann, bob, bob}) run(user, "h1");
  const auto count = [&](const QuotaSelection& selection) { return rows(ann, selection).size(); };
  EXPECT_EQ(count(of_users({"*"})), 3u);          // Q8.9
  EXPECT_EQ(count(of_users({"ann"})), 2u);        // Q8.10
  EXPECT_EQ(count(of_users({"bob"})), 2u);        // Q8.10
  EXPECT_EQ(count(of_users({"ann", "bob"})), 3u); // Q8.11
  quotas("fixed", {"users ann hosts {*} to tm=1000M,tt=1:0:0"});
  EXPECT_EQ(count({}), 4u);                                  // Q8.12, Q6.9
  EXPECT_EQ(count(of_resources({"tm"})), 1u);                // Q8.13, Q6.3
  EXPECT_EQ(count(of_resources({"tm", "tt"})), 2u);          // Q8.14
  EXPECT_EQ(count(of_resources({"tm", "tt", "slots"})), 4u); // Q8.15
  EXPECT_EQ(count(of_resources({"nosuch"})), 0u);
  EXPECT_EQ(rows(ann, of_resources({"tt"})), Lines{"fixed/1 ttime=1:0:0"});
}

// Q6.7, Q4.33
TEST_F(GivenQuotasInUse, WhenASetIsDisabledThenNothingOfItIsShown) {
  quotas("off", {"to slots=9,tmem=4G"}, "FALSE");
  run(ann, "h1");
  EXPECT_EQ(rows(ann), Lines{});
}

// Q6.22, Q9.14
TEST_F(GivenQuotasInUse, WhenAmountsAreShownThenAsTheTypeOfTheirComplexHasThem) {
  quotas("A", {"to lic=7,mem=4G,cputime=0:50:0,tmem=4g"});
  run(ann, "h1", {{"lic", "2"}, {"mem", "1536M"}, {"cputime", "600"}});
  EXPECT_EQ(rows(ann), (Lines{"A/1 lic=2/7", "A/1 mem=1.500G/4.000G",
                              "A/1 cputime=00:10:00/00:50:00", "A/1 tmem=4g"}));
}

// Q4.30: 4 processors each.
TEST_F(GivenQuotasInUse, WhenALimitIsAFormulaThenItIsShownAsItComesToOnTheHost) {
  quotas("A", {"hosts {*} to slots=$num_proc*2-1"});
  run(ann, "h2");
  EXPECT_EQ(rows(ann), Lines{"A/1 slots=1/7 h2"});
}

// Q9.12
TEST_F(GivenQuotasInUse, WhenAJobHasEndedThenItsRowIsGone) {
  quotas("A", {"users {*} to slots=9"});
  const auto job = run(ann, "h1");
  EXPECT_EQ(rows(ann), Lines{"A/1 slots=1/9 ann"});
  start(job), end(job);
  EXPECT_EQ(rows(ann), Lines{});
}

TEST_F(GivenQuotasInUse, WhenAUserIsInASetByHisGroupThenHisRulesAreShown) {
  quotas("A", {"users @eng to slots=9"});
  quotas("B", {"users {@eng} to lic=9"});
  EXPECT_EQ(rows(ann, of_users({"dan"})), Lines{});
  run(dan, "h1", {{"lic", "1"}});
  const Lines both{"A/1 slots=1/9", "B/1 lic=1/9 dan"};
  EXPECT_EQ(rows(dan), both);
  EXPECT_EQ(rows(ann, of_users({"dan"})), both) << "his jobs say in which group he is";
  EXPECT_EQ(rows(ann, of_users({"@eng"})), both);
  EXPECT_EQ(rows(ann, of_users({"ann", "@eng"})), both);
  EXPECT_EQ(rows(ann), Lines{});
}

TEST_F(GivenRulesWithFixedLimits, WhenTheClientTellsTheGroupOfAUserThenItCountsUntilAJobSaysIt) {
  quotas("C", {"users @eng to tmem=7G"});
  quotas("D", {"users !@eng to tmem=9G"});
  auto of_dan = of_users({"dan"});
  EXPECT_EQ(rows(ann, of_dan), Lines{"D/1 tmem=9G"}) << "nobody knows his group";
  of_dan.groups = {{"dan", "engrp"}};
  EXPECT_EQ(rows(ann, of_dan), Lines{"C/1 tmem=7G"});
  of_dan.users = {"dan", "bob"};
  EXPECT_EQ(rows(ann, of_dan), (Lines{"C/1 tmem=7G", "D/1 tmem=9G"}));
  of_dan.users = {"dan"}, of_dan.groups = {{"dan", "users"}, {"eve", "engrp"}};
  EXPECT_EQ(rows(ann, of_dan), Lines{"D/1 tmem=9G"});
  EXPECT_EQ(rows(dan, of_dan), Lines{"C/1 tmem=7G"}) << "of the caller the kernel says it";
  run(dan, "h1");
  EXPECT_EQ(rows(ann, of_dan), Lines{"C/1 tmem=7G"});
}

TEST_F(GivenRulesWithFixedLimits, WhenASetIsAskedAboutThenRulesThatNameItAreShownWithoutAnyMember) {
  EXPECT_EQ(met("users @eng", of_users({"@eng"})), 1u);
  EXPECT_EQ(met("users @e*", of_users({"@eng"})), 1u);
  EXPECT_EQ(met("users @eng", of_users({"@e*"})), 1u);
  EXPECT_EQ(met("users !@eng", of_users({"@eng"})), 0u);
  EXPECT_EQ(met("users @eng,!@e*", of_users({"@eng"})), 0u);
  EXPECT_EQ(met("users @staff", of_users({"@eng"})), 0u);
  EXPECT_EQ(met("users *", of_users({"@staff"})), 1u);
  EXPECT_EQ(met("users *", of_users({"@eng"})), 1u);
  EXPECT_EQ(met("users !@staff", of_users({"@eng"})), 1u);
  EXPECT_EQ(met("users *", of_users({"@nosuch"})), 0u);
  auto on_h3 = of_users({"@eng"});
  on_h3.hosts = {"h3"};
  EXPECT_EQ(met("users @eng hosts @lin", on_h3), 0u);
}

TEST_F(GivenRulesWithFixedLimits, WhenAFilterExcludesThenOnlyWhatIsCertainIsRuledOut) {
  // Q8.6
  EXPECT_EQ(met("hosts !@lin", of_hosts({"h1"})), 0u);
  EXPECT_EQ(met("hosts !@lin", of_hosts({"H1"})), 0u);
  EXPECT_EQ(met("hosts !@lin", of_hosts({"*"})), 1u);
  EXPECT_EQ(met("hosts !@lin", of_hosts({"h*"})), 1u);
  EXPECT_EQ(met("hosts !@lin", of_hosts({"h3", "h1"})), 1u);
  EXPECT_EQ(met("hosts !@lin", of_hosts({"@lin"})), 0u);
  EXPECT_EQ(met("hosts h*", of_hosts({"@lin"})), 1u); // Q8.7
  EXPECT_EQ(met("hosts g*", of_hosts({"@lin"})), 0u);
  EXPECT_EQ(met("queues !qu*", of_queues({"que*"})), 0u); // Q8.8
  EXPECT_EQ(met("queues !qu*", of_queues({"q*"})), 1u);
  EXPECT_EQ(met("queues !q?", of_queues({"q*"})), 1u);
}

TEST_F(GivenRulesWithFixedLimits, WhenPatternsAreComparedThenTheyMeetWhereANameMayBeOfBoth) {
  EXPECT_EQ(met("queues a*", of_queues({"*.q"})), 1u);
  EXPECT_EQ(met("queues a*", of_queues({"b*"})), 0u);
  EXPECT_EQ(met("queues *.long", of_queues({"*.q"})), 0u);
  EXPECT_EQ(met("queues all.q", of_queues({"*.q"})), 1u);
  EXPECT_EQ(met("queues all.q", of_queues({"long.q"})), 0u);
  EXPECT_EQ(met("users @staff", of_users({"b*"})), 1u);
  EXPECT_EQ(met("users @staff", of_users({"c*"})), 0u);
  EXPECT_EQ(met("users @nosuch", of_users({"ann"})), 0u);
  EXPECT_EQ(met("users *,!ann", of_users({"ann"})), 0u);
}

// Q6.5, Q6.8
TEST_F(GivenQuotasInUse, WhenPlacesAndProjectsAreSelectedThenMembersOfOthersAreLeftOut) {
  quotas("A", {"queues {*} to slots=9"});
  quotas("B", {"projects {*} to slots=9"});
  run(ann, "h1");
  QuotaSelection selection;
  selection.queues = {"all*"};
  EXPECT_EQ(rows(ann, selection), Lines{"A/1 slots=1/9 all.q"});
  selection.queues = {"long.q"};
  EXPECT_EQ(rows(ann, selection), Lines{});
  selection = {}, selection.pes = {"mpi"};
  EXPECT_EQ(rows(ann, selection), Lines{"A/1 slots=1/9 all.q"}) << "no rule has a filter of PEs";
  selection = {}, selection.projects = {"p1"};
  EXPECT_EQ(rows(ann, selection), Lines{"A/1 slots=1/9 all.q"});
}

TEST_F(GivenQuotasInUse, WhenAJobIsAskedAboutThenEachLimitThatItMeetsIsShownOnce) {
  quotas("fair", {"users {*} hosts {h1} to slots=2", "users {*} to slots=4,lic=1"});
  quotas("size", {"to tmem=4G"});
  run(ann, "h1"), run(ann, "h1"), run(ann, "h2");
  const auto number = submit(ann, asking({{"lic", "2"}, {"tmem", "5G"}}));
  const auto rows = met(number);
  EXPECT_EQ(lines(rows), (Lines{"fair/1 slots=2/2 ann h1", "fair/2 slots=1/4 ann",
                                "fair/2 lic=0/1 ann", "size/1 tmem=4G"}));
  ASSERT_EQ(rows.size(), 4u);
  EXPECT_EQ(rows[0].left, "0");
  EXPECT_FALSE(rows[0].fits);
  EXPECT_EQ(rows[1].left, "3");
  EXPECT_TRUE(rows[1].fits && rows[1].is_per_slot);
  EXPECT_EQ(rows[2].asked, "2");
  EXPECT_FALSE(rows[2].fits);
  EXPECT_EQ(rows[3].asked, "5G");
  EXPECT_FALSE(rows[3].fits);
  // Who asks for less meets less.
  EXPECT_EQ(lines(met(submit(bob, job("small")))),
            (Lines{"fair/1 slots=0/2 bob h1", "fair/2 slots=0/4 bob"}));
}

// "yyn": whether each limit is enough for the job, in the order of the rows.
TEST_F(GivenQuotasInUse, WhenAJobIsParallelThenALimitIsEnoughIfItsLeastSlotsFit) {
  queue("all.q", {{"pe_list", "mpi smp fill"}});
  quotas("A", {"hosts {*} to slots=2"});
  quotas("B", {"users @eng to slots=5"});
  const auto fits = [&](const Caller& caller, const JobRequest& request) {
    std::string all;
    for (const auto& row : met(submit(caller, request))) all += row.fits ? 'y' : 'n';
    return all;
  };
  EXPECT_EQ(fits(ann, parallel("mpi", 6)), "yyy") << "two on each host";
  EXPECT_EQ(fits(ann, parallel("mpi", 7)), "nnn");
  EXPECT_EQ(fits(ann, parallel("mpi", 2, 7)), "yyy");
  EXPECT_EQ(fits(ann, parallel("smp", 2)), "yyy");
  EXPECT_EQ(fits(ann, parallel("smp", 3)), "nnn") << "all on one host";
  EXPECT_EQ(fits(dan, parallel("mpi", 6)), "yyyn");
}

TEST_F(GivenQuotasInUse, WhenAJobRunsThenItsRowsSayWhatItHolds) {
  quotas("A", {"to slots=1"});
  const auto rows = met(run(ann, "h1"));
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_EQ(rows[0].held, "1");
  EXPECT_TRUE(rows[0].fits) << "it is not counted twice";
  const auto others = met(submit(ann, job("waits")));
  ASSERT_EQ(others.size(), 1u);
  EXPECT_EQ(others[0].held, "");
  EXPECT_FALSE(others[0].fits);
}

// Q4.17
TEST_F(GivenQuotasInUse, WhenALimitIsExclusiveThenOthersAreInTheWayFromBothSides) {
  complex("excl", "excl BOOL EXCL YES YES 0 0");
  offer("global", "excl=TRUE");
  quotas("A", {"to excl=TRUE"});
  const auto ordinary = run(ann, "h1");
  const auto alone = met(submit(ann, asking({{"excl", "TRUE"}})));
  ASSERT_EQ(alone.size(), 1u);
  EXPECT_EQ(alone[0].asked + alone[0].used + alone[0].left, "TRUETRUEFALSE");
  EXPECT_FALSE(alone[0].fits);
  const auto beside = met(submit(bob, job("ordinary")));
  ASSERT_EQ(beside.size(), 1u);
  EXPECT_EQ(beside[0].asked, "");
  EXPECT_TRUE(beside[0].fits) << "nobody is alone";
  start(ordinary), end(ordinary);
  quotas("B", {"to excl=FALSE"});
  for (const auto& row : met(submit(bob, job("ordinary")))) EXPECT_TRUE(row.fits) << row.label;
  for (const auto& row : met(submit(bob, asking({{"excl", "TRUE"}}))))
    EXPECT_EQ(row.fits, row.label == "A/1") << "nobody may be alone";
}

// A rule for some places, and one for all others: which comes first at the first place does not matter.
TEST_F(GivenQuotasInUse, WhenARuleIsOfSomePlacesThenItIsMetBesideOneOfAllOthers) {
  quotas("A", {"hosts h2 to slots=10", "to slots=2"});
  const auto number = submit(ann, job("waits"));
  EXPECT_EQ(lines(met(number)), (Lines{"A/1 slots=0/10", "A/2 slots=0/2"}));
  EXPECT_EQ(lines(met(number, "h2")), Lines{"A/1 slots=0/10"}) << "where the job might run";
  EXPECT_EQ(lines(met(number, "h3")), Lines{"A/2 slots=0/2"});
  EXPECT_EQ(lines(met(number, "h9")).size(), 2u) << "nowhere: all are named";
  queue("all.q", {{"pe_list", "mpi smp fill"}});
  for (const auto& row : met(submit(ann, parallel("mpi", 12)))) EXPECT_TRUE(row.fits) << row.label;
  for (const auto& row : met(submit(ann, parallel("mpi", 13)))) EXPECT_FALSE(row.fits) << row.label;
}

// Q4.30: 4 processors each.
TEST_F(GivenQuotasInUse, WhenALimitOfAFixedAttributeIsAFormulaThenEachHostHasItsOwn) {
  quotas("A", {"hosts {*} to tmem=$num_proc*1000"});
  const auto rows = met(submit(ann, asking({{"tmem", "4000"}})), "h1");
  EXPECT_EQ(lines(rows), Lines{"A/1 tmem=3.906K h1"});
  EXPECT_TRUE(rows.front().fits);
  EXPECT_FALSE(met(submit(ann, asking({{"tmem", "4001"}})), "h1").front().fits);
}

TEST_F(GivenQuotasInUse, WhenAConsumableIsPerHostThenItsRowSaysSo) {
  complex("disk", "dsk INT <= YES HOST 0 0");
  quotas("A", {"to disk=2"});
  const auto rows = met(submit(ann, asking({{"disk", "1"}})));
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_TRUE(rows[0].is_per_host && rows[0].fits);
}

// Q4.35, Q4.40
TEST_F(GivenQuotasInUse, WhenAJobIsInAReservationThenItMeetsLimitsWhereTheSiteWantsIt) {
  quotas("A", {"to slots=1"});
  const auto reservation = reserve(root, window(now.seconds, 1'000));
  auto inside = asking({{"h_rt", "100"}});
  inside.reservation = {reservation};
  const auto number = submit(root, inside);
  EXPECT_TRUE(met(number).empty());
  change({ObjectKind::global_configuration, "", {{"qmaster_params", "AR_HONOR_RQS=true"}}});
  EXPECT_EQ(lines(met(number)), Lines{"A/1 slots=0/1"});
}

TEST_F(GivenQuotasInUse, WhenAPlanIsAskedForThenItHasStepsAndWhoHasWhat) {
  quotas("A", {"users {*} to slots=9"});
  const auto first = run(ann, "h1", {{"h_rt", "100"}}), second = run(ann, "h1", {{"h_rt", "500"}});
  const auto found = shown(ann, {});
  const QuotaCounters counters(state().records());
  const auto plan = quota_plans(state().records(), counters, found, now, 50).front();
  ASSERT_EQ(plan.steps.size(), 3u);
  EXPECT_EQ(plan.steps[0].amount + plan.steps[1].amount + plan.steps[2].amount, "210");
  EXPECT_EQ(plan.steps[0].at, now);
  ASSERT_EQ(plan.holders.size(), 2u);
  EXPECT_EQ(plan.holders[0].job.value, first);
  EXPECT_EQ(plan.holders[1].job.value, second);
  EXPECT_EQ(plan.holders[1].window.end, plan.steps[2].at);
  const auto cut = quota_plans(state().records(), counters, found, now, 1).front();
  EXPECT_EQ(cut.steps.size() + cut.holders.size(), 2u);
  EXPECT_EQ(cut.more_steps, 2);
  EXPECT_EQ(cut.more_holders, 1);
}
