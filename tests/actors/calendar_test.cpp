// The planner's actor: decided, durable, published, answered, in this order.
#include "core/answer/gridengine.hpp"
#include "actors/master/calendar.hpp"
#include "schema/codec.hpp"
#include "schema/store/records.hpp"
#include "tests/actors/many_hosts.hpp"
#include "tests/actors/memory_store.hpp"

using namespace almanac;

namespace {

// A journal that is as slow as the test wants it to be.
struct SlowDisk {
  std::vector<std::shared_ptr<const std::vector<store::Write>>> batches;
  std::vector<caf::typed_response_promise<Durable>> waiting;

  static caf::behavior run(caf::event_based_actor* self, std::shared_ptr<SlowDisk> disk) {
    return {[self, disk](const CommitBatch& request) {
              disk->batches.push_back(request.batch);
              disk->waiting.push_back(self->make_response_promise<Durable>());
              return disk->waiting.back();
            },
            [disk](const Wake&) {
              for (auto& promise : std::exchange(disk->waiting, {})) promise.deliver(Durable{});
            }};
  }
};

class GivenACalendar : public ActorFixture {
public:
  std::shared_ptr<SlowDisk> disk = std::make_shared<SlowDisk>();
  caf::actor disk_actor = keep(system.spawn(SlowDisk::run, disk));
  Partner archive = partner(), views = partner(), exporter = partner(), gate = partner();
  MemoryStore store;
  ListedNotebook notebook;
  Caller root{"root", "root", 0, 0, "master", "unix door"};
  Partner enlisted = partner(); ///< a directory that only listens
  CalendarActor calendar = begin();

  // Hosts and jobs that it has made have timers for ever.
  ~GivenACalendar() override {
    for (const auto& actor : enlisted.all<Enlist>())
      if (const auto made = caf::actor_cast<caf::strong_actor_ptr>(actor.address))
        caf::anon_send_exit(made, caf::exit_reason::kill);
  }

  CalendarActor begin(RecordSet records = Planner::initial_records("root", "master"),
                      KeptAnswers answers = {}) {
    CalendarSetup setup{*Planner::restore(std::move(records))};
    setup.answers = std::move(answers);
    setup.store_id = "store", setup.term = {3}, setup.clock = &clock;
    setup.store = &store, setup.notebook = &notebook, setup.host = "master";
    setup.directory = enlisted.as<DirectoryActor>();
    setup.journal = caf::actor_cast<JournalActor>(disk_actor);
    setup.archive = archive.as<ArchiveActor>();
    setup.views = views.as<ViewsActor>(), setup.exporter = exporter.as<ExporterActor>();
    setup.gate = gate.as<GateActor>();
    auto actor = keep(spawn_calendar(system, std::move(setup)));
    settle();
    make_durable(); // that it was started
    return actor;
  }
  void make_durable() { tell(disk_actor, Wake{}); }

  HandleCommand request(const std::string& id, CommandBody body, const std::string& hash = "h") {
    auto valid = validated(Command{root, std::move(body)});
    return {std::move(std::get<Valid<Command>>(valid)), id, hash, nullptr};
  }
  std::shared_ptr<std::optional<Answer>> submit(const std::string& id, const std::string& name) {
    JobRequest job;
    job.name = name, job.command = "/bin/true", job.binary = true;
    return ask<Answer>(*this, calendar, request(id, Submit{job, ""}, name));
  }
  std::vector<Input> journaled() const {
    std::vector<Input> inputs;
    for (const auto& batch : disk->batches)
      for (const auto& write : *batch)
        if (write.family == store::Family::inputs)
          inputs.push_back(decode<JournaledInput>(*write.value)->input);
    return inputs;
  }
  std::size_t passes() const {
    std::size_t count = 0;
    for (const auto& input : journaled()) count += std::holds_alternative<Pass>(input);
    return count;
  }
  /// Slices of questions that were in hand.
  std::size_t slices() const {
    return static_cast<std::size_t>(
        std::count_if(notebook.noted.begin(), notebook.noted.end(), [](const std::string& noted) {
          return noted.find("question") != std::string::npos;
        }));
  }
  std::size_t published_jobs() const {
    std::size_t count = 0;
    for (const auto& news : views.all<Publish>())
      for (const auto& effects : *news.decided)
        for (const auto& effect : effects) count += std::holds_alternative<JobPtr>(effect);
    return count;
  }
};

} // namespace

