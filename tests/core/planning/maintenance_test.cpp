// Maintenances: hosts that are closed in a window (spec/beyond.md section 6).
#include "maintenance_fixture.hpp"

using namespace almanac;

namespace {

class GivenAMaintenance : public MaintenanceFixture {};

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
  scheduler({{"default_duration", "0:1:0"}});
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

// B6.41: what is put back at once does not run on.
TEST_F(GivenAMaintenance, WhenItBeginsAtOnceThenOnlyThoseThatItLeavesAreNamed) {
  auto again = job("again");
  again.queues = {"*@h1"}, again.rerun = Rerun::yes;
  const auto rerunnable = submit(root, again), other = on("h1", "");
  start(rerunnable), start(other);
  auto request = closing({"h1"}, T, 600);
  request.requeue_running = true;
  const auto answer = asked(request);
  EXPECT_TRUE(find(rerunnable)->tasks.front().deleting);
  EXPECT_EQ(text(answer), "Your advance reservation 1 has been granted\njob " +
                              std::to_string(other) + " still runs on h1, no limit\n");
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
  come_back("h2");
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
  EXPECT_EQ(places(grant(700, 100, 8)), "h3=4 h4=4");
  const auto refused =
      command(root, Reserve{on_pe(window((T + Duration{1100}).seconds, 200), "fill", 12)});
  EXPECT_EQ(refused.exit_code, 1);
  EXPECT_NE(text(refused).find("queue \"all.q@h1\" is closed by maintenance 1 from"),
            std::string::npos)
      << text(refused);
  EXPECT_EQ(places(grant(1200, 100, 8)), "h1=4 h2=4");
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
  EXPECT_EQ(places(ar), "h1=4 h2=4");
  AlterReservation change{{number}, {"-a"}, {}};
  change.request.start = T + Duration{1900};
  const auto answer = command(root, change);
  EXPECT_EQ(answer.exit_code, 0) << text(answer);
  EXPECT_EQ(places(ar), "h2=4 h3=4");
  EXPECT_EQ(reservation(number).shape.window, (Window{T + Duration{1900}, T + Duration{2500}}));
  EXPECT_EQ(where(on("h1", "1900")), "h1");
  AlterReservation queues{{number}, {"-q"}, {}};
  queues.request.queues = {"all.q"};
  EXPECT_EQ(command(root, queues).exit_code, 1);
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
  at(700), lose("h2");
  EXPECT_EQ(places(ar), "h1=4 h2=4");
  EXPECT_EQ(letter(ar), 'E');
  command(root, DeleteReservations{{std::to_string(number)}, {}, false}), pass();
  EXPECT_EQ(places(ar), "h1=4 h3=4");
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
  global({{"max_advance_reservations", "1"}});
  maintain({"h1"}, 600, 600);
  grant(0, 100, 4);
  EXPECT_EQ(asked(closing({"h2"}, T + Duration{600}, 600)).exit_code, 0);
}
