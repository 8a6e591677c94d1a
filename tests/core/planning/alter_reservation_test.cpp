// qralter: what may be changed of a reservation, and what becomes of the jobs in it
// (spec/beyond.md section 12).
#include "planner_fixture.hpp"

#include <functional>

using namespace almanac;

namespace {

// Hosts h1 to h4 of 4 slots, no DURATION_OFFSET. Reservation 1 has 8 slots, on h1 and h2, for the 600
// seconds after the next 600.
class GivenAGrantedReservation : public PlannerFixture {
public:
  void SetUp() override {
    hosts(4, 4);
    scheduler("DURATION_OFFSET=0");
    allow("alice"), allow("bob");
    T = now.seconds;
  }
  void scheduler(const std::string& params) {
    auto object = *planner.state().configuration().find(ObjectKind::scheduler_configuration, "");
    object.set("params", params);
    ASSERT_EQ(command(root, Configure{{ChangeVerb::modify, object, {}}}).exit_code, 0);
  }
  void allow(const std::string& user) {
    const ConfigurationObject list{ObjectKind::userset, "arusers", {}};
    ASSERT_EQ(command(root, Configure{{ChangeVerb::add_entries, list, {user}}}).exit_code, 0);
  }
  std::int64_t grant(const Caller& owner, std::int64_t start, std::int64_t length,
                     std::int64_t slots, std::vector<std::string> queues = {}) {
    auto request = on_pe(window(T + start, length), "fill", slots);
    request.queues = std::move(queues);
    return reserve(owner, std::move(request));
  }
  void take(const std::string& host, std::int64_t start, std::int64_t length) {
    grant(root, start, length, 4, {"all.q@" + host});
  }
  void at(std::int64_t seconds) { now = Instant{T + seconds}; }

  using Fill = std::function<void(ReservationRequest&)>;
  static AlterReservation change(std::int64_t number, std::vector<std::string> options,
                                 const Fill& fill, bool force = false) {
    AlterReservation command{{number}, std::move(options), {}, force};
    fill(command.request);
    return command;
  }
  Answer alter(const Caller& caller, std::vector<std::string> options, const Fill& fill,
               bool force = false) {
    return command(caller, change(1, std::move(options), fill, force));
  }
  Answer lasts(std::int64_t seconds) {
    return alter(alice, {"-d"}, [&](auto& r) { r.duration = {seconds}, r.has_duration = true; });
  }
  Answer ends(std::int64_t end, bool force = false) {
    return alter(
        alice, {"-e"}, [&](auto& r) { r.end = {T + end}; }, force);
  }
  Answer begins(std::int64_t start) {
    return alter(alice, {"-a"}, [&](auto& r) { r.start = {T + start}; });
  }
  Answer has(std::int64_t slots, bool force = false) {
    return alter(
        alice, {"-pe"},
        [&](auto& r) {
          r.pe = "fill", r.slots = {{slots, slots}};
        },
        force);
  }
  Answer lets_in(const std::string& user, bool force = false) {
    return alter(
        alice, {"-u"}, [&](auto& r) { r.users = {user}; }, force);
  }
  void refused(const Answer& answer, const std::string& why) {
    EXPECT_EQ(answer.exit_code, 1) << text(answer);
    EXPECT_NE(text(answer).find(why), std::string::npos) << text(answer);
    EXPECT_TRUE(text(answer).ends_with("advance reservation 1 was not changed\n")) << text(answer);
  }
  void done(const Answer& answer, const std::string& user = "alice") {
    EXPECT_EQ(answer.exit_code, 0) << text(answer);
    EXPECT_TRUE(text(answer).ends_with(user + " modified advance reservation 1\n")) << text(answer);
  }

