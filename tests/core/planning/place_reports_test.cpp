// What the reporting file is told of queue instances and hosts (C11.15, O2.8, V10.15).
#include "reports_fixture.hpp"

using namespace almanac;

namespace {

class GivenReportsOfPlaces : public ReportsFixture {
public:
  GivenReportsOfPlaces() { report("reporting=true"); }

  bool is_looked_at(ReportKind kind) const override { return kind >= ReportKind::queue; }
  void set(const std::string& host, const std::string& attribute, const std::string& value) {
    change({ObjectKind::exec_host, host, {{attribute, value}}});
  }
  void disable() {
    ModifyQueues command;
    command.targets = {"all.q"};
    this->command(root, command);
  }
  void add_license() {
    auto complexes = template_of(ObjectKind::complex, "");
    complexes.attributes.push_back({"license", "lic DOUBLE <= YES YES 0 0"});
    change(complexes);
    set("global", "complex_values", "license=2.5");
  }
  /// A job that runs and takes so many slots.
  std::int64_t run(std::int64_t slots) {
    auto request = job("wide");
    request.pe = "fill", request.slots = {{slots, slots}};
    const auto id = submit(alice, request);
    pass(), start(id);
    return id;
  }
};

} // namespace

TEST_F(GivenReportsOfPlaces, WhenTheStateOfAnInstanceChangesThenThatIsToldOnce) {
  hosts(1, 4);
  EXPECT_EQ(told(), Lines{"1000000:queue:all.q:h1:1000000:"}) << "it was unknown";
  disable();
  EXPECT_EQ(told(), Lines{"1000000:queue:all.q:h1:1000000:d"});
  disable();
  EXPECT_EQ(told(), Lines{});
  now = now + Duration{5};
  tell(HostSilent{"h1", false});
  EXPECT_EQ(told(), Lines{}) << "suspect is not shown";
  tell(HostSilent{"h1", true});
  EXPECT_EQ(told(), Lines{"1000005:queue:all.q:h1:1000005:du"});
  restart();
  EXPECT_EQ(told(), Lines{}) << "nothing is told again";
}

TEST_F(GivenReportsOfPlaces, WhenConsumablesAreLoggedThenEachUseOfThemIs) {
  hosts(2, 4);
  report("reporting=true log_consumables=true");
  set("h1", "complex_values", "slots=6");
  add_license();
  told();
  auto request = job("wide");
  request.pe = "fill", request.slots = {{6, 6}}, request.resources = {{"license", "0.25"}};
  const auto id = submit(alice, request);
  pass();
  const Lines taken{"1000000:host_consumable:global:1000000:X:license=1.500000=2.500000",
                    "1000000:host_consumable:h1:1000000:X:slots=4.000000=6.000000",
                    "1000000:queue_consumable:all.q:h1:1000000::slots=4.000000=4.000000",
                    "1000000:queue_consumable:all.q:h2:1000000::slots=2.000000=4.000000"};
  EXPECT_EQ(told(), taken);
  start(id);
  EXPECT_EQ(told(), Lines{}) << "it takes no more";
  restart();
  EXPECT_EQ(told(), Lines{});
  end(id);
  const auto given_back = told();
  ASSERT_EQ(given_back.size(), 4U);
  for (const auto& line : given_back) EXPECT_NE(line.find("=0.000000="), std::string::npos) << line;
}

TEST_F(GivenReportsOfPlaces, WhenVariablesAreNamedThenOnlyTheseAreTold) {
  hosts(1, 4);
  add_license();
  told();
  end(run(1));
  EXPECT_EQ(told(), Lines{}) << "nobody asked for it";
  set("h1", "report_variables", "s,license");
  const auto id = run(2);
  EXPECT_EQ(told(), Lines{"1000000:queue_consumable:all.q:h1:1000000::slots=2.000000=4.000000"})
      << "by its shortcut; the license has not changed";
  set("h1", "report_variables", "load_avg");
  end(id);
  EXPECT_EQ(told(), Lines{});
}

TEST_F(GivenReportsOfPlaces, WhenLoadChangesThenTheVariablesOfTheHostOrTheCellAreTold) {
  hosts(2, 4);
  told();
  const auto load = [this](const std::string& host, std::int64_t hundredths) {
    HostLoad load;
    load.load_short = load.load_medium = load.load_long = hundredths;
    tell(LoadChanged{host, load});
  };
  load("h1", 40);
  EXPECT_EQ(told(), Lines{}) << "nobody asked for it";
  set("global", "report_variables", "np_load_avg,arch");
  set("h2", "report_variables", "load_short");
  load("h1", 80), load("h2", 80), load("h2", 80);
  EXPECT_EQ(told(), (Lines{"1000000:host:h1:1000000:X:np_load_avg=0.200000,arch=lx-amd64",
                           "1000000:host:h2:1000000:X:load_short=0.800000"}));
}

TEST_F(GivenReportsOfPlaces, WhenReportingIsOffThenNothingIsTold) {
  report("reporting=false log_consumables=true");
  hosts(1, 4);
  set("h1", "report_variables", "load_avg");
  end(run(2));
  disable();
  tell(LoadChanged{"h1", HostLoad{50, 50, 50}});
  EXPECT_EQ(told(), Lines{});
  EXPECT_EQ(planner.state().counters().last_report, 0);
}

TEST_F(GivenReportsOfPlaces, WhenReportingIsSwitchedOnThenWhatRunsCounts) {
  report("reporting=false");
  hosts(1, 4);
  run(1);
  report("reporting=true log_consumables=true");
  run(2);
  EXPECT_EQ(told(), Lines{"1000000:queue_consumable:all.q:h1:1000000::slots=3.000000=4.000000"});
}
