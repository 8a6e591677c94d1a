// What a JSV is told of a job, and what becomes of what it changes.
#include "core/configuration/objects/jsv_url.hpp"
#include "core/request/jsv_parameters.hpp"
#include "core/request/valid.hpp"

#include <gtest/gtest.h>

using namespace almanac;

namespace {

class GivenAJobForAJsv : public testing::Test {
protected:
  GivenAJobForAJsv() {
    request.name = "sleeper", request.command = "sleeper.sh", request.arguments = {"60"};
    request.resources = {{"mem", "1G"}, {"a", ""}};
    request.pe = "mpi", request.slots = {{2, 4}};
    request.environment = {{"A", "1"}};
  }
  std::string told(const std::string& name) const {
    for (const auto& [known, value] :
         jsv_parameters(request, {"server", "qmaster", "alice", "staff"}, dates))
      if (known == name) return value;
    return "(not told)";
  }
  /// The request as it is then, or the error in its name.
  JobRequest changed(const std::vector<Attribute>& parameters,
                     std::vector<JsvChanges::Variable> environment = {}) const {
    auto corrected = jsv_corrected(request, {parameters, std::move(environment)}, dates);
    if (corrected) return *corrected;
    JobRequest wrong;
    wrong.name = "[" + corrected.what() + "]";
    return wrong;
  }

  JobRequest request;
  JsvDates dates = jsv_dates({});
};

} // namespace

