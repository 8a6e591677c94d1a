// Maintenances: hosts that are closed in a window (spec/beyond.md section 6).
#include "planner_fixture.hpp"

#include "core/matching/instance_condition.hpp"
#include "core/matching/placement.hpp"

#include <rapidcheck/gtest.h>

using namespace almanac;

namespace {

// The world of the examples: h1 to h4 of 4 slots, no DURATION_OFFSET; `T` is the time at first.
class GivenAMaintenance : public PlannerFixture {
public:
  GivenAMaintenance() : T(now) {
    hosts(4, 4);
    auto object = *planner.state().configuration().find(ObjectKind::scheduler_configuration, "");
    object.set("params", "DURATION_OFFSET=0");
    object.set("max_reservation", "3");
    EXPECT_EQ(command(root, Configure{{ChangeVerb::modify, object, {}}}).exit_code, 0);
    allow("alice");
  }
  void allow(const std::string& user) {
    const ConfigurationObject list{ObjectKind::userset, "arusers", {}};
    EXPECT_EQ(command(root, Configure{{ChangeVerb::add_entries, list, {user}}}).exit_code, 0);
  }
  static ReservationRequest closing(const std::vector<std::string>& hosts, Instant start,
                                    std::int64_t length) {
    auto request = window(start.seconds, length);
    request.maintenance = true, request.hosts = hosts;
    return request;
  }
  std::int64_t maintain(const std::vector<std::string>& hosts, std::int64_t after,
                        std::int64_t length) {
    return reserve(root, closing(hosts, T + Duration{after}, length));
  }
  std::int64_t grant(std::int64_t after, std::int64_t length, std::int64_t slots,
                     const std::string& host = "") {
    auto request = on_pe(window((T + Duration{after}).seconds, length), "fill", slots);
    if (!host.empty()) request.resources = {{"h", host}};
    request.mail_at = "a", request.users = {"alice", "root"};
    return reserve(alice, std::move(request));
  }
  Answer asked(ReservationRequest request, bool force = false) {
    Reserve command;
    command.request = std::move(request), command.force = force;
    return this->command(root, command);
  }
  std::int64_t offered(ReservationRequest request) {
    Reserve command{std::move(request)};
    command.offer_for = {60};
    const auto answer = this->command(alice, command);
    EXPECT_EQ(answer.exit_code, 0) << text(answer);
    return answer.number;
  }
  Answer commit(std::int64_t number) {
    return command(alice, SettleReservation{"", {number}, true});
  }
  const Reservation& reservation(std::int64_t number) const {
    return *planner.state().reservation_by_number({number});
  }
  std::string places(std::int64_t number) const {
    std::string text;
    for (const auto& grant : reservation(number).shape.grants)
      text += (text.empty() ? "" : " ") + grant.instance.host + ":" + std::to_string(grant.slots);
    return text;
  }
  std::string where(std::int64_t number) const {
    const auto* found = find(number);
    if (!found || found->tasks.empty()) return "waits";
    std::string text;
    for (const auto& grant : found->tasks.front().grants) text += grant.instance.host;
    return text.empty() ? "waits" : text;
  }
  std::string letters(const std::string& host) const {
    const auto& state = planner.state();
    const InstanceName name{"all.q", host};
    return instance_letters(state.configuration(), *state.configuration().instance(name),
                            state.host(host), state.instance(name));
  }
  std::int64_t on(const std::string& host, const std::string& limit) {
    auto request = job("j", limit);
    if (!host.empty()) request.queues = {"*@" + host};
    const auto number = submit(root, request);
    pass();
    return number;
  }
  std::int64_t inside(std::int64_t maintenance, std::int64_t slots, const std::string& limit = "") {
    auto request = job("inside", limit);
    request.reservation = {maintenance};
    request.pe = "fill", request.slots = {{slots, slots}};
    const auto number = submit(root, request);
    pass();
    return number;
  }
  void at(std::int64_t seconds) { now = T + Duration{seconds}; }
  void begin(std::int64_t number) { due(number), pass(); }
  std::string explained(std::int64_t job) const {
    Obstacles obstacles;
    const auto& found = *planner.state().job_by_number({job});
    const auto wanted = make_class_request(planner.state(), found);
    place_now(planner.state(), found, *wanted, true, now, obstacles);
    Answer answer;
    for (auto& why : obstacles.list()) answer.say(std::move(why));
    return text(answer);
  }
  static JobRequest on_pe_job(const std::string& limit, std::int64_t slots) {
    auto request = job("j", limit);
    request.pe = "fill", request.slots = {{slots, slots}};
    return request;
  }
  Decisions handle(const Input& input) override {
    auto decisions = PlannerFixture::handle(input);
    for (const auto& effect : decisions.effects)
      if (const auto* letter = std::get_if<Letter>(&effect)) letters_.push_back(*letter);
    return decisions;
  }
  std::int64_t mails(Occasion occasion) const {
    return std::count_if(letters_.begin(), letters_.end(),
                         [&](const Letter& letter) { return letter.occasion == occasion; });
  }

