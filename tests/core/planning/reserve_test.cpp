// How a reservation is asked for beside its window and slots (docs/spec/reservations.md section 6).
#include "holds_fixture.hpp"

using namespace almanac;

namespace {

class GivenARequestOfQrsub : public HoldsFixture {
public:
  ReservationRequest later(std::int64_t slots = 0) const {
    auto request = window(now.seconds + 100, 100);
    return slots == 0 ? request : on_pe(request, "fill", slots);
  }
  std::string refused(ReservationRequest request, bool explain = false) {
    const auto answer = command(root, Reserve{std::move(request), false, explain});
    EXPECT_EQ(answer.exit_code, 1);
    return text(answer);
  }
  /// "all.q@h1=2"
  std::string instances(std::int64_t number) const {
    std::string text;
    for (const auto& grant : reservation(number).shape.grants)
      text += (text.empty() ? "" : " ") + grant.instance.text() + "=" + std::to_string(grant.slots);
    return text;
  }
};

} // namespace

// R6.10: the first grant is the master's.
TEST_F(GivenARequestOfQrsub, WhenItHasAMasterQueueThenItsFirstSlotsLieThere) {
  hosts(3, 2);
  auto request = later(5);
  request.master_queues = {"*@h3"};
  EXPECT_EQ(instances(reserve(root, request)), "all.q@h3=2 all.q@h1=2 all.q@h2=1");
  request = later(1);
  request.master_queues = {"*@h1"};
  EXPECT_NE(refused(request).find("no suitable queues"), std::string::npos);
  request.master_queues = {"nosuch.q"};
  EXPECT_EQ(refused(request), "Job was rejected because job requests unknown queue \"nosuch.q\"\n");
}

// R6.12, R9.2.
TEST_F(GivenARequestOfQrsub, WhenItIsForInteractiveWorkThenOnlySuchQueuesCount) {
  hosts(1, 4);
  queue("all.q", {{"qtype", "BATCH"}});
  queue("i.q", {{"hostlist", "h1"}, {"qtype", "INTERACTIVE"}});
  auto request = later();
  request.queues = {"i.q"};
  EXPECT_NE(refused(request).find("i.q@h1"), std::string::npos);
  request.immediate = true;
  EXPECT_EQ(instances(reserve(root, request)), "i.q@h1=1");
  request.queues = {"all.q"};
  EXPECT_NE(refused(request).find("all.q@h1"), std::string::npos);
  request.immediate = false;
  EXPECT_EQ(instances(reserve(root, request)), "all.q@h1=1");
}

// reservations G12.
TEST_F(GivenARequestOfQrsub, WhenItsTypeOfQueueWouldGoThenTheChangeIsRefused) {
  hosts(2, 4);
  queue("all.q", {{"qtype", "BATCH INTERACTIVE"}});
  auto request = later();
  request.immediate = true, request.queues = {"*@h1"};
  reserve(root, request);
  request.immediate = false, request.queues = {"*@h2"};
  reserve(root, request);
  const auto types = [&](const char* value) {
    ConfigurationObject object{ObjectKind::cluster_queue, "all.q", {{"qtype", value}}};
    return text(command(root, Configure{{ChangeVerb::modify, object, {}}}));
  };
  EXPECT_EQ(types("BATCH"),
            "denied: removing \"INTERACTIVE\" from qtype would break advance reservation 1\n");
  EXPECT_EQ(types("INTERACTIVE"),
            "denied: removing \"BATCH\" from qtype would break advance reservation 2\n");
  EXPECT_EQ(types("BATCH INTERACTIVE,[h1=INTERACTIVE],[h2=BATCH]").find("denied"),
            std::string::npos);
}

// R6.20.
TEST_F(GivenARequestOfQrsub, WhenItBelongsToAProjectThenQueuesLetThatIn) {
  hosts(1, 4);
  change({ObjectKind::project, "p", {}}, ChangeVerb::add);
  change({ObjectKind::project, "q", {}}, ChangeVerb::add);
  queue("all.q", {{"projects", "p"}});
  auto request = later();
  EXPECT_NE(refused(request).find("no suitable queues"), std::string::npos);
  request.project = "nosuch";
  EXPECT_EQ(refused(request), "job rejected: project \"nosuch\" does not exist\n");
  request.project = "q";
  EXPECT_NE(refused(request).find("no suitable queues"), std::string::npos);
  request.project = "p";
  EXPECT_EQ(instances(reserve(root, request)), "all.q@h1=1");
  const auto of_queue = [&](const char* name, const char* value) {
    ConfigurationObject object{ObjectKind::cluster_queue, "all.q", {{name, value}}};
    return text(command(root, Configure{{ChangeVerb::modify, object, {}}}));
  };
  EXPECT_EQ(of_queue("projects", "q"),
            "denied: the change in \"projects\" would break advance reservation 1\n");
  EXPECT_EQ(text(command(root, Configure{{ChangeVerb::erase, {ObjectKind::project, "p", {}}, {}}}))
                .rfind("denied: ", 0),
            0u);
  queue("all.q", {{"projects", "NONE"}});
  EXPECT_EQ(text(command(root, Configure{{ChangeVerb::erase, {ObjectKind::project, "p", {}}, {}}})),
            "denied: project \"p\" is referenced in advance reservation 1\n");
}

