// Reservations by hosts (spec/plus.md section 3).
#include "nodes_fixture.hpp"

using namespace almanac;

namespace {

using GivenReservationsByNodes = NodesFixture;

} // namespace

// plus.md P3.16, P3.20, P3.21 and the example there
TEST_F(GivenReservationsByNodes, WhenTwoAreAskedForThenBothAreTakenAsAWhole) {
  hosts(3, 4);
  const auto ar = granted(root, whole(2));
  EXPECT_EQ(places(ar), "h1=4 h2=4");
  EXPECT_EQ(letter(ar), 'w');
  EXPECT_EQ(booked("h1"), 4);
  EXPECT_EQ(command(root, Reserve{on_pe(window(now.seconds + 100, 10), "fill", 5)}).exit_code, 1);
  EXPECT_EQ(command(root, Reserve{on_pe(window(now.seconds + 100, 10), "fill", 4)}).exit_code, 0);
}

// plus.md P3.25, P3.26
TEST_F(GivenReservationsByNodes, WhenThereAreTooFewThenTheAnswerSaysHowManyAndNoNumberIsUsed) {
  hosts(3, 4);
  reserve(root, window(now.seconds + 200, 10));
  const auto refused = prepare(root, whole(4));
  EXPECT_EQ(refused.exit_code, 1);
  EXPECT_TRUE(says(refused, "not enough nodes: requested 4, available 2")) << text(refused);
  EXPECT_EQ(granted(root, whole(2)), 2) << "no number was lost";
  EXPECT_EQ(places(2), "h2=4 h3=4");
}

// plus.md P3.20: nothing at all of others is there
TEST_F(GivenReservationsByNodes, WhenAnotherQueueOfTheHostIsInUseThenItIsNotFree) {
  hosts(2, 4);
  queue("other.q", {{"hostlist", "h1"}, {"slots", "2"}, {"pe_list", "fill"}});
  auto there = window(now.seconds + 100, 100);
  there.queues = {"other.q"};
  reserve(root, there);
  auto of_one_queue = whole(1);
  of_one_queue.queues = {"all.q"};
  const auto ar = granted(root, of_one_queue);
  EXPECT_EQ(places(ar), "h2=4");
  EXPECT_EQ(prepare(root, of_one_queue).exit_code, 1);
}

TEST_F(GivenReservationsByNodes, WhenAHostHasTwoQueuesThenNobodyGetsTheOtherOne) {
  hosts(1, 4);
  queue("other.q", {{"hostlist", "h1"}, {"slots", "2"}, {"pe_list", "fill"}});
  auto of_one_queue = whole(1);
  of_one_queue.queues = {"all.q"};
  EXPECT_EQ(places(granted(root, of_one_queue)), "h1=4");
  auto there = window(now.seconds + 100, 100);
  there.queues = {"other.q"};
  EXPECT_EQ(command(root, Reserve{there}).exit_code, 1);
}

// plus.md P3.20, P3.21 and the example there
TEST_F(GivenReservationsByNodes, WhenSomeSlotsOfEachAreAskedForThenOthersHaveTheRest) {
  hosts(2, 4);
  const auto ar = granted(root, part(2, 1));
  EXPECT_EQ(places(ar), "h1=1 h2=1");
  EXPECT_EQ(places(granted(root, part(2, 3))), "h1=3 h2=3");
  EXPECT_TRUE(says(prepare(root, part(1, 1)), "not enough nodes: requested 1, available 0"));
}

// plus.md P3.18
TEST_F(GivenReservationsByNodes, WhenHostsHaveToBeLargeThenTheOthersAreNone) {
  hosts(2, 4);
  tell(HostRegistered{"h2", {"sol-amd64", 16, 64LL << 30, "boot", "spool", "127.0.0.1:1"}});
  auto request = whole(1);
  request.least = {{"num_proc", "8"}, {"mem_total", "32G"}};
  EXPECT_EQ(places(granted(root, request)), "h2=4");
  request = whole(1);
  request.os = "LINUX";
  EXPECT_EQ(places(granted(root, request)), "h1=4");
  request = whole(1, 2000);
  request.os = "solaris";
  EXPECT_EQ(places(granted(root, request)), "h2=4");
  request.os = "aix";
  EXPECT_TRUE(says(prepare(root, request), "host \"h1\" is of another system than \"aix\""));
  request.os.clear(), request.least = {{"num_proc", "99"}};
  EXPECT_TRUE(says(prepare(root, request), "host \"h2\" has less than num_proc=99"));
  request.least = {{"arch", "x"}};
  EXPECT_EQ(prepare(root, request).exit_code, 1);
  request.least = {{"nonsense", "1"}};
  EXPECT_EQ(prepare(root, request).exit_code, 1);
}