  Instant T;
  std::vector<Letter> letters_;
};

} // namespace

// M1, B6.22
TEST_F(GivenAMaintenance, WhenJobsCouldRunIntoItThenTheyStartElsewhere) {
  maintain({"h1"}, 600, 600);
  EXPECT_EQ(where(on("h1", "600")), "h1");
  EXPECT_EQ(where(on("h1", "601")), "waits");
  EXPECT_EQ(where(on("h1", "")), "waits");
  for (const auto* limit : {"600", "601", ""}) EXPECT_EQ(where(on("h2", limit)), "h2");
}

// M1 with a default_duration, which is nothing that ends a job
TEST_F(GivenAMaintenance, WhenAJobHasNoLimitThenNoLengthIsTakenForIt) {
  auto object = *planner.state().configuration().find(ObjectKind::scheduler_configuration, "");
  object.set("default_duration", "0:1:0");
  ASSERT_EQ(command(root, Configure{{ChangeVerb::modify, object, {}}}).exit_code, 0);
  maintain({"h1"}, 600, 600);
  EXPECT_EQ(where(on("h1", "")), "waits");
  EXPECT_EQ(where(on("h1", "60")), "h1");
}

// B6.21, B6.23, B6.54
TEST_F(GivenAMaintenance, WhenItsTimeComesThenItsHostsAreClosedUntilItsEnd) {
  const auto number = maintain({"h1"}, 600, 600);
  const auto waits = on("h1", "601");
  EXPECT_NE(explained(waits).find("maintenance " + std::to_string(number) + " begins at"),
            std::string::npos);
  EXPECT_NE(explained(waits).find("request h_rt <= 00:10:00 to start now"), std::string::npos);
  EXPECT_EQ(letters("h1"), "");
  at(600), begin(number);
  EXPECT_EQ(letter(number), 'r');
  EXPECT_EQ(letters("h1"), "D");
  EXPECT_EQ(letters("h2"), "");
  EXPECT_EQ(where(on("h1", "10")), "waits");
  EXPECT_NE(explained(waits).find("closed by maintenance " + std::to_string(number) + " until"),
            std::string::npos);
  at(1200), begin(number);
  EXPECT_EQ(letter(number), '-');
  EXPECT_EQ(letters("h1"), "");
  EXPECT_EQ(where(waits), "h1");
}

// M2, B6.31
TEST_F(GivenAMaintenance, WhenAReservationLiesOnItsHostThenThatMoves) {
  const auto ar = grant(700, 200, 8);
  ASSERT_EQ(places(ar), "h1:4 h2:4");
  const auto answer = asked(closing({"h1"}, T + Duration{600}, 600));
  EXPECT_EQ(answer.exit_code, 0);
  EXPECT_NE(text(answer).find("advance reservation 1 moves from all.q@h1=4, all.q@h2=4 to "
                              "all.q@h2=4, all.q@h3=4\n"),
            std::string::npos)
      << text(answer);
  EXPECT_EQ(places(ar), "h2:4 h3:4");
  EXPECT_EQ(letter(ar), 'w');
  EXPECT_EQ(reservation(ar).shape.window, (Window{T + Duration{700}, T + Duration{900}}));
  EXPECT_EQ(mails(Occasion::reservation_changed), 1);
}

// M3, B6.32, B6.33
TEST_F(GivenAMaintenance, WhenAReservationCannotMoveThenItIsRefusedUnlessForced) {
  const auto ar = grant(700, 200, 4, "h1");
  const auto before = planner.digest();
  const auto request = closing({"h1"}, T + Duration{600}, 600);
  const auto answer = asked(request);
  EXPECT_EQ(answer.exit_code, 1);
  EXPECT_NE(text(answer).find("advance reservation 1 cannot move from all.q@h1=4"),
            std::string::npos);
  EXPECT_EQ(planner.digest(), before);
  const auto forced = asked(request, true);
  EXPECT_EQ(forced.exit_code, 0) << text(forced);
  EXPECT_EQ(letter(ar), 'W');
  EXPECT_EQ(mails(Occasion::reservation_in_error), 1);
  at(600), begin(forced.number);
  at(700), begin(ar);
  EXPECT_EQ(letter(ar), 'E');
  at(800);
  command(root, DeleteReservations{{std::to_string(forced.number)}, {}, false});
  EXPECT_EQ(letter(ar), 'r');
}