TEST_F(GivenACalendar, WhenItBeginsThenThatIsDurableBeforeTheGateIsOpen) {
  ASSERT_FALSE(journaled().empty());
  EXPECT_TRUE(std::holds_alternative<Restarted>(journaled().front()));
  EXPECT_EQ(gate.all<OpenGate>().size(), 1u);
}

TEST_F(GivenACalendar, WhenACommandIsDecidedThenNobodyHearsOfItBeforeItIsDurable) {
  const auto answer = submit("1", "first");
  ASSERT_FALSE(disk->waiting.empty());
  EXPECT_FALSE(answer->has_value());
  EXPECT_EQ(published_jobs(), 0u);
  make_durable();
  ASSERT_TRUE(answer->has_value());
  EXPECT_EQ(answer->value().number, 1);
  EXPECT_GE(published_jobs(), 1u);
  EXPECT_TRUE(exporter.all<Publish>().size() >= 1u);
}

TEST_F(GivenACalendar, WhenMoreComesWhileABatchIsOnItsWayThenItGoesWithTheNextOne) {
  const auto first = submit("1", "first");
  const auto batches = disk->batches.size();
  const auto second = submit("2", "second"), third = submit("3", "third");
  EXPECT_EQ(disk->batches.size(), batches) << "one at a time";
  make_durable();
  EXPECT_TRUE(first->has_value());
  EXPECT_FALSE(second->has_value());
  EXPECT_EQ(disk->batches.size(), batches + 1);
  make_durable();
  EXPECT_EQ(second->value().number, 2);
  EXPECT_EQ(third->value().number, 3);
}

TEST_F(GivenACalendar, WhenARequestComesAgainThenItIsDoneOnceAndAnsweredAlike) {
  const auto first = submit("1", "job"), again = submit("1", "job");
  make_durable(), make_durable();
  ASSERT_TRUE(first->has_value() && again->has_value());
  EXPECT_EQ(again->value(), first->value());
  const auto other = submit("1", "another");
  make_durable();
  EXPECT_EQ(other->value().exit_code, 1);
  EXPECT_EQ(gridengine::text_of(other->value().statements.front()),
            "the request id 1 was used for another request");
  std::size_t submissions = 0;
  for (const auto& input : journaled()) submissions += std::holds_alternative<Command>(input);
  EXPECT_EQ(submissions, 1u);
}

TEST_F(GivenACalendar, WhenTheDiskIsNearlyFullThenWorkIsRefusedAndDeletionsAreNot) {
  submit("1", "job");
  make_durable();
  store.space = false;
  EXPECT_EQ(gridengine::text_of(submit("2", "job")->value().statements.front()), nearly_full);
  const auto deleted = ask<Answer>(*this, calendar, request("3", DeleteJobs{{"1"}, {}, {}, false}));
  make_durable();
  EXPECT_EQ(deleted->value().exit_code, 0);
}

TEST_F(GivenACalendar, WhenARequestHasCrashedMastersThenItIsRefusedBeforeItIsDecided) {
  submit("0", "job");
  make_durable();
  const auto before = journaled().size();
  notebook.poison = notebook.noted.front();
  const auto id = notebook.poison.substr(notebook.poison.find('/') + 1);
  ASSERT_EQ(id, "0");
  notebook.poison.back() = '9';
  EXPECT_EQ(submit("9", "job")->value().exit_code, 1);
  EXPECT_EQ(journaled().size(), before);
}