// plus.md P3.6, P3.22
TEST_F(GivenReservationsByNodes, WhenTheSiteNamesQueuesThenOnlyTheirHostsAreReserved) {
  hosts(2, 4);
  queue("plus.q", {{"hostlist", "h2"}, {"slots", "2"}, {"pe_list", "fill"}});
  scheduler({{"params", "PLUS_QUEUES=plus.q"}});
  EXPECT_EQ(places(granted(root, whole(1))), "h2=2");
  auto named = whole(1);
  named.queues = {"all.q"};
  EXPECT_EQ(places(granted(root, named)), "h1=4");
}

// plus.md P3.19: each host has to have it
TEST_F(GivenReservationsByNodes, WhenAnAmountOfEachIsAskedForThenThoseWithoutAreNone) {
  hosts(2, 4);
  auto table = *planner.state().configuration().find(ObjectKind::complex, "");
  table.set("lic", "lic INT <= YES YES 0 0");
  change(table);
  change({ObjectKind::exec_host, "h2", {{"complex_values", "lic=3"}}});
  auto request = whole(1);
  request.resources = {{"lic", "2"}};
  const auto ar = granted(root, request);
  EXPECT_EQ(places(ar), "h2=4");
  EXPECT_EQ(planner.state().ledger().used(Container::host("h2"), "lic",
                                          {now + Duration{100}, now + Duration{101}}),
            3)
      << "all that it has is booked";
}

// Who has seq_no or a name before others is taken first.
TEST_F(GivenReservationsByNodes, WhenQueuesHaveSequenceNumbersThenThesePutHostsInOrder) {
  hosts(3, 4);
  queue("all.q", {{"seq_no", "5,[h3=1]"}});
  EXPECT_EQ(places(granted(root, whole(2))), "h3=4 h1=4");
}

// plus.md P3.49 and the example there
TEST_F(GivenReservationsByNodes, WhenOneIsProlongedThenItIsNotInItsOwnWay) {
  hosts(2, 4);
  const auto ar = granted(root, whole(2, 100, 100));
  ReservationRequest longer;
  longer.end = {now.seconds + 300};
  EXPECT_EQ(prepare(root, longer, 0, ar).exit_code, 0);
  EXPECT_EQ(places(ar), "h1=4 h2=4");
  EXPECT_EQ(reservation(ar).shape.window.end.seconds, now.seconds + 300);
}

// plus.md P3.48, P3.49, P3.50
TEST_F(GivenReservationsByNodes, WhenTheirNumberChangesThenTheOldOnesComeFirst) {
  hosts(3, 4);
  queue("all.q", {{"seq_no", "5,[h3=1]"}});
  const auto taken = granted(root, whole(1));
  ASSERT_EQ(places(taken), "h3=4");
  const auto ar = granted(root, whole(1));
  ASSERT_EQ(places(ar), "h1=4");
  ASSERT_EQ(remove(root, taken, ReservationVerb::destroy).exit_code, 0);
  ReservationRequest more;
  more.nodes = 2;
  EXPECT_EQ(prepare(root, more, 0, ar).exit_code, 0);
  EXPECT_EQ(places(ar), "h1=4 h3=4");
  more.nodes = 4;
  EXPECT_TRUE(says(prepare(root, more, 0, ar), "requested 4, available 3"));
  EXPECT_EQ(places(ar), "h1=4 h3=4") << "a refusal leaves all as it was";
  now = now + Duration{100};
  due(ar);
  more.nodes = 1;
  EXPECT_TRUE(says(prepare(root, more, 0, ar), "has begun: it keeps its 2 hosts"));
  more.nodes = 3;
  EXPECT_EQ(prepare(root, more, 0, ar).exit_code, 0);
  ReservationRequest later;
  later.start = {now.seconds + 50};
  EXPECT_EQ(prepare(root, later, 0, ar).exit_code, 1);
}

