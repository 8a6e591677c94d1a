// qresub (cli C4.30, C4.35), and what qalter does beside giving jobs other values (C4.31, C4.32).
#include "tests/core/planning/planner_fixture.hpp"

using namespace almanac;

namespace {

class GivenAJobOfAlice : public PlannerFixture {
public:
  GivenAJobOfAlice() {
    hosts(1, 1);
    auto request = job("first", "60");
    request.held_by_user = true, request.account = "acc";
    submit(alice, request);
  }
  Answer resubmit(const Caller& caller, AlterJobs changes) {
    return command(caller, ResubmitJobs{std::move(changes)});
  }
  Answer hold(const Caller& caller, const std::string& held, const std::string& released) {
    AlterJobs change{{"1"}, {}, {}, {}};
    change.held = held, change.released = released;
    return command(caller, change);
  }
};

} // namespace

TEST_F(GivenAJobOfAlice, WhenItIsSubmittedAgainThenTheCopyIsNotHeld) {
  const auto answer = resubmit(alice, {{"first"}, {}, {}, {}});
  EXPECT_EQ(text(answer), "Your job 2 (\"first\") has been submitted\n");
  EXPECT_FALSE(find(2)->held_by_user);
  EXPECT_TRUE(find(1)->held_by_user);
  EXPECT_EQ(find(2)->request->account, "acc");
  EXPECT_EQ(find(2)->script_hash, find(1)->script_hash);
}

TEST_F(GivenAJobOfAlice, WhenTheCopyIsChangedThenTheOriginalStays) {
  AlterJobs changes{{"1"}, {}, {"-N"}, job("second")};
  changes.context = {{ContextVerb::add, {{"a", "1"}}}};
  changes.held = "u";
  EXPECT_EQ(resubmit(alice, changes).number, 2);
  EXPECT_EQ(find(2)->request->name, "second");
  EXPECT_EQ(print_context(find(2)->request->context), "a=1");
  EXPECT_TRUE(find(2)->held_by_user);
  EXPECT_EQ(find(1)->request->name, "first");
}

TEST_F(GivenAJobOfAlice, WhenAnOperatorCopiesItThenTheCopyIsTheOperators) {
  EXPECT_EQ(text(resubmit(bob, {{"1"}, {}, {}, {}})),
            "bob - you do not have the necessary privileges to resubmit the job \"1\"\n");
  EXPECT_EQ(resubmit(root, {{"1"}, {}, {}, {}}).exit_code, 0);
  EXPECT_EQ(find(2)->owner.user, "root");
}

TEST_F(GivenAJobOfAlice, WhenACopyIsRefusedThenNoIdIsUsed) {
  auto wrong = job("x");
  wrong.resources = {{"nosuch", "1"}};
  EXPECT_EQ(resubmit(alice, {{"1"}, {}, {"-l"}, wrong}).exit_code, 1);
  EXPECT_EQ(resubmit(alice, {{"1.1"}, {}, {}, {}}).exit_code, 1);
  EXPECT_EQ(resubmit(alice, {{"7"}, {}, {}, {}}).exit_code, 1);
  EXPECT_EQ(resubmit(alice, {{}, {"carol"}, {}, {}}).exit_code, 1);
  EXPECT_EQ(submit(alice, job("next")), 2);
}

TEST_F(GivenAJobOfAlice, WhenTooManyWouldBeCopiedThenNoneIs) {
  for (int i = 0; i < 100; ++i) submit(alice, job("first"));
  EXPECT_EQ(text(resubmit(alice, {{"first"}, {}, {}, {}})),
            "101 jobs are too many to be copied at once: at most 100\n");
  EXPECT_EQ(planner.state().jobs().size(), 101u);
}

TEST_F(GivenAJobOfAlice, WhenHoldsAreChangedThenTheRightsAreThoseOfQhold) {
  EXPECT_EQ(text(hold(alice, "", "u")), "modified hold of job 1\n");
  EXPECT_FALSE(find(1)->held_by_user);
  EXPECT_EQ(hold(alice, "o", "").exit_code, 1);
  EXPECT_EQ(hold(root, "os", "").exit_code, 0);
  EXPECT_EQ(hold(alice, "", "n").exit_code, 1) << "not all of them are hers to remove";
  EXPECT_EQ(text(hold(root, "u", "o")), "modified hold of job 1\n") << "once for each job";
  EXPECT_TRUE(find(1)->held_by_user && find(1)->held_by_system && !find(1)->held_by_operator);
  EXPECT_EQ(hold(root, "", "n").exit_code, 0);
  EXPECT_FALSE(find(1)->is_held());
}

TEST_F(GivenAJobOfAlice, WhenOnlyWhetherItFitsIsAskedThenNothingChanges) {
  AlterJobs change{{"1"}, {}, {"-w", "-l"}, job("x", "120")};
  change.request.validation = Validation::verify;
  EXPECT_EQ(text(ask(VerifySubmit{alice, {}, change})), "verification: found suitable queue(s)\n");
  change.request.resources = {{"arch", "nosuch"}};
  EXPECT_EQ(ask(VerifySubmit{alice, {}, change}).exit_code, 1);
  EXPECT_EQ(ask(VerifySubmit{bob, {}, change}).exit_code, 1);
  EXPECT_EQ(find(1)->request->resources, (std::vector<Attribute>{{"h_rt", "60"}}));
}

TEST_F(GivenAJobOfAlice, WhenItsContextIsChangedThenEachChangeCounts) {
  AlterJobs change{{"1"}, {}, {"-ac", "-dc"}, {}};
  change.context = {{ContextVerb::add, {{"a", "1"}, {"b", "2"}}},
                    {ContextVerb::remove, {{"a", ""}}}};
  EXPECT_EQ(text(command(alice, change)), "modified context of job 1\n");
  EXPECT_EQ(print_context(find(1)->request->context), "b=2");
  change.options = {"-ac"}, change.context = {{ContextVerb::add, {{"c", "3"}}}};
  command(alice, change);
  EXPECT_EQ(print_context(find(1)->request->context), "b=2,c=3");
}
