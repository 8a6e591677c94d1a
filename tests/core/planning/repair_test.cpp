// Reservations that lose a part of what they hold, and get it back elsewhere.
#include "planner_fixture.hpp"

#include <rapidcheck/gtest.h>

using namespace almanac;

namespace {

class GivenReservationsToRepair : public PlannerFixture {
public:
  std::int64_t repaired(ReservationRequest request, Repair repair = Repair::yes) {
    request.repair = repair;
    return reserve(root, std::move(request));
  }
  std::int64_t inside(std::int64_t ar, std::int64_t slots = 1) {
    auto request = job("inside");
    request.reservation = {ar};
    if (slots > 1) request.pe = "fill", request.slots = {{slots, slots}};
    const auto number = submit(root, request);
    pass();
    return number;
  }
  /// Nothing runs longer than it may: only facts like that exceed capacities.
  void end_what_is_due() {
    for (const auto& [key, job] : std::map(planner.state().jobs())) {
      const auto* ar = planner.state().reservation(job->reservation_key);
      const auto* task = planner.state().task({key, 0});
      if (task && task->is_active() &&
          (task->booked.end <= now || (ar && ar->shape.window.end <= now)))
        end(job->number.value);
    }
  }
};

class Cell : public GivenReservationsToRepair {
  void TestBody() override {}
};

} // namespace

TEST_F(GivenReservationsToRepair, WhenAHostIsLostThenOnlyReservationsOnItAreToBeLookedAt) {
  hosts(3, 1);
  for (int i = 0; i < 3; ++i) repaired(window(now.seconds + 100, 100), Repair::no);
  const auto& troubled = planner.state().occupancy().troubled.keys();
  EXPECT_TRUE(troubled.empty());
  lose("h2");
  ASSERT_EQ(troubled.size(), 1u);
  EXPECT_EQ(planner.state().reservation(*troubled.begin())->shape.grants.front().instance.host,
            "h2");
  come_back("h2");
  EXPECT_TRUE(troubled.empty());
}

TEST_F(GivenReservationsToRepair, WhenACheckpointIsAskedForThenReplacementAndReturnNeedItToo) {
  hosts(3, 1);
  const auto change = [&](ChangeVerb verb, ObjectKind kind, const char* name,
                          std::vector<Attribute> attributes) {
    const auto answer = command(root, Configure{{verb, {kind, name, std::move(attributes)}, {}}});
    EXPECT_EQ(answer.exit_code, 0) << text(answer);
  };
  const auto list = [&](const char* names) {
    change(ChangeVerb::modify, ObjectKind::cluster_queue, "all.q", {{"ckpt_list", names}});
  };
  change(ChangeVerb::add, ObjectKind::checkpoint, "blcr", {});
  list("blcr,[h2=NONE]");
  auto request = window(now.seconds + 600, 600);
  request.checkpoint = "blcr";
  const auto ar = repaired(request);
  EXPECT_EQ(places(ar), "h1=1");
  lose("h1");
  EXPECT_EQ(places(ar), "h3=1") << "h2 does not list it";
  list("NONE,[h3=blcr]"); // h1 is none of its hosts now
  come_back("h1");
  EXPECT_EQ(places(ar), "h3=1") << "nor does h1 any more";
  list("blcr,[h2=NONE]");
  pass();
  EXPECT_EQ(places(ar), "h1=1");
}

TEST_F(GivenReservationsToRepair, WhenAHostIsLostBeforeTheStartThenOtherSlotsTakeItsPlace) {
  hosts(3, 2);
  const auto ar = repaired(on_pe(window(now.seconds + 600, 600), "fill", 4));
  EXPECT_EQ(places(ar), "h1=2 h2=2");
  lose("h1");
  EXPECT_EQ(letter(ar), 'w');
  EXPECT_EQ(places(ar), "h3=2 h2=2") << "the master's host was lost: the new one takes its role";
  EXPECT_EQ(reservation(ar).note, "repaired: all.q@h1=2 replaced by all.q@h3=2");
  come_back("h1");
  EXPECT_EQ(places(ar), "h1=2 h2=2") << "undone";
  EXPECT_TRUE(reservation(ar).original.empty() && reservation(ar).note.empty());
}

TEST_F(GivenReservationsToRepair, WhenTheLostHostReturnsAfterAJobHasStartedThenItStaysAsItIs) {
  hosts(2, 2);
  const auto ar = repaired(on_pe(window(now.seconds, 600), "fill", 2));
  lose("h1");
  EXPECT_EQ(places(ar), "h2=2");
  const auto runs = inside(ar);
  EXPECT_TRUE(is_active(runs));
  come_back("h1");
  EXPECT_EQ(places(ar), "h2=2");
  end(runs);
  now = now + Duration{20};
  pass();
  EXPECT_EQ(places(ar), "h1=2") << "the next sweep finds it free";
}