// M4, B0.31
TEST_F(GivenAMaintenance, WhenAllHostsAreToCloseThenNothingMoves) {
  const auto ar = grant(700, 200, 16);
  const auto before = planner.digest();
  EXPECT_EQ(asked(closing({"h*"}, T + Duration{600}, 600)).exit_code, 1);
  EXPECT_EQ(planner.digest(), before);
  EXPECT_EQ(places(ar), "h1:4 h2:4 h3:4 h4:4");
}

// B6.34: the first takes what the second gives up, which finds another place
TEST_F(GivenAMaintenance, WhenSeveralMoveThenAllTheirPlacesAreFreeForThem) {
  const auto first = grant(700, 200, 4, "h1|h3");
  const auto full = grant(600, 600, 4, "h4");
  auto spread = on_pe(window((T + Duration{710}).seconds, 190), "mpi", 4);
  spread.resources = {{"h", "h2|h3|h4"}};
  const auto second = reserve(alice, spread);
  command(root, DeleteReservations{{std::to_string(full)}, {}, false});
  ASSERT_EQ(places(first), "h1:4");
  ASSERT_EQ(places(second), "h2:2 h3:2");
  maintain({"h1", "h2"}, 600, 600);
  EXPECT_EQ(places(first), "h3:4");
  EXPECT_EQ(places(second), "h4:4");
}

// B6.33: what cannot move keeps all that it has
TEST_F(GivenAMaintenance, WhenOneIsStuckThenOthersMoveAroundIt) {
  const auto first = grant(700, 200, 4, "h1|h3");
  auto spread = on_pe(window((T + Duration{710}).seconds, 190), "fill", 8);
  spread.resources = {{"h", "h2|h3"}};
  const auto second = reserve(alice, spread);
  ASSERT_EQ(places(second), "h2:4 h3:4");
  const auto request = closing({"h1", "h2"}, T + Duration{600}, 600);
  EXPECT_EQ(asked(request).exit_code, 1);
  const auto forced = asked(request, true);
  EXPECT_EQ(forced.exit_code, 0) << text(forced);
  EXPECT_EQ(places(first), "h1:4");
  EXPECT_EQ(places(second), "h2:4 h3:4");
  EXPECT_EQ(letter(first), 'W');
  EXPECT_EQ(letter(second), 'W');
}

// B6.33: who is in error at once is told so, once, and why.
TEST_F(GivenAMaintenance, WhenItBeginsAtOnceThenThoseThatItHitsHearOfItOnce) {
  const auto ar = grant(0, 600, 4, "h1");
  ASSERT_EQ(letter(ar), 'r');
  const auto forced = asked(closing({"h1"}, T, 600), true);
  EXPECT_EQ(forced.exit_code, 0) << text(forced);
  EXPECT_EQ(letter(ar), 'E');
  ASSERT_EQ(mails(Occasion::reservation_in_error), 1);
  const auto mail = std::find_if(letters_.begin(), letters_.end(), [](const Letter& letter) {
    return letter.occasion == Occasion::reservation_in_error;
  });
  EXPECT_NE(mail->note.find("all.q@h1"), std::string::npos) << mail->note;
}

// B1.10, B6.2: a spare host that closes is none, and is replaced as soon as another one is free.
TEST_F(GivenAMaintenance, WhenASpareHostClosesThenAnotherOneIsTakenWhenItIsFree) {
  auto with_spare = on_pe(window((T + Duration{700}).seconds, 200), "fill", 4);
  with_spare.spare = 1;
  const auto ar = reserve(alice, with_spare);
  const auto spare = [&] {
    const auto& spares = reservation(ar).shape.spares;
    return spares.empty() ? "" : spares.front().instance.host;
  };
  ASSERT_EQ(places(ar), "h1:4");
  ASSERT_EQ(spare(), "h2");
  const auto other = grant(700, 200, 8, "h3|h4");
  const auto forced = asked(closing({"h2"}, T + Duration{600}, 600), true);
  EXPECT_EQ(forced.exit_code, 0) << text(forced);
  pass();
  EXPECT_EQ(spare(), "");
  EXPECT_EQ(letter(ar), 'w');
  command(root, DeleteReservations{{std::to_string(other)}, {}, false});
  pass();
  EXPECT_EQ(spare(), "h3");
  command(root, DeleteReservations{{std::to_string(forced.number)}, {}, false});
  pass();
  EXPECT_EQ(spare(), "h3") << "it does";
}

