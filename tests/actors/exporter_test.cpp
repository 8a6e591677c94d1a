// What the exporter hands on to the schedule trace.
#include "actors/master/exporter.hpp"
#include "tests/actors/memory_store.hpp"

using namespace almanac;

namespace {

class Trace : public ScheduleFile {
public:
  void follow(const Retention& now) override { retention = now; }
  void append(const std::vector<std::string>& lines, Instant now) override {
    runs.emplace_back(lines, now);
  }
  void clear_away(Instant now) override { looked = now; }

  Retention retention;
  std::vector<std::pair<std::vector<std::string>, Instant>> runs;
  Instant looked;
};

class GivenAnExporterOfTheTraceAlone : public ActorFixture {
public:
  MemoryStore store;
  Trace trace;
  ExporterActor exporter =
      keep(spawn_exporter(system, directory, store, {nullptr, &trace}, GlobalConfiguration{}));

  void publish(std::vector<Effect> effects, Instant now) {
    std::vector<std::vector<Effect>> decided;
    decided.push_back(std::move(effects));
    tell(
        exporter,
        Publish{std::make_shared<const std::vector<std::vector<Effect>>>(std::move(decided)), now});
  }
};

} // namespace

TEST_F(GivenAnExporterOfTheTraceAlone, WhenARunComesThenItIsWritten) {
  tell(exporter, ScheduleRun{{"::::::::"}, {7}});
  ASSERT_EQ(trace.runs.size(), 1u);
  EXPECT_EQ(trace.runs[0].first, std::vector<std::string>{"::::::::"});
  EXPECT_EQ(trace.runs[0].second, Instant{7});
}

TEST_F(GivenAnExporterOfTheTraceAlone, WhenTheConfigurationChangesThenTheTraceIsKeptThatLong) {
  settle();
  EXPECT_EQ(trace.retention, (Retention{{7 * 24 * 3600}, 1024}));
  publish({ConfigurationObject{ObjectKind::global_configuration,
                               "global",
                               {{"qmaster_params", "SCHEDULE_DAYS=2 SCHEDULE_MB=0"}}}},
          {9});
  EXPECT_EQ(trace.retention, (Retention{{2 * 24 * 3600}, 0}));
  EXPECT_EQ(trace.looked, Instant{9}) << "time goes on where nothing is written";
}