  const Reservation& reservation() const { return *planner.state().reservation_by_number({1}); }
  std::string grants() const {
    std::string all;
    for (const auto& grant : reservation().shape.grants)
      all += (all.empty() ? "" : " ") + grant.instance.host + "=" + std::to_string(grant.slots);
    return all;
  }
  Window in_force() const {
    const auto& window = reservation().shape.window;
    return {{window.start.seconds - T}, {window.end.seconds - T}};
  }
  std::int64_t booked(const std::string& host, std::int64_t start, std::int64_t end) const {
    return planner.state().ledger().used(Container::queue({"all.q", host}), "slots",
                                         {{T + start}, {T + end}});
  }
  JobRequest inside(const std::string& limit = "", std::int64_t slots = 1,
                    const std::string& host = "") const {
    auto request = job("inside", limit);
    request.reservation = {1};
    if (slots > 1) request.pe = "fill", request.slots = {{slots, slots}};
    if (!host.empty()) request.queues = {"all.q@" + host};
    return request;
  }
  /// A job that runs in it.
  std::int64_t run(const Caller& owner, JobRequest request) {
    const auto number = submit(owner, std::move(request));
    pass();
    EXPECT_TRUE(is_active(number));
    start(number);
    return number;
  }
  const Task& task(std::int64_t number) const { return *find(number)->find(0); }
  std::vector<Letter> letters(const Input& input) {
    std::vector<Letter> told;
    for (const auto& effect : handle(input).effects)
      if (const auto* letter = std::get_if<Letter>(&effect)) told.push_back(*letter);
    return told;
  }
  void books_agree() {
    EXPECT_TRUE(planner.state().records().followers_agree());
    const auto restored = Planner::restore(planner.state().records().copy());
    ASSERT_TRUE(restored.ok());
    EXPECT_EQ(restored->digest(), planner.digest());
  }

  std::int64_t T = 0;
};

// The same, and its time has come.
class GivenARunningReservation : public GivenAGrantedReservation {
public:
  void SetUp() override {
    GivenAGrantedReservation::SetUp();
    grant(alice, 600, 600, 8);
    at(600), due(1);
    ASSERT_EQ(letter(1), 'r');
    ASSERT_EQ(grants(), "h1=4 h2=4");
  }
};

} // namespace

// B12.2, R4.16: an orphan serves those that have it as they have it.
TEST_F(GivenAGrantedReservation, WhenAnInstanceIsAnOrphanThenWhatAsksForNothingNewKeepsIt) {
  ConfigurationObject hosts{ObjectKind::host_group, "@allhosts", {{"hostlist", "h1 h3 h4"}}};
  grant(alice, 600, 600, 8, {"all.q@h1", "all.q@h2"});
  ASSERT_EQ(command(root, Configure{{ChangeVerb::modify, hosts, {}}}).exit_code, 0);
  done(lasts(500));
  EXPECT_EQ(grants(), "h1=4 h2=4");
  done(lets_in("bob"));
  done(alter(alice, {"-spare"}, [](auto& r) { r.spare = 0; }));
  EXPECT_EQ(grants(), "h1=4 h2=4");
  const std::string orphaned = "queue instance \"all.q@h2\" dropped because it is orphaned: it has "
                               "what was granted there to advance reservation 1, no more and no "
                               "longer\n";
  refused(lasts(700), orphaned); // B0.8
  refused(has(9), orphaned);
  done(has(6));
  EXPECT_EQ(grants(), "h1=4 h2=2");
  refused(has(7), orphaned);
  at(600), due(1);
  run(bob, inside("100", 2, "h2"));
  done(has(2));
  EXPECT_EQ(grants(), "h2=2");
  books_agree();
}

// B12.2: what is not given is taken from the record, and refuses nothing.
TEST_F(GivenAGrantedReservation, WhenAQueueThatItAskedForIsGoneThenItIsOnlyMissedWhereItIsGiven) {
  const ConfigurationObject hosts{ObjectKind::host_group, "@allhosts", {{"hostlist", "h1 h3 h4"}}};
  grant(alice, 600, 600, 4, {"all.q@h2", "all.q@h3"});
  ASSERT_EQ(grants(), "h2=4");
  ASSERT_EQ(command(root, Configure{{ChangeVerb::modify, hosts, {}}}).exit_code, 0);
  done(lasts(700));
  ASSERT_EQ(grants(), "h3=4");
  done(has(3));
  EXPECT_EQ(grants(), "h3=3");
  refused(alter(alice, {"-q"},
                [](auto& r) {
                  r.queues = {"all.q@h2", "all.q@h3"};
                }),
          "unknown queue \"all.q@h2\"");
  books_agree();
}

// B12.04, B12.07, B12.2, beyond Q1
TEST_F(GivenAGrantedReservation, WhenItIsProlongedThenWhatFitsStays) {
  grant(alice, 600, 600, 8);
  take("h2", 1200, 1000);
  done(lasts(1200));
  EXPECT_EQ(grants(), "h1=4 h3=4");
  EXPECT_EQ(in_force(), (Window{{600}, {1800}})) << "-d keeps the start";
  EXPECT_EQ(booked("h2", 600, 1200), 0);
  books_agree();
}

