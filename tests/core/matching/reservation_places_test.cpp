// Where a reservation can lie, and what is wrong with where it lies.
#include "core/matching/reservation_places.hpp"
#include "busy_cell.hpp"

using namespace almanac;

namespace {

class GivenReservationPlaces : public MatchingFixture {
public:
  Demand demand(const ReservationRequest& request) const {
    auto found = demand_of_reservation(state(), alice, request);
    EXPECT_TRUE(found.ok());
    return *found;
  }
  static ReservationRequest one_slot() { return {}; }
  static ReservationRequest on_slots(std::int64_t low, std::int64_t high) {
    auto request = one_slot();
    request.pe = "fill", request.slots = {{low, high}};
    return request;
  }
  Window in_seconds(std::int64_t from) const {
    return {now + Duration{from}, now + Duration{from + 100}};
  }
  static std::string names(const Found& found) {
    std::string text;
    if (found.assignment)
      for (const auto& grant : found.assignment->grants)
        text +=
            (text.empty() ? "" : " ") + grant.instance.text() + ":" + std::to_string(grant.slots);
    return text;
  }
  using Users = std::vector<std::pair<std::string, std::string>>;
};

} // namespace

TEST_F(GivenReservationPlaces, WhenUsersAreNamedThenAllOfThemMustBeLetIn) {
  hosts(1, 1);
  EXPECT_EQ(demand(one_slot()).users, (Users{{"alice", "users@1001"}})) << "its owner";
  auto request = one_slot();
  request.users = {"bob", "@course", "!carol", "d*"};
  request.groups = {{"bob", "staff"}};
  EXPECT_EQ(demand(request).users, (Users{{"bob", "staff"}, {"@course", ""}}));
  request.users = {"!carol"};
  EXPECT_EQ(demand(request).users, (Users{{"alice", "users@1001"}})) << "nobody else is named";
}

// R9.4
TEST_F(GivenReservationPlaces, WhenUsersAreMeantByAListThenThePEHasToLetThatListIn) {
  hosts(1, 2);
  for (const char* list : {"staff", "guests"})
    change({ObjectKind::userset, list, {{"entries", "bob"}}}, ChangeVerb::add);
  const auto with = [&](const char* users) {
    auto request = on_slots(1, 2);
    request.users = {users};
    return names(find_place(state(), demand(request), in_seconds(0), now));
  };
  change({ObjectKind::parallel_environment, "fill", {{"user_lists", "staff"}}});
  EXPECT_EQ(with("@staff"), "all.q@h1:2");
  EXPECT_EQ(with("@guests"), "") << "not everybody in it has to be in the other one";
  EXPECT_EQ(with("bob"), "all.q@h1:2");
  change({ObjectKind::parallel_environment,
          "fill",
          {{"user_lists", "NONE"}, {"xuser_lists", "guests"}}});
  EXPECT_EQ(with("@staff"), "all.q@h1:2");
  EXPECT_EQ(with("@guests"), "");
}

// R6.3, R9.2, S15.21
TEST_F(GivenReservationPlaces, WhenACheckpointIsAskedForThenOnlyInstancesThatListItWillDo) {
  hosts(3, 1);
  for (const char* name : {"blcr", "other"})
    change({ObjectKind::checkpoint, name, {}}, ChangeVerb::add);
  queue("all.q", {{"ckpt_list", "NONE,[h2=other,blcr],[h3=other]"}});
  const auto with = [&](const char* name) {
    auto request = one_slot();
    request.checkpoint = name;
    return find_place(state(), demand(request), in_seconds(0), now);
  };
  EXPECT_EQ(names(with("")), "all.q@h1:1");
  EXPECT_EQ(names(with("blcr")), "all.q@h2:1");
  auto both = on_slots(1, 9);
  both.checkpoint = "other";
  EXPECT_EQ(names(find_place(state(), demand(both), in_seconds(0), now)), "all.q@h2:1 all.q@h3:1");
  queue("all.q", {{"ckpt_list", "NONE,[h3=other]"}});
  std::vector<std::string> why;
  const auto none = with("blcr");
  EXPECT_EQ(names(none), "");
  for (const auto& reason : none.obstacles.list()) why.push_back(gridengine::text_of(reason));
  ASSERT_EQ(why.size(), 3U);
  EXPECT_EQ(why.front(), "cannot run in queue instance \"all.q@h1\" because ckpt object \"blcr\" "
                         "is not in ckpt list of queue");
}