// B6.35, B0.2: what is offered is no promise that a maintenance passes over.
TEST_F(GivenAMaintenance, WhenAnOfferLiesOnItsHostThenThatMovesToo) {
  const auto offer = offered(on_pe(window((T + Duration{700}).seconds, 200), "fill", 4));
  const auto answer = asked(closing({"h1"}, T + Duration{600}, 600));
  EXPECT_EQ(answer.exit_code, 0);
  EXPECT_NE(text(answer).find("advance reservation 1 moves from all.q@h1=4 to all.q@h2=4\n"),
            std::string::npos)
      << text(answer);
  EXPECT_EQ(mails(Occasion::reservation_changed), 0) << "it is not granted yet";
  EXPECT_EQ(text(commit(offer)), "Your advance reservation 1 has been granted\n");
  EXPECT_EQ(places(1), "h2:4");
  EXPECT_EQ(letter(1), 'w');
}

// B6.32, B6.33, B6.35, D28
TEST_F(GivenAMaintenance, WhenAnOfferCannotMoveThenItIsRefusedOrTheOfferIsGrantedWithAWarning) {
  auto request = on_pe(window((T + Duration{700}).seconds, 200), "fill", 4);
  request.resources = {{"h", "h1"}};
  const auto offer = offered(std::move(request));
  const auto before = planner.digest();
  const auto closed = closing({"h1"}, T + Duration{600}, 600);
  EXPECT_NE(text(asked(closed)).find("advance reservation 1 cannot move from all.q@h1=4"),
            std::string::npos);
  EXPECT_EQ(planner.digest(), before);
  const auto forced = asked(closed, true);
  EXPECT_NE(text(forced).find("advance reservation 1 cannot move from all.q@h1=4"),
            std::string::npos);
  const auto committed = text(commit(offer));
  EXPECT_NE(committed.find("warning: reserved queue all.q@h1 is closed by maintenance 2"),
            std::string::npos)
      << committed;
  EXPECT_EQ(letter(1), 'W');
}

// B6.35: a change that is prepared
TEST_F(GivenAMaintenance, WhenAProposedShapeLiesOnItsHostThenThatMovesAndThePresentOneStays) {
  const auto ar = grant(700, 200, 4, "h3");
  auto request = on_pe(window((T + Duration{700}).seconds, 200), "fill", 4);
  request.resources = {{"h", "h1|h2"}};
  const PrepareReservation change{"t", {ar}, ReservationVerb::change, request, {60}};
  ASSERT_EQ(command(alice, change).exit_code, 0);
  const auto answer = asked(closing({"h1"}, T + Duration{600}, 600));
  EXPECT_NE(text(answer).find("advance reservation 1 moves from all.q@h1=4 to all.q@h2=4\n"),
            std::string::npos)
      << text(answer);
  EXPECT_EQ(places(ar), "h3:4");
  auto other = on_pe(window((T + Duration{700}).seconds, 200), "fill", 1);
  other.resources = {{"h", "h2"}};
  EXPECT_EQ(command(alice, Reserve{other}).exit_code, 1) << "it is booked";
  EXPECT_EQ(commit(ar).exit_code, 0);
  EXPECT_EQ(places(ar), "h2:4");
  EXPECT_EQ(letter(ar), 'w');
}

// B6.31, B1.10: a spare is named with what moves.
TEST_F(GivenAMaintenance, WhenASpareLiesOnItsHostThenTheAnswerSaysWhereItGoes) {
  auto request = on_pe(window((T + Duration{700}).seconds, 200), "fill", 4);
  request.spare = 1;
  const auto ar = reserve(alice, request);
  ASSERT_EQ(reservation(ar).shape.spares.front().instance.host, "h2");
  const auto answer = asked(closing({"h2"}, T + Duration{600}, 600));
  EXPECT_NE(text(answer).find("advance reservation 1 moves from all.q@h1=4, all.q@h2=4 to "
                              "all.q@h1=4, all.q@h3=4\n"),
            std::string::npos)
      << text(answer);
  const auto stuck = asked(closing({"h2", "h3", "h4"}, T + Duration{600}, 600));
  EXPECT_NE(text(stuck).find("advance reservation 1 cannot move from all.q@h3=4"),
            std::string::npos)
      << text(stuck);
}