// B12.05
TEST_F(GivenAGrantedReservation, WhenThereIsNoPlaceThenNothingChanges) {
  grant(alice, 600, 600, 8);
  for (const char* host : {"h2", "h3", "h4"}) take(host, 1200, 1000);
  const auto digest = planner.digest();
  refused(lasts(1200), "advance_reservation: no suitable queues\n");
  EXPECT_EQ(planner.digest(), digest);
}

// B12.05: each reason once.
TEST_F(GivenAGrantedReservation, WhenItHasTooManySlotsThenThatIsSaidOnce) {
  grant(alice, 600, 600, 8);
  const auto said = text(has(17));
  EXPECT_NE(said.find("only offers 16 slots"), std::string::npos) << said;
  EXPECT_EQ(said.find("only offers"), said.rfind("only offers")) << said;
}

// B0.4, beyond Q2
TEST_F(GivenAGrantedReservation, WhenTheClusterIsFullButForItThenItMayGrowOverItself) {
  grant(alice, 600, 600, 8);
  take("h3", 0, 3000), take("h4", 0, 3000);
  done(ends(2400));
  EXPECT_EQ(grants(), "h1=4 h2=4");
  EXPECT_EQ(booked("h1", 600, 2400), 4) << "booked once";
  books_agree();
}

// B12.06, B12.13
TEST_F(GivenAGrantedReservation, WhenAStartIsGivenThenItMoves) {
  grant(alice, 600, 600, 8);
  at(100);
  done(begins(1000));
  EXPECT_EQ(in_force(), (Window{{1000}, {1600}})) << "the length stays";
  refused(begins(50), "start time is in the past");
  done(alter(alice, {"-a", "-e"}, [&](auto& r) { r.start = {T + 700}, r.end = {T + 800}; }));
  EXPECT_EQ(in_force(), (Window{{700}, {800}}));
  // B13.28
  refused(alter(alice, {"-a", "-e"}, [&](auto& r) { r.start = {T + 900}, r.end = {T + 800}; }),
          "start time is later than end time");
  done(alter(alice, {"-N"}, [](auto& r) { r.name = "course"; }));
  EXPECT_EQ(in_force(), (Window{{700}, {800}})) << "what is not given is not taken from now";
}

// B12.06
TEST_F(GivenAGrantedReservation, WhenItMovesToNowThenItBegins) {
  grant(alice, 600, 600, 8);
  done(begins(0));
  EXPECT_EQ(letter(1), 'r');
}

// B4.14: its own slots are not in its way, and a gap is taken that is long enough.
TEST_F(GivenAGrantedReservation, WhenItIsToBeginAsSoonAsPossibleThenItMovesForward) {
  grant(alice, 2000, 600, 16);
  const auto blocker = grant(root, 0, 500, 12);
  grant(root, 900, 300, 16);
  const auto asap = [&](std::vector<std::string> options, auto fill) {
    options.push_back("-a");
    return alter(alice, options, [&](auto& r) { r.asap = true, fill(r); });
  };
  const auto as_it_is = [](auto&) {};
  const auto digest = planner.digest();
  refused(asap({"-e"}, [&](auto& r) { r.end = {T + 1799}; }), "no start before ");
  EXPECT_EQ(planner.digest(), digest);
  const auto answer = asap({}, as_it_is);
  EXPECT_EQ(answer.exit_code, 0);
  EXPECT_NE(text(answer).find("on all.q@h1=4, all.q@h2=4, "), std::string::npos) << text(answer);
  EXPECT_EQ(in_force(), (Window{{1200}, {1800}})) << "the length stays";
  EXPECT_FALSE(reservation().request.asap) << "what was found is fixed";
  EXPECT_EQ(asap({}, as_it_is).exit_code, 0);
  EXPECT_EQ(in_force(), (Window{{1200}, {1800}})) << "there is nothing earlier";
  EXPECT_EQ(asap({"-d"}, [](auto& r) { r.duration = {400}, r.has_duration = true; }).exit_code, 0);
  EXPECT_EQ(in_force(), (Window{{500}, {900}}));
  command(root, DeleteReservations{{std::to_string(blocker)}, {}, false});
  at(100);
  EXPECT_EQ(asap({}, as_it_is).exit_code, 0);
  EXPECT_EQ(letter(1), 'r');
  books_agree();
  refused(asap({}, as_it_is), "the advance reservation has begun");
}