TEST_F(GivenReservationPlaces, WhenAnInstanceIsOffThenItIsTakenForALaterStartOnly) {
  hosts(1, 2);
  tell(HostSilent{"h1", true});
  const auto wanted = demand(one_slot());
  const auto at_once = find_place(state(), wanted, in_seconds(0), now);
  EXPECT_FALSE(at_once.assignment);
  EXPECT_EQ(at_once.obstacles.list().back().code, AnswerCode::unhealthy_at_start);
  const auto later = find_place(state(), wanted, in_seconds(1), now);
  EXPECT_EQ(names(later), "all.q@h1:1");
  EXPECT_TRUE(later.on_unhealthy);
}

TEST_F(GivenReservationPlaces, WhenSomeArePreferredThenTheyComeFirstInTheirOrder) {
  hosts(3, 2);
  const auto wanted = demand(on_slots(5, 5));
  EXPECT_EQ(names(find_place(state(), wanted, in_seconds(9), now)),
            "all.q@h1:2 all.q@h2:2 all.q@h3:1");
  EXPECT_EQ(names(find_place(state(), wanted, in_seconds(9), now,
                             {InstanceName{"all.q", "h3"}, InstanceName{"all.q", "h1"}})),
            "all.q@h3:2 all.q@h1:2 all.q@h2:1");
}

// B3.2, B1.10
TEST_F(GivenReservationPlaces, WhenSpareHostsAreAskedForThenTheMostSlotsLeaveRoomForThem) {
  hosts(4, 4);
  const auto spares_of = [](const Found& found) {
    std::string text;
    for (const auto& grant : found.assignment->spares)
      text += (text.empty() ? "" : " ") + grant.instance.text() + ":" + std::to_string(grant.slots);
    return text;
  };
  const auto find = [&](std::vector<SlotRange> slots, std::int64_t spare) {
    auto request = on_slots(1, 1);
    request.slots = std::move(slots), request.spare = spare;
    return find_place(state(), demand(request), in_seconds(9), now);
  };
  const auto eight = find({{4, 16}}, 2);
  EXPECT_EQ(names(eight), "all.q@h1:4 all.q@h2:4");
  EXPECT_EQ(spares_of(eight), "all.q@h3:4 all.q@h4:4");
  for (const auto low : {8, 12})
    EXPECT_EQ(names(find({{low, 16}}, 1)), "all.q@h1:4 all.q@h2:4 all.q@h3:4") << low;
  EXPECT_EQ(names(find({{1, 16}}, 3)), "all.q@h1:4");
  EXPECT_EQ(names(find({{2, 3}, {10, 11}, {14, 16}}, 1)), "all.q@h1:4 all.q@h2:4 all.q@h3:3");
  const auto none = find({{9, 16}}, 2);
  EXPECT_EQ(names(none), "");
  ASSERT_FALSE(none.obstacles.list().empty());
  EXPECT_EQ(gridengine::text_of(none.obstacles.list().back()),
            "only 1 of 2 spare hosts can be booked");
  EXPECT_EQ(names(find({{16, 16}}, 1)), "");
}

// B3.2: what the rule of the PE cannot make is passed over.
TEST_F(GivenReservationPlaces, WhenTheRuleIsANumberThenSpareHostsLeaveAMultipleOfIt) {
  hosts(4, 4);
  change({ObjectKind::parallel_environment, "fill", {{"slots", "999"}, {"allocation_rule", "4"}}});
  auto request = on_slots(1, 16);
  request.spare = 3;
  EXPECT_EQ(names(find_place(state(), demand(request), in_seconds(9), now)), "all.q@h1:4");
}

TEST_F(GivenReservationPlaces, WhenACalendarClosesAnInstanceThenItIsNoCandidate) {
  hosts(1, 2);
  now = {18 * 86400 + 7 * 3600}; // a Monday at seven
  change({ObjectKind::calendar, "noon", {{"week", "12-13"}}}, ChangeVerb::add);
  queue("all.q", {{"calendar", "noon"}});
  const auto wanted = demand(one_slot());
  Obstacles obstacles;
  const auto open = reservation_candidates(state(), wanted, in_seconds(3600), obstacles);
  EXPECT_EQ(open.healthy.size() + open.unhealthy.size(), 1u);
  EXPECT_TRUE(obstacles.list().empty());
  const auto closed = reservation_candidates(state(), wanted, in_seconds(5 * 3600), obstacles);
  EXPECT_TRUE(closed.healthy.empty() && closed.unhealthy.empty());
  EXPECT_EQ(obstacles.list().back().code, AnswerCode::calendar_disabled);
}