// plus.md P3.17, P3.51
TEST_F(GivenReservationsByNodes, WhenUsersAreNamedThenItsOwnerStaysAmongThem) {
  hosts(1, 4);
  allow("alice");
  auto request = whole(1);
  request.users = {"bob"};
  const auto ar = granted(alice, request);
  EXPECT_EQ(reservation(ar).shape.users, (std::vector<std::string>{"bob", "alice"}));
  ReservationRequest others;
  others.users = {"eve"};
  EXPECT_EQ(prepare(root, others, 0, ar).exit_code, 0);
  EXPECT_EQ(reservation(ar).shape.users, (std::vector<std::string>{"eve", "alice"}));
  EXPECT_EQ(command(bob, Submit{inside(ar), "hash"}).exit_code, 1);
  EXPECT_EQ(command(alice, Submit{inside(ar), "hash"}).exit_code, 0);
}

// plus.md P3.14
TEST_F(GivenReservationsByNodes, WhenTheStartHasJustPassedThenItIsNow) {
  hosts(1, 4);
  const auto ar = granted(root, whole(1, -60, 600));
  EXPECT_EQ(reservation(ar).shape.window, (Window{now, now + Duration{540}}));
  EXPECT_EQ(letter(ar), 'r');
  EXPECT_EQ(prepare(root, whole(1, -61, 600)).exit_code, 1);
}

// plus.md P5.7: all of the hosts is for its jobs, in any parallel environment
TEST_F(GivenReservationsByNodes, WhenJobsAreInItThenTheyMayUseAllOfTheHosts) {
  hosts(2, 4);
  const auto ar = granted(root, whole(2, 0));
  auto wide = inside(ar);
  wide.pe = "fill", wide.slots = {{6, 6}};
  const auto first = submit(root, wide);
  const auto second = submit(root, inside(ar)), third = submit(root, inside(ar));
  const auto fourth = submit(root, inside(ar));
  const auto outside = submit(root, job("outside"));
  pass();
  EXPECT_TRUE(is_active(first) && is_active(second) && is_active(third));
  EXPECT_FALSE(is_active(fourth)) << "8 slots are taken";
  EXPECT_FALSE(is_active(outside));
  EXPECT_TRUE(is_within_capacity());
}

// Nobody makes slots of it: a record of both would be set aside.
TEST_F(GivenReservationsByNodes, WhenSlotsAreAskedForByAChangeThenItIsRefused) {
  hosts(2, 4);
  const auto ar = granted(root, whole(1));
  AlterReservation change{{ar}, {"-pe"}, {}, false};
  change.request.pe = "fill", change.request.slots = {{2, 2}};
  const auto refused = command(root, change);
  EXPECT_EQ(refused.exit_code, 1);
  EXPECT_TRUE(says(refused, "exclude each other")) << text(refused);
  change = {{ar}, {"-spare"}, {}, false};
  change.request.spare = 1;
  EXPECT_EQ(command(root, change).exit_code, 1);
  EXPECT_TRUE(Planner::restore(planner.state().records().copy()).ok());
  EXPECT_EQ(places(ar), "h1=4");
}

// plus.md P1.6, P4.21, P5.6, P8.9: x until its last job is reported, or the host of that is unknown
TEST_F(GivenReservationsByNodes, WhenItEndsThenItsJobsGoAndItIsOverWithTheLastOfThem) {
  hosts(1, 1);
  for (const bool is_lost : {false, true}) {
    const auto ar = granted(root, whole(1, 0, 100));
    const auto runs = submit(root, inside(ar)), waits = submit(root, inside(ar));
    pass();
    ASSERT_TRUE(is_active(runs));
    start(runs);
    now = now + Duration{100};
    due(ar);
    EXPECT_EQ(letter(ar), 'x');
    EXPECT_FALSE(find(waits));
    EXPECT_TRUE(task(runs).deleting);
    EXPECT_EQ(booked("h1"), 1) << "what still runs has its slot";
    if (is_lost) lose("h1");
    else end(runs);
    EXPECT_EQ(letter(ar), '-');
    EXPECT_EQ(booked("h1"), find(runs) && task(runs).is_active() ? 1 : 0)
        << text(planner.ask(ExplainJob{{runs}}, now));
  }
}