TEST_F(GivenACalendar, WhenTimePassesThenPassesAreDecidedWhileThereAreJobs) {
  submit("1", "job");
  make_durable(), make_durable();
  const auto before = passes();
  pass(std::chrono::seconds(60));
  EXPECT_GT(passes(), before);
}

TEST_F(GivenACalendar, WhenTimePassesWhileABatchIsOnItsWayThenAPassThatWasWantedIsNotForgotten) {
  make_durable();
  submit("1", "job");
  make_durable(), make_durable();
  ask<Answer>(*this, calendar, request("2", DeleteJobs{{"1"}, {}, {}, false}));
  ASSERT_FALSE(disk->waiting.empty());
  const auto before = passes();
  tell(calendar, ContinuePass{}); // wanted while no job is there
  pass(std::chrono::seconds(60));
  make_durable();
  EXPECT_EQ(passes(), before + 1);
}

TEST_F(GivenACalendar, WhenAnActorOfAJobIsAskedForThenThereIsOneWhileTheJobIs) {
  submit("1", "job");
  EXPECT_FALSE(ask<caf::strong_actor_ptr>(*this, calendar, GetJobActor{1})->has_value())
      << "not before it is durable";
  make_durable();
  EXPECT_TRUE(ask<caf::strong_actor_ptr>(*this, calendar, GetJobActor{1})->has_value());
  EXPECT_FALSE(ask<caf::strong_actor_ptr>(*this, calendar, GetJobActor{2})->has_value());
}

TEST_F(GivenACalendar, WhenAJobIsGoneThenThatIsSaidOnceItsEndIsDurable) {
  submit("1", "job");
  make_durable();
  ask<Answer>(*this, calendar, request("2", DeleteJobs{{"1"}, {}, {}, false}));
  const auto is_gone = std::make_shared<bool>(false);
  keep(system.spawn([=, this](caf::event_based_actor* self) {
    self->request(calendar, caf::infinite, GetJobActor{1})
        .then([](const caf::strong_actor_ptr&) {},
              [is_gone](const caf::error&) { *is_gone = true; });
  }));
  settle();
  EXPECT_FALSE(*is_gone) << "who looks for its record would find none";
  make_durable();
  EXPECT_TRUE(*is_gone);
}

TEST_F(GivenACalendar, WhenAPassIsWantedWhileAQuestionIsAnsweredThenItIsDecidedBetweenTwoSlices) {
  const auto large = begin(planner_of_many_hosts().state().records().copy());
  make_durable(), make_durable();
  const auto before = passes();
  const auto answer = std::make_shared<std::optional<Answer>>();
  keep(system.spawn([=, this](caf::event_based_actor* self) {
    self->request(large, caf::infinite, Ask{root, ExplainJob{{1}, true}})
        .then([answer](const Answer& said) { *answer = said; });
  }));
  bool is_wanted = false, came_between = false;
  while (scheduler().try_run_once()) {
    if (slices() == 1 && !std::exchange(is_wanted, true)) caf::anon_send(large, ContinuePass{});
    came_between = came_between || (passes() > before && !answer->has_value());
  }
  EXPECT_TRUE(came_between);
  EXPECT_GT(slices(), 2u);
  ASSERT_TRUE(answer->has_value());
  const auto planner = planner_of_many_hosts();
  EXPECT_EQ(answer->value(), planner.ask(ExplainJob{{1}, true}, clock.now()));
}