// M5, B6.4, B6.41, B6.42
TEST_F(GivenAMaintenance, WhenJobsRunThereThenTheyAreNamedAndLeftOrPutBack) {
  auto again = job("again");
  again.queues = {"*@h1"}, again.rerun = Rerun::yes;
  const auto rerunnable = submit(root, again), other = on("h1", "");
  start(rerunnable), start(other);
  auto request = closing({"h1"}, T + Duration{600}, 600);
  request.requeue_running = true;
  const auto answer = asked(request);
  EXPECT_NE(text(answer).find("job " + std::to_string(other) + " still runs on h1, no limit\n"),
            std::string::npos)
      << text(answer);
  const auto number = answer.number;
  at(600), begin(number);
  EXPECT_TRUE(find(rerunnable)->tasks.front().deleting);
  EXPECT_FALSE(find(other)->tasks.front().deleting);
  ExitRecord killed;
  killed.failed = failed::killed;
  tell(TaskEnded{attempt(rerunnable), killed}), pass();
  EXPECT_EQ(where(rerunnable), "waits");
  EXPECT_EQ(where(other), "h1");
  EXPECT_EQ(reservation(number).note,
            "job " + std::to_string(other) + " still runs on h1, no limit");
  end(other);
  EXPECT_EQ(reservation(number).note, "");
}

// M6, B6.51, B6.53
TEST_F(GivenAMaintenance, WhenThereAreTwoOnAHostThenTheyShareIt) {
  const auto runs = on("h1", "");
  const auto first = maintain({"h1"}, 600, 600), second = maintain({"h1"}, 600, 900);
  at(600), begin(first), begin(second);
  EXPECT_EQ(where(inside(first, 2)), "h1");
  const auto waits = inside(second, 2);
  EXPECT_EQ(where(waits), "waits"); // one slot is taken by a job outside
  end(runs), pass();
  EXPECT_EQ(where(waits), "h1");
  EXPECT_EQ(where(inside(first, 1)), "waits");
  at(1200), begin(first);
  EXPECT_EQ(letters("h1"), "D");
  at(1500), begin(second);
  EXPECT_EQ(letters("h1"), "");
}

// M7, B6.52
TEST_F(GivenAMaintenance, WhenTheHostIsDisabledOrUnknownThenItIsGrantedAndJobsInsideNeedAHost) {
  command(root, ModifyQueues{QueueAction::disable, {"*@h1"}});
  tell(HostSilent{"h2", true});
  const auto number = maintain({"h1", "h2"}, 600, 600);
  at(600), begin(number);
  EXPECT_EQ(letter(number), 'r');
  EXPECT_EQ(where(inside(number, 4)), "h1");
  const auto waits = inside(number, 1);
  EXPECT_EQ(where(waits), "waits");
  tell(HostRegistered{"h2", {"lx-amd64", 4, 8LL << 30, "boot", "spool", "127.0.0.1:1"}}), pass();
  EXPECT_EQ(where(waits), "h2");
}

// B6.5
TEST_F(GivenAMaintenance, WhenItIsUsedThenByItsOwnersUsersAndManagersOnly) {
  auto request = closing({"h1"}, T + Duration{600}, 600);
  request.users = {"bob"};
  const auto number = reserve(root, request);
  auto job = PlannerFixture::job("inside");
  job.reservation = {number};
  EXPECT_EQ(command(root, Submit{job, "hash"}).exit_code, 0);
  EXPECT_EQ(command(bob, Submit{job, "hash"}).exit_code, 0);
  EXPECT_NE(command(alice, Submit{job, "hash"}).exit_code, 0);
}

// B6.11
TEST_F(GivenAMaintenance, WhenSomebodyElseThanAManagerAsksThenItIsRefused) {
  Reserve command;
  command.request = closing({"h1"}, T + Duration{600}, 600);
  const auto refused =
      "denied: \"alice\" must be manager to make, change or delete a maintenance\n";
  EXPECT_EQ(text(this->command(alice, command)), refused);
  const auto number = maintain({"h1"}, 600, 600);
  EXPECT_EQ(text(this->command(alice, DeleteReservations{{std::to_string(number)}, {}, false})),
            refused);
  AlterReservation change{{number}, {"-N"}, {}};
  change.request.name = "other";
  EXPECT_NE(text(this->command(alice, change)).find(refused), std::string::npos);
  EXPECT_EQ(this->command(root, change).exit_code, 0);
}