// B12.06
TEST_F(GivenAGrantedReservation, WhenAWaitingJobWouldNotFitThenItIsListed) {
  grant(alice, 600, 600, 8);
  const auto long_one = submit(alice, inside("500"));
  submit(alice, inside("300"));
  refused(lasts(400), "job 1 no longer fits: ");
  const auto answer = alter(
      alice, {"-d"}, [](auto& r) { r.duration = {400}, r.has_duration = true; }, true);
  done(answer);
  EXPECT_NE(text(answer).find("job 1 gets a user hold: "), std::string::npos);
  EXPECT_TRUE(find(long_one)->held_by_user);
  EXPECT_FALSE(find(2)->held_by_user);
  done(lasts(300)); // one that did not fit before is in nobody's way
}

// B12.01, B12.02
TEST_F(GivenAGrantedReservation, WhenSomebodyElseChangesItThenItIsForOperatorsAndTheOwnerHears) {
  auto request = on_pe(window(T + 600, 600), "fill", 8);
  request.mail_at = "a";
  reserve(alice, request);
  const auto answer = alter(bob, {"-N"}, [](auto& r) { r.name = "mine"; });
  EXPECT_EQ(text(answer), "bob - you do not have the necessary privileges to change the "
                          "advance_reservation \"1\"\n");
  const auto rename = [](auto& r) { r.name = "course"; };
  // B12.42
  const auto told = letters(Command{root, change(1, {"-N"}, rename)});
  ASSERT_EQ(told.size(), 1u);
  EXPECT_EQ(told.front().occasion, Occasion::reservation_changed);
  EXPECT_EQ(told.front().to, "alice");
  EXPECT_EQ(subject_of(told.front()), "Advance Reservation 1 (course) Changed");
  EXPECT_TRUE(letters(Command{alice, change(1, {"-N"}, [](auto& r) { r.name = "x"; })}).empty());
}

// B12.1
TEST_F(GivenAGrantedReservation, WhenItIsOverOrUnknownThenItDoesNotExist) {
  const auto unknown = "denied: advance_reservation \"1\" does not exist\n";
  EXPECT_EQ(text(lasts(100)), unknown);
  grant(alice, 0, 600, 8);
  due(1);
  run(alice, inside("500"));
  command(alice, DeleteReservations{{"1"}, {}, false});
  ASSERT_EQ(letter(1), 'd');
  EXPECT_EQ(text(lasts(100)), unknown);
}

// B12.11, beyond Q8
TEST_F(GivenAGrantedReservation, WhenAChangeIsPreparedThenItIsRefused) {
  grant(alice, 600, 600, 8);
  ReservationRequest longer;
  longer.end = {T + 1300};
  ASSERT_EQ(
      command(alice, PrepareReservation{"t", {1}, ReservationVerb::change, longer, {60}}).exit_code,
      0);
  refused(lasts(100), "denied: operation pending on advance_reservation \"1\"");
  at(60);
  done(lasts(100)); // its time is over
  EXPECT_TRUE(reservation().proposed.empty());
  books_agree();
}

// B12.012
TEST_F(GivenAGrantedReservation, WhenAnOptionStaysAsItWasGrantedThenItIsNamed) {
  grant(alice, 600, 600, 8);
  const auto digest = planner.digest();
  for (const char* option : {"-ckpt", "-masterq", "-now", "-alloc", "-w", ""})
    refused(alter(alice, {option}, [](auto&) {}),
            "option " + std::string(option) + " of an advance reservation cannot be changed\n");
  EXPECT_EQ(planner.digest(), digest);
  EXPECT_EQ(alter(alice, {}, [](auto&) {}).exit_code, 1);
  EXPECT_EQ(alter(alice, {"-N", "-N"}, [](auto&) {}).exit_code, 1);
}