TEST_F(GivenACalendar, WhenManyAskThenAllAreAnsweredAndShortQuestionsDoNotWaitForLongOnes) {
  const auto large = begin(planner_of_many_hosts().state().records().copy());
  make_durable(), make_durable();
  std::vector<std::shared_ptr<std::optional<Answer>>> answers;
  std::vector<std::size_t> order;
  const auto ask_for = [&](ValidQuestion question) {
    const auto answer = answers.emplace_back(std::make_shared<std::optional<Answer>>());
    keep(system.spawn([=, this](caf::event_based_actor* self) {
      self->request(large, caf::infinite, Ask{root, question}).then([answer](const Answer& said) {
        *answer = said;
      });
    }));
  };
  for (int i = 0; i < 3; ++i) ask_for(ExplainJob{{1}, true});
  ask_for(MayEnter{root});
  while (scheduler().try_run_once())
    for (std::size_t i = 0; i < answers.size(); ++i)
      if (answers[i]->has_value() && std::find(order.begin(), order.end(), i) == order.end())
        order.push_back(i);
  EXPECT_EQ(order, (std::vector<std::size_t>{3, 0, 1, 2}));
}

TEST_F(GivenACalendar, WhenACheckpointIsWantedThenTheNextInputBeginsAnewAndTheSnapshotIsOfBefore) {
  const auto first = submit("1", "first");
  tell(calendar, WantCheckpoint{});
  EXPECT_TRUE(archive.all<SnapshotTaken>().empty()) << "a batch is on its way";
  const auto second = submit("2", "second");
  make_durable(); // the first, which may have been joined by nothing else
  make_durable(), make_durable();
  ASSERT_EQ(archive.all<SnapshotTaken>().size(), 1u);
  const auto behind = archive.all<SnapshotTaken>().front().sequence;
  const auto all = journaled();
  ASSERT_LT(static_cast<std::size_t>(behind.value), all.size());
  const auto* anew = std::get_if<Restarted>(&all[static_cast<std::size_t>(behind.value)]);
  ASSERT_TRUE(anew) << "numbers begin with 1: it is the one behind";
  EXPECT_TRUE(anew->is_checkpoint);
  EXPECT_TRUE(second->has_value());
}

TEST_F(GivenACalendar, WhenNothingHappensThenACheckpointIsMadeAllTheSame) {
  make_durable(), make_durable();
  tell(calendar, WantCheckpoint{});
  make_durable(), make_durable();
  EXPECT_EQ(archive.all<SnapshotTaken>().size(), 1u);
}