// B6.1: until qrdel; B6.13, B6.14, B10.13
TEST_F(GivenAMaintenance, WhenItHasNoEndThenItLastsUntilItIsDeleted) {
  auto request = closing({"h1"}, T, 1);
  request.duration = Duration::endless();
  const auto number = reserve(root, request);
  EXPECT_EQ(letter(number), 'r');
  EXPECT_EQ(letters("h1"), "D");
  EXPECT_EQ(reservation(number).request.name, "maintenance");
  const auto waits = on("h1", "60");
  at(1'000'000);
  EXPECT_EQ(where(waits), "waits");
  EXPECT_EQ(where(inside(number, 4)), "h1");
  command(root, DeleteReservations{{std::to_string(number)}, {}, false});
  EXPECT_EQ(letters("h1"), "");
  EXPECT_TRUE(
      planner.state().reservation_by_number({number})->is_ending()); // its job is told to end
}

// B6.2, B6.24
TEST_F(GivenAMaintenance, WhenPlacesAreLookedForThenNotOnItsHosts) {
  maintain({"h1", "h2"}, 600, 600);
  EXPECT_EQ(places(grant(700, 100, 8)), "h3:4 h4:4");
  const auto refused =
      command(root, Reserve{on_pe(window((T + Duration{1100}).seconds, 200), "fill", 12)});
  EXPECT_EQ(refused.exit_code, 1);
  EXPECT_NE(text(refused).find("queue \"all.q@h1\" is closed by maintenance 1 from"),
            std::string::npos)
      << text(refused);
  EXPECT_EQ(places(grant(1200, 100, 8)), "h1:4 h2:4");
}

// B6.24: holds
TEST_F(GivenAMaintenance, WhenSomethingIsHeldThereThenItMovesForThatCause) {
  for (const auto* host : {"h1", "h2", "h3", "h4"}) {
    auto long_job = on_pe_job("700", 4);
    long_job.queues = {std::string("*@") + host};
    submit(root, long_job);
    pass();
  }
  auto waiting = on_pe_job("600", 4);
  waiting.queues = {"*@h1"}, waiting.reserve = true;
  const auto held = submit(root, waiting);
  pass();
  ASSERT_EQ(find(held)->holds.size(), 1u);
  EXPECT_EQ(find(held)->holds.front().window.start, T + Duration{700});
  maintain({"h1"}, 800, 600);
  pass();
  ASSERT_EQ(find(held)->holds.size(), 1u);
  EXPECT_EQ(find(held)->holds.front().window.start, T + Duration{1400});
  EXPECT_NE(find(held)->holds.front().cause.find("closed by maintenance"), std::string::npos);
}

// B6.11, B12.01: another window
TEST_F(GivenAMaintenance, WhenItIsPutOffThenReservationsMoveForTheNewWindow) {
  const auto ar = grant(2000, 200, 8);
  const auto number = maintain({"h1"}, 600, 600);
  EXPECT_EQ(places(ar), "h1:4 h2:4");
  AlterReservation change{{number}, {"-a"}, {}};
  change.request.start = T + Duration{1900};
  const auto answer = command(root, change);
  EXPECT_EQ(answer.exit_code, 0) << text(answer);
  EXPECT_EQ(places(ar), "h2:4 h3:4");
  EXPECT_EQ(reservation(number).shape.window, (Window{T + Duration{1900}, T + Duration{2500}}));
  EXPECT_EQ(where(on("h1", "1900")), "h1");
  AlterReservation queues{{number}, {"-q"}, {}};
  queues.request.queues = {"all.q"};
  EXPECT_EQ(command(root, queues).exit_code, 1);
}

// B6.3, B6.31: of a running one what no task holds moves
TEST_F(GivenAMaintenance, WhenAReservationRunsThenItsFreeSharesMove) {
  const auto ar = grant(0, 2000, 8);
  begin(ar);
  const auto number = inside(ar, 2);
  const auto on_first = where(number);
  ASSERT_EQ(on_first, "h1");
  const auto answer = asked(closing({"h1", "h2"}, T + Duration{600}, 600));
  EXPECT_EQ(answer.exit_code, 0) << text(answer);
  EXPECT_EQ(places(ar), "h1:2 h3:4 h4:2");
  EXPECT_EQ(letter(ar), 'r');
  at(600), begin(answer.number);
  EXPECT_EQ(letter(ar), 'E');
}