TEST_F(GivenReservationsToRepair, WhenNothingElseIsFreeThenItStaysInErrorAndSaysWhatIsMissing) {
  hosts(2, 2);
  const auto ar = repaired(on_pe(window(now.seconds, 600), "fill", 2));
  auto both = job("outside", "100");
  both.pe = "smp", both.slots = {{2, 2}};
  const auto outside = submit(root, both);
  pass();
  ASSERT_TRUE(is_active(outside));
  lose("h1");
  EXPECT_EQ(letter(ar), 'E');
  EXPECT_TRUE(reservation(ar).note.starts_with(
      "not repaired: no replacement found for 2 slots of all.q@h1=2: "))
      << reservation(ar).note;
  end(outside);
  now = now + Duration{20};
  pass();
  EXPECT_EQ(letter(ar), 'r');
  EXPECT_EQ(places(ar), "h2=2");
}

TEST_F(GivenReservationsToRepair, WhenNobodyWantsItThenNothingIsMoved) {
  hosts(2, 2);
  const auto as_site = repaired(on_pe(window(now.seconds, 600), "fill", 1), Repair::as_site);
  const auto no = repaired(on_pe(window(now.seconds, 600), "fill", 1), Repair::no);
  lose("h1");
  EXPECT_EQ(letter(as_site), 'E');
  global({{"qmaster_params", "REPAIR_AR=true"}});
  pass();
  EXPECT_EQ(letter(as_site), 'r');
  EXPECT_EQ(letter(no), 'E');
}

RC_GTEST_PROP(GivenAnyReservationsToRepair, WhenHostsComeAndGoThenThePromiseStaysWhole, ()) {
  Cell cell;
  const int count = *rc::gen::inRange(2, 6);
  cell.hosts(count, 3);
  for (int i = 0; i < 40; ++i) {
    const auto host = "h" + std::to_string(*rc::gen::inRange(1, count + 1));
    const auto pe = *rc::gen::element(std::string("fill"), std::string("mpi"), std::string("smp"));
    switch (*rc::gen::inRange(0, 6)) {
    case 0: {
      auto request =
          PlannerFixture::on_pe(PlannerFixture::window(cell.now.seconds + *rc::gen::inRange(0, 50),
                                                       *rc::gen::inRange(60, 300)),
                                pe, *rc::gen::inRange(1, 4));
      request.repair = Repair::yes;
      cell.command(cell.root, Reserve{request});
      break;
    }
    case 1: cell.lose(host); break;
    case 2: cell.come_back(host); break;
    case 3:
      for (const auto& ar : cell.planner.state().reservations()) {
        auto request = PlannerFixture::job("inside", "5");
        request.reservation = ar.number;
        cell.command(cell.root, Submit{request, "hash"});
        break;
      }
      break;
    case 4: cell.command(cell.root, Submit{PlannerFixture::job("outside", "30"), "hash"}); break;
    default:
      for (const auto& [key, job] : std::map(cell.planner.state().jobs()))
        if (cell.planner.state().tally(key).active > 0 && *rc::gen::inRange(0, 2)) {
          cell.end(job->number.value);
          break;
        }
    }
    cell.now = cell.now + Duration{*rc::gen::inRange(0, 15)};
    cell.end_what_is_due();
    for (const auto& [key, ar] :
         Table<Reservation>(cell.planner.state().records().all<Reservation>()))
      cell.tell(ReservationDue{key});
    cell.pass();
    RC_ASSERT(cell.is_within_capacity());
    for (const auto& ar : cell.planner.state().reservations()) {
      std::int64_t slots = 0;
      for (const auto& grant : ar.shape.grants) slots += grant.slots;
      RC_ASSERT(slots == ar.request.slots.front().low);
      for (const auto& grant : ar.shape.grants) {
        auto there = grant.slots;
        for (const auto& left : ar.left_behind)
          if (left.instance == grant.instance) there += left.slots;
        RC_ASSERT(
            cell.planner.state().ledger_of(ar.key).used(Container::queue(grant.instance), "slots",
                                                        {cell.now, Instant::never()}) <= there);
      }
    }
    const auto restored = State::restore(cell.planner.state().records().copy());
    RC_ASSERT(restored->digest() == cell.planner.state().digest());
    RC_ASSERT(cell.planner.state().records().followers_agree());
  }
}