// B12.010, B12.011, B12.12
TEST_F(GivenAGrantedReservation, WhenSeveralAreGivenThenTheyReplaceAndEmptyOnesClear) {
  auto request = on_pe(window(T + 600, 600), "fill", 8);
  request.mail_at = "bea", request.mail_to = {"carol"}, request.users = {"bob"};
  request.hard = true, request.name = "course";
  reserve(alice, request);
  const auto shape = reservation().shape;
  done(alter(alice, {"-he", "-repair", "-m", "-M", "-A"},
             [](auto& r) { r.repair = Repair::yes, r.account = "teaching"; }));
  const auto& now_asked = reservation().request;
  EXPECT_EQ(now_asked.mail_at, "");
  EXPECT_TRUE(now_asked.mail_to.empty());
  EXPECT_FALSE(now_asked.hard);
  EXPECT_EQ(now_asked.repair, Repair::yes);
  EXPECT_EQ(now_asked.account, "teaching");
  EXPECT_EQ(now_asked.name, "course") << "not named";
  EXPECT_EQ(reservation().shape.window, shape.window);
  EXPECT_EQ(reservation().shape.users, shape.users);
  done(alter(alice, {"-u"}, [](auto&) {}));
  EXPECT_TRUE(reservation().shape.users.empty());
  EXPECT_EQ(grants(), "h1=4 h2=4");
}

// B12.12
TEST_F(GivenAGrantedReservation, WhenOneOfSeveralIsImpossibleThenNoneIsDone) {
  grant(alice, 600, 600, 8);
  refused(alter(alice, {"-N", "-pe"},
                [](auto& r) {
                  r.name = "x", r.pe = "fill", r.slots = {{17, 17}};
                }),
          "no suitable queues");
  EXPECT_EQ(reservation().request.name, "");
  refused(alter(alice, {"-N", "-u"}, [](auto& r) { r.name = "x", r.users = {"@nolist"}; }),
          "nolist");
  EXPECT_EQ(reservation().request.name, "");
}

// B12.08
TEST_F(GivenAGrantedReservation, WhenQueuesOrResourcesChangeThenItGoesWhereTheyAre) {
  grant(alice, 600, 600, 8);
  done(alter(alice, {"-q"}, [](auto& r) { r.queues = {"all.q@h2", "all.q@h4"}; }));
  EXPECT_EQ(grants(), "h2=4 h4=4");
  done(alter(alice, {"-l", "-q"}, [](auto& r) { r.resources = {{"h", "h[13]"}}; }));
  EXPECT_EQ(reservation().shape.slots_on({"all.q", "h2"}), 0);
  done(alter(alice, {"-l"}, [](auto&) {}));
  EXPECT_TRUE(reservation().request.resources.empty());
}

// B12.07, B12.3, B12.31, beyond Q3
TEST_F(GivenARunningReservation, WhenATaskPassesTheNewEndThenForceCutsIt) {
  const auto job = run(alice, inside("550"));
  refused(ends(1100), "job 1 may run for 50 s longer than the changed reservation lets it\n");
  done(ends(1160));
  EXPECT_EQ(task(job).ended_at, Instant{});
  const auto told =
      letters(Command{alice, change(
                                 1, {"-e"}, [&](auto& r) { r.end = {T + 1100}; }, true)});
  ASSERT_EQ(told.size(), 1u) << "whatever -m says";
  EXPECT_EQ(told.front().occasion, Occasion::job_changed);
  EXPECT_EQ(told.front().to, "alice");
  EXPECT_EQ(task(job).ended_at, Instant{T + 1100});
  tell(TaskOverdue{attempt(job)});
  EXPECT_FALSE(task(job).deleting) << "never at once";
  done(ends(1160));
  EXPECT_EQ(task(job).ended_at, Instant{}) << "its own limit is earlier again";
  done(ends(1100, true));
  at(1100);
  tell(TaskOverdue{attempt(job)});
  EXPECT_TRUE(task(job).deleting);
  end(job);
  EXPECT_EQ(find(job), nullptr);
  books_agree();
}

// B12.31
TEST_F(GivenARunningReservation, WhenJobsNeedTimeToEndThenTheyAreCutThatMuchEarlier) {
  scheduler("DURATION_OFFSET=60");
  const auto job = run(alice, inside("500"));
  const auto answer = ends(1000, true);
  done(answer);
  EXPECT_EQ(task(job).ended_at, Instant{T + 940});
  EXPECT_NE(text(answer).find("job 1 ends in 00:05:40 (h:m:s), 00:02:40 before its limit\n"),
            std::string::npos)
      << text(answer);
  at(900);
  done(ends(930, true));
  EXPECT_EQ(task(job).ended_at, Instant{T + 930}) << "with the reservation, not at once";
}