// B6.31: what ends before is replaced at once, and left behind until then
TEST_F(GivenAMaintenance, WhenAJobInAReservationEndsBeforeThenItsShareMovesUnderIt) {
  const auto ar = grant(0, 2000, 4, "h1|h2");
  begin(ar);
  const auto number = inside(ar, 2, "300");
  ASSERT_EQ(where(number), "h1");
  const auto answer = asked(closing({"h1"}, T + Duration{600}, 600));
  EXPECT_EQ(answer.exit_code, 0) << text(answer);
  EXPECT_EQ(places(ar), "h2:4");
  ASSERT_EQ(reservation(ar).left_behind.size(), 1u);
  EXPECT_EQ(reservation(ar).left_behind.front().slots, 2);
  EXPECT_EQ(where(number), "h1");
  EXPECT_EQ(where(inside(ar, 4)), "h2");
  at(300), end(number), pass();
  EXPECT_TRUE(reservation(ar).left_behind.empty());
  at(600), begin(answer.number);
  EXPECT_EQ(letter(ar), 'r');
}

// B6.12, B13.21 to B13.24
TEST_F(GivenAMaintenance, WhenItIsAskedForBadlyThenItIsRefused) {
  EXPECT_EQ(text(asked(closing({"nix"}, T + Duration{600}, 600))), "no host matches \"nix\"\n");
  EXPECT_EQ(text(asked(closing({}, T + Duration{600}, 600))), "-maintenance needs -hosts\n");
  auto with_pe = on_pe(closing({"h1"}, T + Duration{600}, 600), "fill", 4);
  EXPECT_EQ(text(asked(with_pe)), "-maintenance and -pe exclude each other\n");
}

// H6 of section 1, B1.31
TEST_F(GivenAMaintenance, WhenAReservationLosesAHostThenThoseOfAMaintenanceDoNotReplaceIt) {
  auto request = on_pe(window(T.seconds, 2000), "fill", 8);
  request.repair = Repair::yes;
  const auto ar = reserve(root, request);
  const auto number = maintain({"h3", "h4"}, 900, 100);
  at(700), tell(HostSilent{"h2", true}), pass();
  EXPECT_EQ(places(ar), "h1:4 h2:4");
  EXPECT_EQ(letter(ar), 'E');
  command(root, DeleteReservations{{std::to_string(number)}, {}, false}), pass();
  EXPECT_EQ(places(ar), "h1:4 h3:4");
}

// B0.3: what is restored is what was
TEST_F(GivenAMaintenance, WhenTheMasterStartsAnewThenItIsThereAsBefore) {
  grant(700, 200, 8);
  const auto number = maintain({"@allhosts"}, 2000, 600);
  EXPECT_EQ(reservation(number).request.hosts, (std::vector<std::string>{"h1", "h2", "h3", "h4"}));
  EXPECT_TRUE(planner.state().records().followers_agree());
}

// objects 0: what is referred to stays.
TEST_F(GivenAMaintenance, WhenItsHostIsToBeDeletedThenThatIsRefusedUntilItIsOver) {
  auto group = *planner.state().configuration().find(ObjectKind::host_group, "@allhosts");
  group.set("hostlist", "h1 h2 h3");
  ASSERT_EQ(command(root, Configure{{ChangeVerb::modify, group, {}}}).exit_code, 0);
  const auto erase = [&] {
    return text(
        command(root, Configure{{ChangeVerb::erase, {ObjectKind::exec_host, "h4", {}}, {}}}));
  };
  const auto number = maintain({"h4"}, 600, 600);
  EXPECT_EQ(erase(), "denied: host \"h4\" is referenced in advance reservation 1\n");
  command(root, DeleteReservations{{std::to_string(number)}, {}, false});
  EXPECT_EQ(erase().find("denied"), std::string::npos);
}

// B6.13, B10.13
TEST_F(GivenAMaintenance, WhenReservationsAreLimitedThenItDoesNotCount) {
  auto object = *planner.state().configuration().find(ObjectKind::global_configuration, "");
  object.set("max_advance_reservations", "1");
  ASSERT_EQ(command(root, Configure{{ChangeVerb::modify, object, {}}}).exit_code, 0);
  maintain({"h1"}, 600, 600);
  grant(0, 100, 4);
  EXPECT_EQ(asked(closing({"h2"}, T + Duration{600}, 600)).exit_code, 0);
}

