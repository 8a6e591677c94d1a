// Who hears of what is durable.
#include "actors/master/publisher.hpp"
#include "core/planning/planner.hpp"
#include "tests/actors/actor_fixture.hpp"

using namespace almanac;

namespace {

class GivenAPublisher : public ActorFixture {
public:
  Partner calendar = partner(), archive = partner(), views = partner(), gate = partner(),
          exporter = partner(), postman = partner();
  Partner enlisted = partner(); ///< a directory that only listens
  Planner planner = *Planner::restore(Planner::initial_records("root", "master"));
  Publisher publisher{system,
                      {calendar.as<CalendarActor>(), archive.as<ArchiveActor>(),
                       views.as<ViewsActor>(), gate.as<GateActor>(), enlisted.as<DirectoryActor>(),
                       &clock, nullptr, "store", 1},
                      {views.as<ViewsActor>(),
                       exporter.as<ExporterActor>(),
                       postman.as<PostmanActor>(),
                       {},
                       archive.as<ArchiveActor>(),
                       gate.as<GateActor>(),
                       {},
                       note_level,
                       calendar.pointer()}};
  static inline std::vector<LogLevel> levels;
  static void note_level(LogLevel level) { levels.push_back(level); }

  GivenAPublisher() { levels.clear(); }
  ~GivenAPublisher() override {
    for (const auto& actor : enlisted.all<Enlist>())
      if (const auto made = caf::actor_cast<caf::strong_actor_ptr>(actor.address))
        caf::anon_send_exit(made, caf::exit_reason::kill);
  }

  void begin() {
    publisher.begin(planner.state(), planner.state().records().as_effects(), clock.now());
    settle();
  }
  Decided decide(CommandBody body) {
    auto valid = validated(Command{{"root", "root", 0, 0, "master"}, std::move(body)});
    Decided decided;
    decided.decisions = planner.handle(std::get<Valid<Command>>(valid), clock.now());
    return decided;
  }
  Decided submit() {
    JobRequest job;
    job.name = "job", job.command = "/bin/true", job.binary = true;
    return decide(Submit{job, ""});
  }
  void publish(std::vector<Decided> batch) {
    publisher.publish(batch, planner.state().configuration(), clock.now());
    settle();
  }
};

} // namespace

TEST_F(GivenAPublisher, WhenItBeginsThenTheViewsHaveAllRecordsAndTheOthersTheConfiguration) {
  begin();
  ASSERT_EQ(views.all<Publish>().size(), 1u);
  EXPECT_EQ(views.all<Publish>().front().decided->front().size(),
            planner.state().records().as_effects().size());
  EXPECT_TRUE(exporter.all<Publish>().empty()) << "nothing was decided";
  EXPECT_EQ(gate.all<PrecedenceChanged>().size(), 1u);
  ASSERT_EQ(archive.all<RetentionsChanged>().size(), 1u);
  EXPECT_EQ(archive.all<RetentionsChanged>().front().calendar, calendar.pointer());
  EXPECT_EQ(levels.size(), 1u);
}

TEST_F(GivenAPublisher, WhenABatchIsDurableThenAllHearOfEachInputInOrder) {
  begin();
  std::vector<Decided> batch;
  batch.push_back(submit()), batch.push_back(submit());
  batch.back().decisions.schedule = {"a line"};
  publish(std::move(batch));
  for (const auto& reader : {views, exporter, postman}) {
    ASSERT_FALSE(reader.all<Publish>().empty());
    const auto decided = reader.all<Publish>().back().decided;
    ASSERT_EQ(decided->size(), 2u);
    EXPECT_FALSE(decided->front().empty());
  }
  ASSERT_EQ(exporter.all<ScheduleRun>().size(), 1u);
  EXPECT_EQ(exporter.all<ScheduleRun>().front().lines, std::vector<std::string>{"a line"});
  EXPECT_TRUE(publisher.job(planner.state().job_by_number({2})->key)) << "its actor was made";
}

TEST_F(GivenAPublisher, WhenTheConfigurationChangesThenOnlyWhatIsNewIsSaid) {
  begin();
  std::vector<Decided> jobs;
  jobs.push_back(submit());
  publish(std::move(jobs));
  EXPECT_EQ(levels.size(), 1u) << "a job is none of it";
  std::vector<Decided> batch;
  batch.push_back(decide(AddHost{"h1", 1}));
  publish(std::move(batch));
  EXPECT_EQ(levels.size(), 2u);
  EXPECT_TRUE(publisher.host("h1"));
  EXPECT_FALSE(publisher.host("h2"));
  EXPECT_EQ(gate.all<PrecedenceChanged>().size(), 1u) << "who is first is what it was";
  EXPECT_EQ(archive.all<RetentionsChanged>().size(), 1u);
  EXPECT_TRUE(gate.all<HooksChanged>().empty()) << "there are none";
  ConfigurationChange hooks{ChangeVerb::modify, {ObjectKind::global_configuration, "", {}}, {}};
  hooks.object.set("ar_start", "/bin/true $ar_id");
  std::vector<Decided> changed;
  changed.push_back(decide(Configure{hooks}));
  publish(std::move(changed));
  ASSERT_EQ(gate.all<HooksChanged>().size(), 1u);
  EXPECT_EQ(gate.all<HooksChanged>().front().hooks.of(HookEvent::start), "/bin/true $ar_id");
  EXPECT_EQ(gate.all<HooksChanged>().back().jsv_url, "");
  ConfigurationChange jsv{ChangeVerb::modify, {ObjectKind::global_configuration, "", {}}, {}};
  jsv.object.set("jsv_url", "script:/site/jsv");
  std::vector<Decided> verified;
  verified.push_back(decide(Configure{jsv}));
  publish(std::move(verified));
  ASSERT_EQ(gate.all<HooksChanged>().size(), 2u);
  EXPECT_EQ(gate.all<HooksChanged>().back().jsv_url, "script:/site/jsv");
}

TEST_F(GivenAPublisher, WhenATaskIsToBeLaunchedThenItsPlanIsTakenAndOfOthersNone) {
  begin();
  const auto submitted = submit();
  EXPECT_TRUE(publisher.plans(planner.state(), submitted.decisions).empty());
  Decisions sent;
  Task task;
  task.job = planner.state().job_by_number({1})->key;
  task.state = TaskState::sent;
  sent.effects = {std::make_shared<const Task>(task)};
  EXPECT_EQ(publisher.plans(planner.state(), sent).size(), 1u);
}

// C9.13, B7.24: of a task that was attracted, too.
TEST_F(GivenAPublisher, WhenATaskRunsInAReservationThenItsPlanNamesThat) {
  begin();
  submit();
  decide(AddHost{"h1", 4});
  Reserve reserve;
  reserve.request.start = clock.now() + Duration{86'400};
  reserve.request.duration = {3600}, reserve.request.has_duration = true;
  const auto number = decide(reserve).decisions.answer->number;
  Decisions sent;
  Task task;
  task.job = planner.state().job_by_number({1})->key;
  task.state = TaskState::sent;
  task.attracted_by = planner.state().reservation_by_number({number})->key;
  sent.effects = {std::make_shared<const Task>(task)};
  EXPECT_EQ(publisher.plans(planner.state(), sent).at(task.id()).reservation.value, number);
}