namespace {

// Whose site is asked before it grants a reservation; it has a host.
RecordSet records_with_site() {
  auto planner = *Planner::restore(Planner::initial_records("root", "master"));
  const auto decide = [&](CommandBody body) {
    auto valid = validated(Command{{"root", "root", 0, 0, "master"}, std::move(body)});
    EXPECT_EQ(planner.handle(std::get<Valid<Command>>(valid), {1}).answer->exit_code, 0);
  };
  decide(AddHost{"h", 4});
  auto global = *planner.state().configuration().find(ObjectKind::global_configuration, "");
  global.set("ar_confirm", "/confirm"), global.set("hook_must_succeed", "confirm");
  decide(Configure{{ChangeVerb::modify, global, {}}});
  return planner.state().records().copy();
}

Reserve tomorrow(Instant now) {
  Reserve reserve;
  reserve.request.start = now + Duration{86'400};
  reserve.request.duration = {3600}, reserve.request.has_duration = true;
  return reserve;
}

} // namespace

// B8.51, B8.52: the answer comes with the outcome, and who asks again while it is awaited hears the same.
TEST_F(GivenACalendar, WhenTheSiteIsAskedThenTheAnswerWaitsForItAndOthersDoNot) {
  const auto at_site = begin(records_with_site());
  const auto asks = [&](const std::string& id) {
    return ask<Answer>(*this, at_site, request(id, tomorrow(clock.now())));
  };
  const auto first = asks("1"), again = asks("1"), other = asks("2");
  make_durable(), make_durable(), make_durable();
  EXPECT_FALSE(first->has_value() || again->has_value());
  JobRequest job;
  job.name = "other", job.command = "/bin/true", job.binary = true;
  const auto submitted = ask<Answer>(*this, at_site, request("3", Submit{job, ""}));
  make_durable(), make_durable();
  EXPECT_TRUE(submitted->has_value());

  std::vector<HookCall> calls;
  for (const auto& news : views.all<Publish>())
    for (const auto& effects : *news.decided)
      for (const auto& effect : effects)
        if (const auto* call = std::get_if<HookCall>(&effect)) calls.push_back(*call);
  ASSERT_EQ(calls.size(), 2u);
  tell(at_site, Tell{HookEnded{calls[0].reservation, HookEvent::confirm, "exited with 1",
                               calls[0].sequence, "no budget"}});
  make_durable();
  ASSERT_TRUE(first->has_value() && again->has_value());
  EXPECT_EQ(gridengine::text_of(first->value().statements.front()),
            "denied by the site: no budget");
  EXPECT_EQ(again->value(), first->value());
  EXPECT_EQ(asks("1")->value(), first->value()) << "nothing is asked a second time";
  EXPECT_FALSE(other->has_value());
  tell(at_site, Tell{HookEnded{calls[1].reservation, HookEvent::confirm, "", calls[1].sequence}});
  make_durable(), make_durable();
  ASSERT_TRUE(other->has_value());
  EXPECT_EQ(other->value().exit_code, 0);
}

// B8.52: who waits is told what has happened.
TEST_F(GivenACalendar, WhenAReservationIsDeletedWhileTheSiteIsAskedThenWhoWaitsHearsOfThat) {
  const auto at_site = begin(records_with_site());
  const auto asked = ask<Answer>(*this, at_site, request("1", tomorrow(clock.now())));
  make_durable();
  EXPECT_FALSE(asked->has_value());
  const auto deleted =
      ask<Answer>(*this, at_site, request("2", DeleteReservations{{"1"}, {}, false}));
  make_durable(), make_durable();
  ASSERT_TRUE(deleted->has_value() && asked->has_value());
  EXPECT_EQ(deleted->value().exit_code, 0);
  EXPECT_EQ(asked->value().exit_code, 1);
  EXPECT_EQ(gridengine::text_of(asked->value().statements.front()),
            "denied: advance reservation 1 was deleted while the site was asked about it");
}

// K2: what was asked when the master ended is given up, and who asks again with the same id hears that.
TEST_F(GivenACalendar, WhenTheMasterEndsWhileTheSiteIsAskedThenItIsGivenUpOnceAndForAll) {
  std::map<store::Family, std::map<std::string, std::string>> stored;
  for (auto& write : store::writes_of(records_with_site()))
    stored[write.family][write.key] = *write.value;
  disk->batches.clear();
  const auto before = begin(records_with_site());
  const auto asked = ask<Answer>(*this, before, request("1", tomorrow(clock.now())));
  make_durable(), make_durable();
  EXPECT_FALSE(asked->has_value());
  for (const auto& batch : disk->batches)
    for (const auto& write : *batch)
      if (write.value) stored[write.family][write.key] = *write.value;
      else stored[write.family].erase(write.key);

  auto records = store::read_records([&](store::Family family, const auto& visit) {
    for (const auto& [key, value] : stored[family]) visit(key, value);
  });
  ASSERT_TRUE(records.ok());
  ASSERT_EQ(records->reservations.size(), 1u);
  std::map<std::string, KeptAnswer> answers;
  for (const auto& [key, bytes] : stored[store::Family::answers])
    answers.emplace(key, *decode_answer(bytes));
  const auto after = begin(std::move(*records), KeptAnswers(std::move(answers)));
  const auto again = ask<Answer>(*this, after, request("1", tomorrow(clock.now())));
  make_durable();
  ASSERT_TRUE(again->has_value());
  EXPECT_EQ(gridengine::text_of(again->value().statements.front()),
            "denied: the site has not agreed to advance reservation 1 in time (ar_confirm)");
  const auto other = ask<Answer>(*this, after, request("2", tomorrow(clock.now())));
  make_durable();
  EXPECT_FALSE(other->has_value()) << "the place is free, and the site is asked about it";
}