// plus.md P3.28, P3.30, P3.29
TEST_F(GivenReservationsByNodes, WhenAHostIsLostThenItIsReplacedOnlyWhereThatIsAskedFor) {
  hosts(3, 4);
  global({{"qmaster_params", "REPAIR_AR=true"}});
  const auto fixed = granted(root, whole(1));
  lose("h1");
  EXPECT_EQ(places(fixed), "h1=4");
  EXPECT_EQ(letter(fixed), 'W');
  auto movable = whole(1);
  movable.repair = Repair::yes;
  const auto moved = granted(root, movable);
  ASSERT_EQ(places(moved), "h2=4");
  lose("h2");
  EXPECT_EQ(places(moved), "h3=4");
  EXPECT_EQ(letter(moved), 'w');
  EXPECT_EQ(booked("h2"), 0);
  come_back("h2");
  EXPECT_EQ(places(moved), "h2=4");
}

// plus.md P3.28: a maintenance does not move it either
TEST_F(GivenReservationsByNodes, WhenAMaintenanceComesThenItStaysOnItsHosts) {
  hosts(2, 4);
  const auto ar = granted(root, whole(1));
  auto closing = window(now.seconds + 50, 500);
  closing.maintenance = true, closing.hosts = {"h1"};
  const auto refused = command(root, Reserve{closing});
  EXPECT_EQ(refused.exit_code, 1);
  EXPECT_TRUE(says(refused, "its hosts were fixed when it was reserved")) << text(refused);
  EXPECT_EQ(places(ar), "h1=4");
}

// What is new on a whole host belongs to its reservation.
TEST_F(GivenReservationsByNodes, WhenAHostGrowsThenItStaysWhole) {
  hosts(1, 4);
  const auto ar = granted(root, whole(1));
  queue("all.q", {{"slots", "6"}});
  EXPECT_EQ(places(ar), "h1=6");
  EXPECT_EQ(booked("h1"), 6);
  queue("other.q", {{"hostlist", "h1"}, {"slots", "2"}});
  auto there = window(now.seconds + 100, 100);
  there.queues = {"other.q"};
  EXPECT_EQ(command(root, Reserve{there}).exit_code, 1);
}

// plus.md P7.9, P4.23: healthy ones first, others where these do not suffice and it begins later
TEST_F(GivenReservationsByNodes, WhenHealthyHostsDoNotSufficeThenOthersAreTakenForLater) {
  hosts(2, 4);
  lose("h1");
  EXPECT_EQ(places(granted(root, whole(1))), "h2=4");
  const auto ar = granted(root, whole(2, 2000));
  EXPECT_EQ(letter(ar), 'W');
  EXPECT_EQ(prepare(root, whole(2, 0, 50)).exit_code, 1);
}

TEST_F(GivenReservationsByNodes, WhenTheRequestIsOfBothKindsThenItIsRefused) {
  hosts(2, 4);
  EXPECT_EQ(prepare(root, on_pe(whole(1), "fill", 2)).exit_code, 1);
  auto spare = whole(1);
  spare.spare = 1;
  EXPECT_EQ(prepare(root, spare).exit_code, 1);
  auto none = window(now.seconds + 100, 100);
  none.whole_nodes = true;
  EXPECT_EQ(prepare(root, none).exit_code, 1);
  const auto by_slots = reserve(root, on_pe(window(now.seconds + 100, 100), "fill", 2));
  ReservationRequest nodes;
  nodes.nodes = 1;
  EXPECT_TRUE(says(prepare(root, nodes, 0, by_slots), "takes no parallel environment"));
}

// Reservations by nodes and all else keep to what there is.
TEST_F(GivenReservationsByNodes, WhenManyAreMadeThenNothingIsGivenTwice) {
  hosts(4, 3);
  for (std::int64_t i = 0; i < 40; ++i) {
    const auto in = 100 + 7 * (i % 11);
    if (i % 3 == 0) prepare(root, whole(1 + i % 4, in, 20 + i));
    else if (i % 3 == 1) prepare(root, part(1 + i % 3, 1 + i % 2, in));
    else command(root, Reserve{on_pe(window(now.seconds + in, 30), "fill", 1 + i % 5)});
    ASSERT_TRUE(is_within_capacity()) << i;
  }
}