// B12.07
TEST_F(GivenARunningReservation, WhenTheNewEndIsNotToComeThenItIsRefused) {
  at(700);
  refused(ends(700), "end");
  refused(ends(650), "end");
  done(ends(701));
}

// B11.2
TEST_F(GivenARunningReservation, WhenAHostCannotBeReachedThenItsTasksAreNotCut) {
  const auto job = run(alice, inside("550", 1, "h1"));
  tell(HostSilent{"h1", false});
  const auto digest = planner.digest();
  refused(ends(1100), "host \"h1\" cannot be reached");
  EXPECT_EQ(planner.digest(), digest);
  EXPECT_EQ(task(job).ended_at, Instant{});
  tell(HostSilent{"h1", true});
  done(ends(1300)); // what is granted there stays, and it may get longer
  EXPECT_EQ(grants(), "h1=4 h2=4");
  EXPECT_EQ(letter(1), 'E');
}

// B11.21
TEST_F(GivenARunningReservation, WhenItIsShortenedByForceThenWhatCannotBeToldStaysBooked) {
  const auto job = run(alice, inside("550", 1, "h1"));
  tell(HostSilent{"h1", false});
  const auto answer = ends(1100, true);
  done(answer);
  EXPECT_NE(text(answer).find("job 1 keeps its limit"), std::string::npos) << text(answer);
  EXPECT_EQ(grants(), "h2=4 h3=4");
  EXPECT_EQ(task(job).ended_at, Instant{});
  ASSERT_EQ(reservation().left_behind.size(), 1u);
  EXPECT_EQ(reservation().left_behind.front().slots, 1);
  EXPECT_EQ(reservation().left_behind.front().until, Instant{T + 1150});
  EXPECT_EQ(booked("h1", 1100, 1150), 1);
  EXPECT_EQ(booked("h1", 1150, 1200), 0);
  books_agree();
}

// B11.21
TEST_F(GivenARunningReservation, WhenThatTaskIsOnOtherHostsTooThenAllOfItStaysBooked) {
  const auto job = run(alice, inside("550", 6));
  tell(HostSilent{"h1", false});
  done(ends(1100, true));
  EXPECT_EQ(grants(), "h3=4 h4=4");
  EXPECT_EQ(task(job).ended_at, Instant{});
  EXPECT_EQ(booked("h1", 1100, 1150), 4);
  EXPECT_EQ(booked("h2", 1100, 1150), 2);
  books_agree();
}

// B11.21
TEST_F(GivenARunningReservation, WhenNothingIsFreeForThatShareThenItIsShortenedWithoutIt) {
  take("h3", 600, 600), take("h4", 600, 600);
  const auto job = run(alice, inside("550", 1, "h1"));
  tell(HostSilent{"h1", false});
  done(ends(1100, true));
  EXPECT_EQ(grants(), "h2=4");
  EXPECT_EQ(task(job).ended_at, Instant{});
  EXPECT_EQ(reservation().left_behind.size(), 1u);
  books_agree();
}

// B12.06, beyond Q4
TEST_F(GivenARunningReservation, WhenItHasBegunThenItsStartStays) {
  at(650);
  refused(begins(700), "start");
  done(alter(alice, {"-a", "-N"}, [&](auto& r) { r.start = {T + 600}, r.name = "x"; }));
  EXPECT_EQ(in_force(), (Window{{600}, {1200}}));
  EXPECT_EQ(letter(1), 'r');
}

// B12.21, beyond Q5
TEST_F(GivenARunningReservation, WhenItGetsSmallerThenWhatTasksHoldComesFirst) {
  run(alice, inside("500", 3, "h2"));
  done(has(6));
  EXPECT_EQ(grants(), "h1=3 h2=3");
  refused(has(2), "job 1 holds slots of ");
  done(has(12));
  EXPECT_EQ(reservation().shape.slots_on({"all.q", "h1"}), 4);
  EXPECT_EQ(reservation().shape.slots_on({"all.q", "h2"}), 4);
  refused(alter(alice, {"-q"}, [](auto& r) { r.queues = {"all.q@h3"}; }), "");
  books_agree();
}