// R6.7: name and shortcut mean the same.
TEST_F(GivenARequestOfQrsub, WhenAResourceIsNamedTwiceThenTheLastValueCounts) {
  hosts(2, 1);
  auto request = later();
  request.resources = {{"h", "h1"}, {"hostname", "h2"}};
  const auto number = reserve(root, request);
  EXPECT_EQ(instances(number), "all.q@h2=1");
  EXPECT_EQ(planner.state().reservation_by_number({number})->request.resources,
            (std::vector<Attribute>{{"hostname", "h2"}}));
}

// R6.21, R9.14, R9.15: holds are kept, and give way to a manager who says so.
TEST_F(GivenARequestOfQrsub, WhenOnlyHoldsAreInTheWayThenAManagerMayTakeTheirPlaces) {
  hosts(1, 4);
  scheduler({{"max_reservation", "10"}, {"params", "DURATION_OFFSET=0"}});
  const auto runs = submit(alice, on_slots(job("runs", "100"), "fill", 3));
  pass();
  start(runs);
  const auto waits = submit(alice, on_slots(holding("waits", "100"), "fill", 4));
  pass();
  ASSERT_EQ(held_in(waits), 100);
  const auto said = refused(later(2));
  EXPECT_NE(said.find("places are held for job 2 from 1970-01-12 13:48:20 UTC until 1970-01-12 "
                      "13:50:00 UTC: managers may take them (-override-holds)\n"),
            std::string::npos)
      << said;
  command(root,
          Configure{{ChangeVerb::add_entries, {ObjectKind::userset, "arusers", {}}, {"bob"}}});
  EXPECT_EQ(text(command(bob, Reserve{later(2), true})),
            "denied: \"bob\" must be manager to take places that are held for jobs "
            "(-override-holds)\n");
  EXPECT_EQ(ask(VerifyReserve{root, Reserve{later(2), true}}).exit_code, 0);
  EXPECT_EQ(held_in(waits), 100) << "a question changes nothing";
  const auto granted = command(root, Reserve{later(2), true});
  EXPECT_EQ(text(granted), "Your advance reservation 1 has been granted\n");
  pass();
  EXPECT_EQ(held_in(waits), 200);
  EXPECT_EQ(cause(waits), "advance reservation 1 was granted over it by root (-override-holds)");
  command(root, DeleteReservations{{"1"}, {}, false});
  now = now + Duration{20};
  pass();
  EXPECT_EQ(held_in(waits), 80);
  EXPECT_EQ(cause(waits), "") << "it is back";
}

// R6.39, B4.13
TEST_F(GivenARequestOfQrsub, WhenItIsOnlyAskedForThenItSaysWhatIsRuledOutAndWhenItWouldBegin) {
  hosts(2, 4);
  auto request = later(2);
  request.queues = {"all.q@h1"};
  const auto said = text(ask(VerifyReserve{root, {request}}));
  EXPECT_NE(said.find("all.q@h2"), std::string::npos) << said;
  EXPECT_TRUE(said.ends_with("verification: found possible assignment with 2 slots\n")) << said;
  request.asap = true, request.start = {};
  const auto asap = text(ask(VerifyReserve{root, {request}}));
  EXPECT_NE(asap.find(" on all.q@h1=2\n"), std::string::npos) << asap;
  tell(HostSilent{"h2", true});
  const auto lost = text(ask(VerifyReserve{root, {on_pe(window(now.seconds, 100), "fill", 2)}}));
  EXPECT_NE(lost.find("all.q@h2"), std::string::npos) << lost;
}

// R6.44: each reason once, and of the last look only.
TEST_F(GivenARequestOfQrsub, WhenInstancesAreLostThenWhatIsInTheWayWithThemIsTold) {
  hosts(2, 4);
  tell(HostSilent{"h2", true});
  auto request = later(5);
  request.queues = {"all.q@h2"};
  const auto said = refused(request);
  EXPECT_NE(said.find("only offers 4 slots"), std::string::npos) << said;
  EXPECT_EQ(said.find("only offers"), said.rfind("only offers")) << said;
}