TEST_F(GivenReservationPlaces, WhenReservedInstancesAreBadThenEachIsNamedInTheOrderOfTheGrants) {
  hosts(3, 1);
  const auto number = reserve(root, on_pe(window(now.seconds + 100, 100), "fill", 3));
  const auto bad = [&] {
    std::vector<std::string> queues;
    for (const auto& statement : health(state(), *state().reservation_by_number({number})))
      queues.push_back(statement.find("queue")->text + " " +
                       gridengine::text_of(statement.find("why")->inner.front()));
    return queues;
  };
  EXPECT_TRUE(bad().empty());
  command(root, ModifyQueues{QueueAction::disable, {"all.q@h3"}});
  tell(HostSilent{"h1", true});
  EXPECT_EQ(bad(), (std::vector<std::string>{"all.q@h1 is unknown", "all.q@h3 is disabled"}));
  // R4.24
  command(root, ModifyQueues{QueueAction::suspend, {"all.q@h3"}});
  EXPECT_EQ(bad(), (std::vector<std::string>{"all.q@h1 is unknown", "all.q@h3 is disabled",
                                             "all.q@h3 is suspended"}));
  tell(HostSilent{"h3", true});
  command(root, ModifyQueues{QueueAction::enable, {"all.q@h3"}});
  EXPECT_EQ(bad(), (std::vector<std::string>{"all.q@h1 is unknown", "all.q@h3 is unknown",
                                             "all.q@h3 is suspended"}));
}

namespace {

bool is_off(const BusyCell& cell, const QueueInstance& instance) {
  return cell.state().instance(instance.name).disabled;
}

// The instances of a kind in the order in which they are tried: those that are preferred first.
Instances in_order(const BusyCell& cell, bool off, const std::vector<InstanceName>& preferred) {
  Instances ordered;
  const auto& instances = cell.state().configuration().instances();
  for (const auto& name : preferred)
    for (const auto& instance : instances)
      if (instance.name == name && is_off(cell, instance) == off) ordered.push_back(&instance);
  for (const auto& instance : instances)
    if (is_off(cell, instance) == off &&
        std::count(preferred.begin(), preferred.end(), instance.name) == 0)
      ordered.push_back(&instance);
  return ordered;
}

// The slots of all of them that nobody has and nobody counts on, up to what is asked for; the
// instances are filled up one after the other. Empty where that is too little.
std::string filled(const BusyCell& cell, const Instances& instances, const Demand& demand,
                   Window window) {
  std::string text;
  const auto wanted = demand.pe.empty() ? SlotRange{1, 1} : demand.slots.front();
  const auto licenses =
      *cell.total(Container::global(), "license") -
      std::max(cell.booked(Container::global(), "license", window),
               cell.booked(Container::global(), "license", window, &BusyCell::Entry::firm));
  auto most = wanted.high, got = std::int64_t{0};
  for (const auto& asked : demand.consumables)
    if (asked.resource == "license") most = std::min(most, licenses / asked.amount);
  for (const auto* instance : instances) {
    const auto here = std::min(cell.slots_free(*instance, demand, window, window), most - got);
    if (here <= 0) continue;
    got += here;
    text += (text.empty() ? "" : " ") + instance->name.text() + ":" + std::to_string(here);
  }
  return got < wanted.low ? "" : text;
}

} // namespace

RC_GTEST_PROP(GivenAnyBookings, WhenAReservationIsPlacedThenItHasTheFirstSlotsThatAreFreeByHand,
              ()) {
  BusyCell cell;
  for (int i = 1; i <= cell.host_count; ++i)
    if (*rc::gen::inRange(0, 3) == 0)
      cell.command(cell.root, ModifyQueues{QueueAction::disable, {"*@h" + std::to_string(i)}});
  std::vector<InstanceName> preferred;
  for (const char* host : {"h3", "h1"})
    if (*rc::gen::inRange(0, 3) == 0) preferred.push_back({"all.q", host});
  const auto request = cell.any_request();
  ReservationRequest asked;
  asked.pe = request.pe, asked.slots = request.slots;
  for (const auto& resource : request.resources)
    if (resource.name != "h_rt") asked.resources.push_back(resource);
  const auto demand = *demand_of_reservation(cell.state(), cell.alice, asked);
  const auto start = cell.now + Duration{*rc::gen::inRange<std::int64_t>(0, 120)};
  const Window window{start, start + Duration{*rc::gen::inRange<std::int64_t>(1, 60)}};

  const auto healthy = in_order(cell, false, preferred);
  auto expected = filled(cell, healthy, demand, window);
  const bool is_late = window.start > cell.now;
  const bool on_unhealthy = expected.empty() && is_late;
  if (on_unhealthy) {
    auto all = healthy;
    for (const auto* instance : in_order(cell, true, preferred)) all.push_back(instance);
    expected = filled(cell, all, demand, window);
  }
  const auto found = find_place(cell.state(), demand, window, cell.now, preferred);
  RC_ASSERT(GivenReservationPlaces::names(found) == expected);
  RC_ASSERT(found.on_unhealthy == (on_unhealthy && !expected.empty()));
  RC_ASSERT(found.assignment || !found.obstacles.list().empty());
}