// B12.35
TEST_F(GivenARunningReservation, WhenItGetsTooSmallThenForceEndsTheYoungest) {
  auto oldest = inside("500", 2, "h2"), younger = inside("500", 3, "h1");
  younger.rerun = Rerun::yes;
  const auto stays = run(alice, oldest);
  at(610);
  const auto returns = run(alice, younger);
  at(620);
  const auto goes = run(alice, inside("500", 2, "h2"));
  refused(has(2), "job 3 holds slots of ");
  const auto digest = planner.digest();
  const auto asked = ask(VerifyAlterReservation{alice, change(
                                                           1, {"-pe"},
                                                           [](auto& r) {
                                                             r.pe = "fill", r.slots = {{2, 2}};
                                                           },
                                                           true)});
  EXPECT_EQ(asked.exit_code, 0) << text(asked);
  EXPECT_EQ(planner.digest(), digest);
  const auto answer = has(2, true);
  done(answer);
  EXPECT_EQ(grants(), "h2=2") << "where the oldest is";
  for (const auto& told : {asked, answer}) {
    EXPECT_EQ(text(told).find("job 1 "), std::string::npos) << text(told);
    EXPECT_NE(text(told).find("job 2 is ended and waits again: "), std::string::npos) << text(told);
    EXPECT_NE(text(told).find("job 3 is ended: "), std::string::npos) << text(told);
    EXPECT_NE(text(told).find("job 2 gets a user hold: "), std::string::npos) << text(told);
  }
  EXPECT_FALSE(task(stays).deleting);
  EXPECT_TRUE(task(returns).deleting && task(goes).deleting);
  EXPECT_EQ(task(returns).after_end, AfterEnd::again);
  EXPECT_EQ(task(goes).after_end, AfterEnd::gone);
  EXPECT_EQ(booked("h1", 620, 1100), 3) << "until it has ended";
  EXPECT_EQ(booked("h2", 620, 1100), 4);
  books_agree();
  ExitRecord killed;
  killed.failed = failed::killed;
  tell(TaskEnded{attempt(returns), killed}), tell(TaskEnded{attempt(goes), killed}), pass();
  EXPECT_EQ(find(goes), nullptr);
  EXPECT_FALSE(is_active(returns));
  EXPECT_EQ(booked("h1", 620, 1100), 0);
  EXPECT_EQ(booked("h2", 620, 1100), 2);
  books_agree();
}

// B12.35, B12.34
TEST_F(GivenARunningReservation, WhenItGetsSmallerAndLongerThenWhatEndsIsNotBookedForLonger) {
  take("h1", 1200, 600);
  run(alice, inside("500", 4, "h1"));
  run(alice, inside("500", 2, "h2"));
  done(alter(
      alice, {"-pe", "-d"},
      [](auto& r) {
        r.pe = "fill", r.slots = {{2, 2}};
        r.duration = {1000}, r.has_duration = true;
      },
      true));
  EXPECT_EQ(booked("h1", 1200, 1600), 4) << "for the other one alone";
  books_agree();
}

// B12.08
TEST_F(GivenARunningReservation, WhenThePeChangesThenJobsOfTheOtherOneAreListed) {
  run(alice, inside("500", 2));
  submit(alice, inside("500", 8));
  const auto answer = alter(
      alice, {"-pe"},
      [](auto& r) {
        r.pe = "smp", r.slots = {{4, 4}};
      },
      true);
  refused(answer, "job 1 runs in PE \"fill\", and the changed reservation is for smp\n");
  EXPECT_NE(text(answer).find("job 2 no longer fits: "), std::string::npos) << text(answer);
  const auto asked = ask(VerifyAlterReservation{alice, change(
                                                           1, {"-pe"},
                                                           [](auto& r) {
                                                             r.pe = "smp", r.slots = {{4, 4}};
                                                           },
                                                           true)});
  EXPECT_EQ(text(asked), text(answer)) << "-f would not do it either";
}

// B12.09, B12.32, B12.33, beyond Q6
TEST_F(GivenARunningReservation, WhenAUserIsShutOutThenWaitingJobsAreHeldAndOthersRunOn) {
  done(alter(alice, {"-u"}, [](auto& r) { r.users = {"alice", "bob"}; }));
  const auto running = run(bob, inside("100"));
  const auto waiting = submit(bob, inside("100", 8));
  refused(lets_in("alice"), "job 1: its user \"bob\" may not use the reservation any more\n");
  const auto answer = lets_in("alice", true);
  done(answer);
  EXPECT_NE(text(answer).find("job 2 gets a user hold: "), std::string::npos) << text(answer);
  EXPECT_TRUE(is_active(running) && !task(running).deleting);
  EXPECT_TRUE(find(waiting)->held_by_user);
}