// R6.44, B3.1.
TEST_F(GivenARequestOfQrsub, WhenTheReasonsAreAskedForThenEachContainerSaysWhoHasWhatAndUntilWhen) {
  hosts(2, 4);
  scheduler({{"params", "DURATION_OFFSET=0"}});
  auto request = on_slots(job("endless"), "fill", 3);
  request.queues = {"*@h1"};
  submit(alice, request);
  pass();
  auto other = later(4);
  other.queues = {"*@h2"};
  reserve(root, other);
  const auto said = refused(later(3), true);
  EXPECT_NE(said.find("queue instance \"all.q@h1\" has too little slots: 3 requested, 1 of 4 free; "
                      "taken by job 1: 3 without end\n"),
            std::string::npos)
      << said;
  EXPECT_NE(said.find("queue instance \"all.q@h2\" has too little slots: 3 requested, 0 of 4 free; "
                      "taken by advance reservation 1: 4 until 1970-01-12 13:50:00 UTC\n"),
            std::string::npos)
      << said;
  EXPECT_TRUE(said.ends_with("advance_reservation: no suitable queues\n")) << said;
  const auto brief = refused(later(3));
  EXPECT_EQ(brief.find("requested"), std::string::npos) << brief;
}

// R6.17, R6.23, R6.24: the seed's two examples of -alloc.
TEST_F(GivenARequestOfQrsub, WhenSlotsAreAskedForByARuleThenNoParallelEnvironmentIsNeeded) {
  hosts(3, 4);
  licenses(2);
  queue("all.q", {{"pe_list", "NONE"}});
  auto request = later();
  request.allocation_rule = "2", request.slots = {{4, 4}}, request.resources = {{"license", "1/2"}};
  const auto two_per_host = reserve(root, request);
  EXPECT_EQ(instances(two_per_host), "all.q@h1=2 all.q@h2=2");
  const auto& shape = planner.state().reservation_by_number({two_per_host})->shape;
  EXPECT_EQ(shape.allocation_rule, "2");
  const auto licenses_of = [](const std::vector<Booking>& bookings) {
    std::int64_t sum = 0;
    for (const auto& booking : bookings)
      if (booking.resource == "license") sum += booking.amount;
    return sum;
  };
  EXPECT_EQ(licenses_of(shape.bookings), 2);
  request = later();
  request.allocation_rule = "$fill_up", request.slots = {{8, 8}};
  EXPECT_EQ(instances(reserve(root, request)), "all.q@h1=2 all.q@h2=2 all.q@h3=4");
}

// R6.24: rounded up on each container.
TEST_F(GivenARequestOfQrsub, WhenSomethingIsAskedForEachFewSlotsThenTheRestIsRoundedUp) {
  hosts(2, 4);
  licenses(3);
  auto request = later();
  request.allocation_rule = "$fill_up", request.slots = {{5, 5}};
  request.resources = {{"license", "1/2"}};
  const auto& bookings =
      planner.state().reservation_by_number({reserve(root, request)})->shape.bookings;
  for (const auto& booking : bookings) {
    if (booking.resource == "license") {
      EXPECT_EQ(booking.amount, 3) << booking.container.text();
    }
  }
  request.resources = {{"license", "1"}};
  EXPECT_NE(refused(request).find("no suitable queues"), std::string::npos);
  request.resources = {{"license", "1/0"}};
  EXPECT_EQ(command(root, Reserve{request}).exit_code, 1);
  request.allocation_rule = "", request.pe = "fill", request.resources = {{"license", "1/2"}};
  EXPECT_EQ(text(command(root, Reserve{request})),
            "attribute \"license\": \"1/2\" is an amount for several slots, which goes with -alloc "
            "only: give -l with an amount for each slot\n");
}

// R6.45, C3.54: jobs by a rule, inside such a reservation and outside.
TEST_F(GivenARequestOfQrsub, WhenAJobAsksForSlotsByARuleThenItRunsOnThem) {
  hosts(2, 2);
  queue("all.q", {{"pe_list", "NONE"}});
  auto wide = job("wide", "30");
  wide.allocation_rule = "1", wide.slots = {{2, 2}};
  const auto outside = submit(alice, wide);
  pass();
  ASSERT_TRUE(is_active(outside));
  EXPECT_EQ(find(outside)->tasks.front().grants.size(), 2u) << "one on each host";
  auto request = window(now.seconds, 1000);
  request.allocation_rule = "$fill_up", request.slots = {{2, 2}};
  wide.reservation = {reserve(root, request)};
  const auto inside = submit(root, wide);
  auto plain = job("plain", "30");
  plain.reservation = wide.reservation;
  pass();
  EXPECT_TRUE(is_active(inside));
  start(inside);
  end(inside);
  const auto without = submit(root, plain);
  pass();
  EXPECT_TRUE(is_active(without)) << "jobs inside need no rule";
  wide.pe = "fill";
  EXPECT_EQ(command(alice, Submit{wide, "hash"}).exit_code, 1) << "both";
}