TEST_F(GivenAJobForAJsv, WhenItIsToldThenEachParameterHasTheNameOfTheManual) {
  for (const auto& [name, value] : {std::pair("VERSION", "1.0"),
                                    {"CONTEXT", "server"},
                                    {"CLIENT", "qmaster"},
                                    {"USER", "alice"},
                                    {"GROUP", "staff"},
                                    {"CMDNAME", "sleeper.sh"},
                                    {"CMDARGS", "1"},
                                    {"CMDARG0", "60"},
                                    {"N", "sleeper"},
                                    {"A", "sge"},
                                    {"l_hard", "mem=1G,a"},
                                    {"pe_name", "mpi"},
                                    {"pe_min", "2"},
                                    {"pe_max", "4"},
                                    {"m", "n"},
                                    {"b", "(not told)"},
                                    {"r", "(not told)"},
                                    {"p", "(not told)"},
                                    {"t_min", "(not told)"}})
    EXPECT_EQ(told(name), value) << name;
  request.execution_time = {1'795'176'061}, request.priority = -5, request.tasks = {1, 9, 2};
  EXPECT_EQ(told("a"), "202611201201.01");
  EXPECT_EQ(told("p"), "-5");
  EXPECT_EQ(told("t_max"), "9");
  EXPECT_EQ(told("t_step"), "2");
  EXPECT_EQ(told("tcon"), "(not told)");
  request.concurrent = true;
  EXPECT_EQ(told("tcon"), "y");
  EXPECT_FALSE(changed({{"tcon", "n"}}).concurrent);
  EXPECT_FALSE(changed({{"tcon", ""}}).concurrent);
  EXPECT_EQ(changed({{"tcon", "some"}}).name.front(), '[');
}

TEST_F(GivenAJobForAJsv, WhenListsAreChangedThenTheyAreAsIfQsubHadSaidSo) {
  const auto other = changed({{"l_hard", "h_rt=60"},
                              {"q_hard", "a.q,b.q"},
                              {"p", "-10"},
                              {"M", "bob@x"},
                              {"cwd", "/tmp"},
                              {"h", "u"},
                              {"r", "y"},
                              {"a", "202611201201.01"},
                              {"ac", "x=1"}});
  EXPECT_EQ(other.name, "sleeper");
  EXPECT_EQ(other.resources, (std::vector<Attribute>{{"h_rt", "60"}}));
  EXPECT_EQ(other.queues, (std::vector<std::string>{"a.q", "b.q"}));
  EXPECT_EQ(other.priority, -10);
  EXPECT_EQ(other.directory, "/tmp");
  EXPECT_TRUE(other.held_by_user);
  EXPECT_EQ(other.rerun, Rerun::yes);
  EXPECT_EQ(other.execution_time.seconds, 1'795'176'061);
  EXPECT_EQ(other.context, (std::vector<Attribute>{{"x", "1"}}));
  EXPECT_TRUE(valid(other).ok());
}

TEST_F(GivenAJobForAJsv, WhenAParameterIsDeletedThenTheJobHasItNoMore) {
  const auto other = changed({{"l_hard", ""}, {"pe_name", ""}});
  EXPECT_TRUE(other.resources.empty());
  EXPECT_TRUE(other.pe.empty() && other.slots.empty());
}

TEST_F(GivenAJobForAJsv, WhenSlotsTasksAndArgumentsAreChangedThenPartsAreEnough) {
  EXPECT_EQ(changed({{"pe_max", "8"}}).slots, (std::vector<SlotRange>{{2, 8}}));
  EXPECT_EQ(changed({{"t_max", "10"}, {"t_step", "4"}}).tasks, (TaskRange{1, 10, 4}));
  EXPECT_EQ(changed({{"CMDARGS", "2"}, {"CMDARG1", "x"}}).arguments,
            (std::vector<std::string>{"60", "x"}));
  EXPECT_EQ(changed({{"CMDARGS", "0"}}).arguments.size(), 0u);
}

TEST_F(GivenAJobForAJsv, WhenTheEnvironmentIsChangedThenAddAndModifyAreAlike) {
  using Verb = JsvChanges::Verb;
  EXPECT_EQ(changed({}, {{Verb::modify, "A", "2"}, {Verb::add, "B", "3"}}).environment,
            (std::vector<Attribute>{{"A", "2"}, {"B", "3"}}));
  EXPECT_TRUE(changed({}, {{Verb::remove, "A", ""}, {Verb::remove, "C", ""}}).environment.empty());
  EXPECT_TRUE(changed({}, {{Verb::add, "A=B", "x"}}).name.starts_with("[variable A=B: "));
}

TEST_F(GivenAJobForAJsv, WhenAChangeCannotBeThenTheParameterIsNamed) {
  for (const auto& [name, value, why] : {std::tuple("p", "9999", "-1023 to 1024"),
                                         {"USER", "root", "a JSV cannot change it"},
                                         {"b", "y", "a JSV cannot change it"},
                                         {"nosuch", "1", "there is no such parameter"},
                                         {"CMDNAME", "/bin/rm", "the script has been read already"},
                                         {"N", "", "cannot be deleted"},
                                         {"pe_min", "0", "a number from 1"},
                                         {"t_max", "0", "a number from 1"},
                                         {"h", "o", "u or n"},
                                         {"a", "01010000", "Wrong date/time format"},
                                         {"cwd", "here", "an absolute path"},
                                         {"CMDARG99999", "x", "a number below 1000"},
                                         {"CMDARGS", "99999", "from 0 to 1000"}}) {
    const auto said = changed({{name, value}}).name;
    EXPECT_TRUE(said.starts_with("[parameter " + std::string(name))) << said;
    EXPECT_NE(said.find(why), std::string::npos) << said;
  }
  EXPECT_EQ(changed({{"t_min", "9"}, {"t_max", "3"}}).name.substr(0, 11), "[parameters");
  request.pe.clear(), request.slots.clear();
  EXPECT_EQ(changed({{"pe_min", "2"}}).name, "[parameters pe_min and pe_max need a pe_name]");
}

TEST_F(GivenAJobForAJsv, WhenQalterAsksThenOptionsAreAllowedByTheirParameters) {
  const std::vector<std::string> allowed{"ac", "h", "N", "l_hard"};
  for (const auto* option : {"-ac", "-dc", "-sc", "-h", "-N", "-l", "-w"})
    EXPECT_TRUE(jsv_allows(allowed, option)) << option;
  for (const auto* option : {"-q", "-p", "-soft -l", "-pe", "--"})
    EXPECT_FALSE(jsv_allows(allowed, option)) << option;
  EXPECT_TRUE(jsv_allows({}, "-w"));
  EXPECT_TRUE(jsv_allows({"pe_name"}, "-pe"));
  EXPECT_TRUE(jsv_allows({"cwd"}, "-cwd"));
}

TEST(GivenTheUrlOfAJsv, WhenItIsReadThenTypeUserAndPathAreTold) {
  EXPECT_TRUE(parse_jsv_url("none")->words.empty());
  EXPECT_EQ(parse_jsv_url("/a/b c")->words, (std::vector<std::string>{"/a/b c"}));
  EXPECT_EQ(parse_jsv_url("script:/a/b")->words, (std::vector<std::string>{"/a/b"}));
  EXPECT_EQ(parse_jsv_url("command:/bin/sh '/a b' x")->words,
            (std::vector<std::string>{"/bin/sh", "/a b", "x"}));
  EXPECT_EQ(parse_jsv_url("script:sge@/a/b")->user, "sge");
  EXPECT_EQ(parse_jsv_url("sge@/a/b@c")->user, "sge");
  for (const auto* wrong : {"", "script:", "script:b", "b", "file:/a", "@/a", "-x@/a",
                            "script:a b@/x", "command:/bin/sh 'x", "script:/a\nb"})
    EXPECT_FALSE(parse_jsv_url(wrong).ok()) << wrong;
}

// C3.53.
TEST_F(GivenAJobForAJsv, WhenItChangesWhatIsAskedOfSomeSlotsThenThatIsInTheirScope) {
  EXPECT_EQ(told("slave_q_hard"), "(not told)");
  EXPECT_EQ(changed({{"slave_q_hard", "a.q,b.q"}}).slave_queues,
            (std::vector<std::string>{"a.q", "b.q"}));
  EXPECT_EQ(changed({{"slave_l_hard", "arch=x"}}).slave_resources,
            (std::vector<Attribute>{{"arch", "x"}}));
  EXPECT_EQ(changed({{"master_l_hard", "arch=x"}}).master_resources,
            (std::vector<Attribute>{{"arch", "x"}}));
  request.master_resources = {{"arch", "x"}};
  EXPECT_EQ(told("master_l_hard"), "arch=x");
  EXPECT_TRUE(changed({{"master_l_hard", ""}}).master_resources.empty());
}

// C3.56.
TEST_F(GivenAJobForAJsv, WhenItChangesTheRuleOfThePEThenTheOptionsWordsAreTaken) {
  EXPECT_EQ(told("par"), "(not told)");
  request.pe = "mpi", request.slots = {{4, 4}}, request.pe_rule = "2";
  EXPECT_EQ(told("par"), "2");
  EXPECT_EQ(changed({{"par", "fill_up"}}).pe_rule, "$fill_up");
  EXPECT_EQ(changed({{"par", ""}}).pe_rule, "");
  EXPECT_EQ(changed({{"pe_name", ""}}).pe_rule, "");
}

// C3.51.
TEST_F(GivenAJobForAJsv, WhenItIsBoundToCoresThenTheParametersThatApplyAreTold) {
  EXPECT_EQ(told("binding_strategy"), "(not told)");
  request.binding = "set striding:2:4:0,1";
  EXPECT_EQ(told("binding_strategy"), "striding");
  EXPECT_EQ(told("binding_type"), "set");
  EXPECT_EQ(told("binding_amount"), "2");
  EXPECT_EQ(told("binding_step"), "4");
  EXPECT_EQ(told("binding_core"), "1");
  EXPECT_EQ(told("binding_exp_n"), "(not told)");
  request.binding = "env explicit:0,0:1,5";
  EXPECT_EQ(told("binding_exp_n"), "2");
  EXPECT_EQ(told("binding_exp_core1"), "5");
  EXPECT_EQ(told("binding_amount"), "(not told)");
}

TEST_F(GivenAJobForAJsv, WhenItDeletesTheBindingThenThereIsNone) {
  request.binding = "set linear:2";
  EXPECT_EQ(changed({{"binding_strategy", ""}}).binding, "");
  EXPECT_EQ(changed({{"binding_strategy", ""}, {"binding_amount", ""}}).binding, "");
  EXPECT_EQ(changed({{"p", "-1"}}).binding, "set linear:2");
}

// C3.51, C3.52.
TEST_F(GivenAJobForAJsv, WhenItSetsABindingThenItIsAsIfQsubHadSaidSo) {
  using Parameters = std::vector<Attribute>;
  for (const auto& [parameters, expected] :
       {std::pair(Parameters{{"binding_amount", "4"}, {"binding_strategy", "linear_automatic"}},
                  "set linear:4"),
        {{{"binding_strategy", "linear"}, {"binding_type", "env"}}, "env linear:slots"},
        {{{"binding_strategy", "linear"}, {"binding_amount", "2"}, {"binding_core", "3"}},
         "set linear:2:0,3"},
        {{{"binding_strategy", "striding"},
          {"binding_amount", "2"},
          {"binding_step", "4"},
          {"binding_socket", "1"},
          {"binding_core", "0"},
          {"binding_type", "pe"}},
         "pe striding:2:4:1,0"},
        {{{"binding_strategy", "explicit"},
          {"binding_exp_n", "2"},
          {"binding_exp_core1", "5"},
          {"binding_exp_socket1", "1"}},
         "set explicit:0,0:1,5"}})
    EXPECT_EQ(changed(parameters).binding, expected) << changed(parameters).name;
}

TEST_F(GivenAJobForAJsv, WhenItChangesPartsOfABindingThenTheOthersStay) {
  request.binding = "env striding:2:4:0,1";
  EXPECT_EQ(changed({{"binding_amount", "3"}}).binding, "env striding:3:4:0,1");
  EXPECT_EQ(changed({{"binding_strategy", "striding_automatic"}}).binding, "env striding:2:4");
  EXPECT_EQ(changed({{"binding_type", ""}}).binding, "set striding:2:4:0,1");
  request.binding = "set explicit:0,0:1,5";
  EXPECT_EQ(changed({{"binding_exp_n", "1"}}).binding, "set explicit:0,0");
  EXPECT_EQ(changed({{"binding_exp_core2", "7"}}).binding, "set explicit:0,0:1,5:0,7");
}

TEST_F(GivenAJobForAJsv, WhenABindingCannotBeThenItIsSaidWhy) {
  for (const auto& [name, value, why] :
       {std::tuple("binding_strategy", "spread", "one of linear, linear_automatic, "),
        {"binding_type", "all", "one of set, env, pe"},
        {"binding_amount", "-1", "a number from 0 to 4096"},
        {"binding_amount", "2:0,0", "a number from 0 to 4096"},
        {"binding_exp_n", "99999", "a number from 0 to 4096"},
        {"binding_exp_core4096", "1", "there is no such parameter"},
        {"binding_exp_core", "1", "there is no such parameter"},
        {"binding_cores", "1", "there is no such parameter"}}) {
    const auto said = changed({{name, value}}).name;
    EXPECT_TRUE(said.starts_with("[parameter " + std::string(name))) << said;
    EXPECT_NE(said.find(why), std::string::npos) << said;
  }
  EXPECT_EQ(changed({{"binding_amount", "3"}}).name,
            "[parameters binding_*: a binding_strategy is missing]");
  for (const auto* strategy : {"striding", "explicit"})
    EXPECT_TRUE(changed({{"binding_strategy", strategy}})
                    .name.starts_with("[parameters binding_*: [set|env|pe] and linear"));
  EXPECT_TRUE(changed({{"binding_strategy", "explicit"}, {"binding_exp_n", "2"}})
                  .name.starts_with("[parameters binding_*: "))
      << "one core twice";
}