// B12.4
TEST_F(GivenARunningReservation, WhenItIsOnlyAskedThenItTellsAndStoresNothing) {
  take("h2", 1200, 1000);
  run(alice, inside("550", 1, "h1"));
  const auto digest = planner.digest();
  const auto ask_for = [&](std::int64_t end, bool force) {
    return ask(
        VerifyAlterReservation{alice, change(
                                          1, {"-e"}, [&](auto& r) { r.end = {T + end}; }, force)});
  };
  const auto longer = ask_for(1300, false);
  EXPECT_EQ(longer.exit_code, 0) << text(longer);
  EXPECT_TRUE(text(longer).starts_with("verification: would change advance reservation 1\n"));
  EXPECT_NE(text(longer).find("\nkept: all.q@h1=4\nnew: all.q@h3=4\ngiven up: all.q@h2=4\n"),
            std::string::npos)
      << text(longer);
  EXPECT_NE(text(longer).find(", before 1970-01-12 "), std::string::npos) << text(longer);
  const auto shorter = ask_for(1100, false);
  refused(shorter, "job 1 may run for 50 s longer");
  EXPECT_TRUE(
      text(shorter).starts_with("verification: would change advance reservation 1 with -f\n"))
      << text(shorter);
  const auto forced = ask_for(1100, true);
  EXPECT_EQ(forced.exit_code, 0) << text(forced);
  EXPECT_NE(text(forced).find("job 1 ends in "), std::string::npos) << text(forced);
  EXPECT_EQ(planner.digest(), digest);
}

// B0.6
TEST_F(GivenARunningReservation, WhenItChangesThenItIsAnEvent) {
  int changes = 0;
  for (const auto& effect :
       handle(Command{alice, change(1, {"-N"}, [](auto& r) { r.name = "x"; })}).effects)
    changes += std::holds_alternative<ReservationPtr>(effect);
  EXPECT_EQ(changes, 1) << "records that change are events";
}

// B11.22, B12.07: a job without a limit of its own ends with its reservation, and later with it.
TEST_F(GivenARunningReservation, WhenItIsProlongedThenTasksThatEndWithItRunOn) {
  const auto endless = run(alice, inside());
  const auto limited = run(alice, inside("300"));
  ASSERT_EQ(task(endless).last_moment(), (Instant{T + 1200}));
  at(700);
  done(ends(1500));
  EXPECT_EQ(task(endless).last_moment(), (Instant{T + 1500}));
  EXPECT_EQ(task(limited).last_moment(), (Instant{T + 900})) << "it asked for no more";
  refused(ends(1300), "may run for 200 s longer than the changed reservation lets it");
  books_agree();
}

// The same in two phases: not before it is committed.
TEST_F(GivenARunningReservation, WhenAProlongationIsCommittedThenTasksRunOn) {
  const auto number = run(alice, inside());
  ReservationRequest longer;
  longer.end = {T + 1500};
  ASSERT_EQ(
      command(alice, PrepareReservation{"t", {1}, ReservationVerb::change, longer, {60}}).exit_code,
      0);
  EXPECT_EQ(task(number).last_moment(), (Instant{T + 1200}));
  ASSERT_EQ(command(alice, SettleReservation{"t", {1}, true}).exit_code, 0);
  EXPECT_EQ(task(number).last_moment(), (Instant{T + 1500}));
  books_agree();
}

// B11.22: heard too late.
TEST_F(GivenARunningReservation,
       WhenItsHostDidNotHearOfTheNewLimitThenTheTaskEndsEarlyWithTheCause) {
  const auto number = run(alice, inside());
  done(ends(1500));
  at(1200);
  ExitRecord record;
  record.failed = failed::run_time_limit, record.exit_status = 137, record.wallclock = 600;
  record.reason = "the run-time limit of 600 s is reached";
  const auto effects = handle(TaskEnded{attempt(number), record}).effects;
  const AccountingRecord* ended = nullptr;
  for (const auto& effect : effects)
    if (const auto* one = std::get_if<AccountingRecord>(&effect)) ended = one;
  ASSERT_TRUE(ended);
  EXPECT_EQ(ended->record.failed, failed::killed);
  EXPECT_EQ(ended->record.reason, "its host was unreachable when the reservation was prolonged");
}
