// What load sensors say decides like any other load value (docs/spec/objects.md O7.4, O7.60).
#include "assignment_fixture.hpp"
#include "core/host/sensed_values.hpp"
#include "core/matching/offered_values.hpp"

#include <gtest/gtest.h>

using namespace almanac;

namespace {

class GivenLoadSensors : public AssignmentFixture {
protected:
  GivenLoadSensors() {
    hosts(2, 4);
    complex("scratch", "scr MEMORY <= YES NO 0 0");
    complex("licenses", "lic INT <= YES YES 0 0");
    complex("os", "os RESTRING == YES NO NONE 0");
    change({ObjectKind::global_configuration, "", {{"load_sensor", "/site/sensor"}}});
  }

  void says(const std::string& host, std::vector<LoadValue> values) {
    HostLoad load{100, 100, 100, 0, 1 << 30, 0, 0};
    load.values = std::move(values);
    tell(LoadChanged{host, load});
  }
};

} // namespace

TEST_F(GivenLoadSensors, WhenAJobAsksForWhatTheySayThenItRunsWhereThereIsEnough) {
  const auto number = submit(alice, asking({{"scratch", "5G"}}));
  pass();
  EXPECT_EQ(place(number), "") << "nobody has said anything yet";
  says("h1", {{"scratch", "4G", ""}});
  pass();
  EXPECT_EQ(place(number), "");
  EXPECT_NE(why(number).find("scratch=4"), std::string::npos) << why(number);
  says("h2", {{"scr", "6G", ""}});
  pass();
  EXPECT_EQ(place(number), "all.q@h2:1");
}

TEST_F(GivenLoadSensors, WhenTheyAreTextsThenPatternsMatchThem) {
  says("h1", {{"os", "debian12", ""}});
  says("h2", {{"os", "rocky9", ""}});
  EXPECT_EQ(placed(asking({{"os", "rocky*"}})), "all.q@h2:1");
  EXPECT_EQ(placed(asking({{"os", "suse*"}})), "");
}

TEST_F(GivenLoadSensors, WhenAConsumableIsSaidThenTheStricterCounts) {
  offer("global", "licenses=10");
  says("h1", {{"licenses", "2", whole_cell}});
  EXPECT_EQ(placed(asking({{"licenses", "3"}})), "") << "others have taken the rest";
  EXPECT_EQ(placed(asking({{"licenses", "2"}})).substr(0, 6), "all.q@");
  says("h2", {{"licenses", "9", whole_cell}});
  EXPECT_NE(placed(asking({{"licenses", "3"}})), "") << "who spoke last counts";
  EXPECT_EQ(placed(asking({{"licenses", "6"}})), "") << "of ten, two to four are taken";
}

TEST_F(GivenLoadSensors, WhenThresholdAndFormulaNameThemThenTheyCountScaled) {
  queue("all.q", {{"load_thresholds", "scratch=2G"}});
  says("h1", {{"scratch", "1G", ""}});
  says("h2", {{"scratch", "3G", ""}});
  EXPECT_EQ(placed(job("a")), "all.q@h2:1");
  change({ObjectKind::exec_host, "h2", {{"load_scaling", "scratch=0.5"}}});
  EXPECT_EQ(placed(job("b")), "") << "3G there count as 1.5G";
  queue("all.q", {{"load_thresholds", "NONE"}});
  scheduler({{"load_formula", "scratch"}, {"job_load_adjustments", "NONE"}});
  EXPECT_EQ(placed(job("c")), "all.q@h1:1") << "the lowest first";
}

TEST_F(GivenLoadSensors, WhenAHostIsLostOrHasNoSensorsThenWhatItSaidIsForgotten) {
  says("h1", {{"licenses", "2", whole_cell}, {"scratch", "4G", ""}});
  EXPECT_EQ(planner.state().host(whole_cell).load.values.size(), 1u);
  tell(HostSilent{"h1", true});
  EXPECT_TRUE(planner.state().host(whole_cell).load.values.empty());
  EXPECT_TRUE(planner.state().host("h1").load.values.empty());
  change({ObjectKind::local_configuration, "h2", {{"load_sensor", "none"}}}, ChangeVerb::add);
  says("h2", {{"licenses", "2", whole_cell}, {"scratch", "4G", ""}});
  EXPECT_TRUE(planner.state().host(whole_cell).load.values.empty());
  EXPECT_TRUE(planner.state().host("h2").load.values.empty());
}

TEST_F(GivenLoadSensors, WhenTheyAreShownThenTheDomainIsTheirs) {
  says("h1", {{"scratch", "4G", ""},
              {"licenses", "2", whole_cell},
              {"licenses", "no", ""},
              {"load_avg", "99", ""},
              {"nosuch", "1", ""}});
  const auto& host = planner.state().host("h1");
  const auto shown = with_cell_values(host, planner.state().host(whole_cell));
  std::string text;
  for (const auto& one : offered_at_host(state().configuration(), shown, {}))
    if (one.complex->name == "scratch" || one.complex->name == "licenses" ||
        one.complex->name == "load_avg" || one.complex->name == "nosuch")
      text += one.kind + ":" + one.complex->name + "=" + one.value + " ";
  EXPECT_EQ(text, "hl:load_avg=1.000000 hl:scratch=4.000G ")
      << "the host's own word on licenses does not read, and comes first";
}

// O2.2, S8.15.
TEST_F(GivenLoadSensors, WhenAHostScalesItsLoadThenWhatIsShownIsScaled) {
  change({ObjectKind::exec_host, "h1", {{"load_scaling", "load_avg=2,mem_free=0.5,scratch=0.5"}}});
  says("h1", {{"scratch", "4G", ""}});
  std::string text;
  for (const auto& one : offered_at_host(state().configuration(), planner.state().host("h1"), {}))
    if (one.complex->name == "load_avg" || one.complex->name == "load_short" ||
        one.complex->name == "mem_free" || one.complex->name == "scratch")
      text += one.complex->name + "=" + one.value + " ";
  EXPECT_EQ(text, "load_avg=2.000000 load_short=1.000000 mem_free=512.000M scratch=2.000G ");
}

TEST_F(GivenLoadSensors, WhenTheirAttributeNamesNoProgramsThenItIsRefused) {
  for (const char* wrong : {"sensor", "/a,b", "/a,/a"}) {
    const auto answer =
        command(root, Configure{{ChangeVerb::modify,
                                 {ObjectKind::global_configuration, "", {{"load_sensor", wrong}}},
                                 {}}});
    EXPECT_NE(answer.exit_code, 0) << wrong;
  }
}