namespace {

/// Jobs, reservations and maintenances in any order, on a clock that goes on.
class AnyMaintenances : public GivenAMaintenance {
  void TestBody() override {}

public:
  void step() {
    const auto host = "h" + std::to_string(*rc::gen::inRange(1, 5));
    const auto start = *rc::gen::inRange(0, 400), length = *rc::gen::inRange(1, 400);
    const auto slots = *rc::gen::inRange(1, 9);
    switch (*rc::gen::inRange(0, 6)) {
    case 0: {
      Reserve command;
      command.request = closing({host}, now + Duration{start}, length);
      command.force = *rc::gen::arbitrary<bool>();
      const auto before = planner.digest();
      if (this->command(root, command).exit_code != 0) RC_ASSERT(planner.digest() == before);
      break;
    }
    case 1:
      command(alice,
              Reserve{on_pe(window((now + Duration{start}).seconds, length), "fill", slots)});
      break;
    case 2: {
      auto request =
          on_pe_job(*rc::gen::arbitrary<bool>() ? std::to_string(length) : "100000", slots);
      request.reserve = *rc::gen::arbitrary<bool>();
      command(alice, Submit{request, "hash"});
      break;
    }
    case 3: {
      auto request = job("inside");
      request.reservation = {*rc::gen::inRange(1, 10)};
      command(root, Submit{request, "hash"});
      break;
    }
    case 4:
      command(root, DeleteReservations{{std::to_string(*rc::gen::inRange(1, 10))}, {}, false});
      break;
    default: go_on(*rc::gen::inRange(1, 300));
    }
    end_what_is_due(); // what was told to end holds its place until then
    pass();
    look();
  }

private:
  // When something happens next, `until` at the latest.
  Instant next_moment(Instant until) const {
    auto next = until;
    for (const auto& one : planner.state().reservations())
      next = std::min(next, almanac::step(one, now).look_again);
    for (const auto& task : planner.state().tasks())
      if (task.is_active()) next = std::min(next, task.booked.start + task.limit);
    return std::max(next, now + Duration{1});
  }
  void go_on(std::int64_t seconds) {
    for (const auto until = now + Duration{seconds}; now < until;) {
      now = next_moment(until);
      end_what_is_due();
      std::vector<ReservationKey> keys;
      for (const auto& one : planner.state().reservations())
        if (almanac::step(one, now).is_due()) keys.push_back(one.key);
      for (const auto key : keys) tell(ReservationDue{key});
      end_what_is_due();
      pass();
      look();
    }
  }
  void end_what_is_due() {
    std::vector<TaskId> ended;
    for (const auto& task : planner.state().tasks())
      if (task.is_active() && (task.deleting || task.booked.start + task.limit <= now))
        ended.push_back(task.id());
    for (const auto& id : ended)
      if (const auto* task = planner.state().task(id))
        tell(TaskEnded{{id.job, id.task, task->attempt}, {}});
  }
  bool is_inside(const Task& task, const std::string& host) const {
    const auto* own = planner.state().reservation(planner.state().job(task.job)->reservation_key);
    return own && closes_host(*own, host);
  }
  void look() const {
    const auto& state = planner.state();
    RC_ASSERT(state.records().followers_agree());
    for (const auto& task : state.tasks())
      for (const auto& grant : task.grants)
        for (const auto& one : state.occupancy().maintenances.on(grant.instance.host)) {
          const Window runs{task.booked.start, task.booked.start + task.limit};
          RC_ASSERT(is_inside(task, grant.instance.host) || !runs.overlaps(one.window) ||
                    state.reservation(one.key)->closes_since >= task.booked.start);
        }
    for (const auto& one : state.reservations())
      if (one.is_granted() && one.bad.empty())
        for (const auto& grant : one.shape.grants)
          for (const auto& closed : state.occupancy().maintenances.on(grant.instance.host))
            RC_ASSERT(!closed.window.overlaps(one.shape.window) ||
                      (one.phase == ReservationPhase::running && !closed.has_begun));
    for (const auto& instance : state.configuration().instances()) {
      std::int64_t used = 0;
      for (const auto& id : state.tasks_on(instance.name.host))
        for (const auto& grant : state.task(id)->grants)
          if (grant.instance == instance.name) used += grant.slots;
      RC_ASSERT(used <= instance.settings.slots);
      RC_ASSERT(state.ledger().used(Container::queue(instance.name), "slots",
                                    {now, Instant::never()}) <= instance.settings.slots);
    }
  }
};

} // namespace

// B6.2, B0.2
RC_GTEST_PROP(GivenAnyMaintenances, WhenTheyComeAndGoThenNothingRunsIntoThem, ()) {
  AnyMaintenances cell;
  const auto steps = *rc::gen::inRange(1, 25);
  for (int i = 0; i < steps; ++i) cell.step();
}
