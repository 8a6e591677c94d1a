// What a reservation would cost others (spec/beyond.md section 2): the examples, and a comparison with
// two histories that are played second by second.
#include "core/planning/price/price.hpp"
#include "planner_fixture.hpp"

#include <rapidcheck/gtest.h>

using namespace almanac;

namespace {

// One host, on which R runs until T+100.
class GivenAPrice : public PlannerFixture {
public:
  void cell(int count, std::int64_t slots, int offset = 0) {
    hosts(count, slots);
    scheduler({{"max_reservation", "5"}, {"params", "DURATION_OFFSET=" + std::to_string(offset)}});
  }
  std::int64_t run(const std::string& name, const std::string& limit) {
    const auto number = submit(root, job(name, limit));
    pass(), start(number);
    return number;
  }
  std::int64_t wait(const std::string& name, const std::string& limit, bool reserves = false) {
    auto request = job(name, limit);
    request.reserve = reserves;
    return submit(root, request);
  }
  Reserve asked(std::int64_t after, std::int64_t length, bool override_holds = false) const {
    return {window(now.seconds + after, length), override_holds};
  }
  /// A change of the window of reservation 1.
  AlterReservation changed(std::int64_t after, std::int64_t length) const {
    AlterReservation change{{1}, {"-a", "-d"}, {}, false};
    change.request = window(now.seconds + after, length);
    return change;
  }
  template <class Command> Price price(const Command& command) {
    pass();
    Pricing pricing(planner.state().records().copy(), root, command, now);
    EXPECT_FALSE(pricing.refusal());
    while (pricing.look()) {
    }
    return pricing.price();
  }
  std::string said(const Price& p) const {
    return std::to_string(p.later) + " later by " + std::to_string(p.later_sum.seconds) + ", " +
           std::to_string(p.earlier) + " earlier by " + std::to_string(p.earlier_sum.seconds) +
           ", idle " + std::to_string(p.idle_before) + ", displaced " +
           std::to_string(p.displaced) + ", charge " + std::to_string(p.charge);
  }
};

class Cell : public GivenAPrice {
  void TestBody() override {}
};

} // namespace

// P1
TEST_F(GivenAPrice, WhenNothingWaitsThenItCostsNobodyAnything) {
  cell(1, 1), run("R", "100");
  EXPECT_EQ(said(price(asked(200, 300))),
            "0 later by 0, 0 earlier by 0, idle 0, displaced 0, charge 300");
}

// P2
TEST_F(GivenAPrice, WhenAJobMustWaitForItsEndThenItIsLater) {
  cell(1, 1), run("R", "100");
  const auto a = wait("A", "300");
  const auto p = price(asked(200, 300));
  EXPECT_EQ(said(p), "1 later by 400, 0 earlier by 0, idle 100, displaced 200, charge 300");
  ASSERT_EQ(p.most_delayed.size(), 1u);
  EXPECT_EQ(p.most_delayed[0].number.value, a);
  EXPECT_EQ(p.most_delayed[0].name, "A");
  EXPECT_EQ(p.most_delayed[0].without, now + Duration{100});
  EXPECT_EQ(p.most_delayed[0].with, now + Duration{500});
}

// P3
TEST_F(GivenAPrice, WhenAnotherFitsBeforeItThenThatIsEarlierAndNotNetted) {
  cell(1, 1), run("R", "100");
  wait("A", "300"), wait("B", "100");
  EXPECT_EQ(said(price(asked(200, 300))),
            "1 later by 400, 1 earlier by 300, idle 0, displaced 300, charge 300");
}

// P4
TEST_F(GivenAPrice, WhenAJobWithoutALimitWaitsThenItIsLater) {
  cell(1, 1), run("R", "100");
  wait("C", "");
  EXPECT_EQ(said(price(asked(200, 300))),
            "1 later by 400, 0 earlier by 0, idle 100, displaced 300, charge 300");
}

// P5
TEST_F(GivenAPrice, WhenAHoldIsInTheWayThenItIsRefused) {
  cell(1, 1), run("R", "100");
  wait("A", "300", true);
  pass();
  EXPECT_TRUE(Pricing(planner.state().records().copy(), root, asked(200, 300), now).refusal());
}

// P6
TEST_F(GivenAPrice, WhenWhatRunsHasNoEndThenItIsRefused) {
  cell(1, 1), run("R", "");
  EXPECT_TRUE(Pricing(planner.state().records().copy(), root, asked(200, 300), now).refusal());
}

TEST_F(GivenAPrice, WhenItIsAskedThenNothingChanges) {
  cell(1, 1), run("R", "100");
  wait("A", "300");
  pass();
  const auto before = planner.digest();
  price(asked(200, 300));
  EXPECT_EQ(planner.digest(), before);
}

// B2.63: R until T+100, A behind it for 300 s; reservation 1 from T+600.
TEST_F(GivenAPrice, WhenAReservationMovesIntoTheWayThenTheOldShapeIsComparedWithTheNew) {
  cell(1, 1), run("R", "100");
  reserve(root, window(now.seconds + 600, 300));
  wait("A", "300");
  EXPECT_EQ(said(price(changed(200, 300))),
            "1 later by 400, 0 earlier by 0, idle 100, displaced 200, charge 0");
  EXPECT_EQ(said(price(changed(600, 100))),
            "0 later by 0, 0 earlier by 0, idle 0, displaced 0, charge -200");
}

// B2.63
TEST_F(GivenAPrice, WhenAReservationGivesTimeUpThenWhoWaitsBehindItIsEarlier) {
  cell(1, 1), run("R", "100");
  reserve(root, window(now.seconds + 200, 300));
  wait("A", "300");
  EXPECT_EQ(said(price(changed(200, 100))),
            "0 later by 0, 1 earlier by 200, idle 0, displaced 0, charge -200");
}

// B2.4: what runs inside is not counted, wherever it moves.
TEST_F(GivenAPrice, WhenJobsWaitInAReservationThenTheyAreNotCounted) {
  cell(1, 1), run("R", "100");
  reserve(root, window(now.seconds + 200, 300));
  auto inside = job("inside", "100");
  inside.reservation = {1};
  submit(root, inside);
  EXPECT_EQ(said(price(changed(500, 300))),
            "0 later by 0, 0 earlier by 0, idle 0, displaced 0, charge 0");
}

TEST_F(GivenAPrice, WhenAChangeIsRefusedThenItHasNoPrice) {
  cell(1, 1), run("R", "100");
  reserve(root, window(now.seconds + 200, 300));
  const auto records = planner.state().records().copy();
  const Pricing pricing(records, root, changed(50, 300), now);
  ASSERT_TRUE(pricing.refusal());
  EXPECT_TRUE(text(*pricing.refusal()).ends_with("advance reservation 1 was not changed\n"));
  EXPECT_TRUE(Pricing(records, alice, changed(200, 300), now).refusal());
}

namespace {

// When each task of those that wait begins, played by hand, a second at a time.
std::map<TaskId, Instant> played(const RecordSet& records, Instant now, Instant until,
                                 const std::optional<Reserve>& reserve) {
  auto planner = std::move(*Planner::restore(records));
  const Caller root{"root", "root", 0, 0, "master"};
  const auto handle = [&](const Input& input) {
    return planner.handle(std::get<ValidInput>(validated_input(input)), now).pass_wanted;
  };
  std::map<TaskId, Instant> starts;
  if (reserve) handle(Command{root, *reserve});
  for (; now < until; now = now + Duration{1}) {
    std::vector<Input> due;
    for (const auto& task : planner.state().tasks())
      if (task.is_active() && std::min(task.last_moment(), task.booked.end) <= now)
        due.push_back(TaskEnded{{task.job, task.number, task.attempt}, {}});
    for (const auto& reservation : planner.state().reservations())
      if (const auto next = step(reservation, now); next.opens || next.closes)
        due.push_back(ReservationDue{reservation.key});
    for (const auto& input : due) handle(input);
    for (bool again = true; again;) {
      again = handle(Pass{});
      std::vector<TaskId> sent;
      for (const auto& task : planner.state().tasks())
        if (task.state == TaskState::sent) sent.push_back(task.id());
      for (const auto& id : sent) {
        starts.emplace(id, now);
        again = handle(TaskStarted{{id.job, id.task, planner.state().task(id)->attempt}}) || again;
      }
    }
  }
  return starts;
}

} // namespace

// P7, B2.2
RC_GTEST_PROP(GivenAnyCell, WhenAReservationIsPricedThenItEqualsTheDifferenceOfTwoHistories, ()) {
  Cell cell;
  const auto number = [](int low, int high) { return *rc::gen::inRange(low, high); };
  cell.cell(number(1, 4), number(1, 4), 7 * number(0, 3));
  const int running = number(0, 5), waiting = number(0, 7);
  const auto request = [&] {
    auto one = PlannerFixture::job("j", std::to_string(number(1, 12) * 10));
    if (number(0, 3) == 0) one.pe = "fill", one.slots = {{1, number(1, 5)}};
    if (number(0, 3) == 0) one.reserve = true;
    if (number(0, 3) == 0) one.tasks = {1, number(1, 4), 1};
    return one;
  };
  for (int i = 0; i < running; ++i) cell.submit(cell.root, request());
  cell.pass();
  for (const auto& task :
       std::vector<Task>(cell.planner.state().tasks().begin(), cell.planner.state().tasks().end()))
    if (task.state == TaskState::sent)
      cell.tell(TaskStarted{{task.job, task.number, task.attempt}});
  cell.now = cell.now + Duration{number(0, 8)};
  for (int i = 0; i < waiting; ++i) cell.submit(cell.root, request());
  cell.pass();
  auto wanted = PlannerFixture::window(cell.now.seconds + number(0, 100), number(1, 100));
  if (number(0, 2) == 0) wanted = PlannerFixture::on_pe(wanted, "fill", number(1, 4));
  const Reserve command{wanted};
  const auto records = cell.planner.state().records().copy();
  Pricing pricing(records, cell.root, command, cell.now);
  if (pricing.refusal()) return;
  while (pricing.look()) {
  }
  const auto price = pricing.price();
  const auto until = cell.now + Duration{3000};
  const auto without = played(records, cell.now, until, std::nullopt);
  const auto with = played(records, cell.now, until, command);
  std::int64_t later = 0, sum = 0, most = 0, earlier = 0, earlier_sum = 0;
  for (const auto& [id, at] : without) {
    RC_ASSERT(with.contains(id));
    const auto difference = (with.at(id) - at).seconds;
    if (difference > 0) ++later, sum += difference, most = std::max(most, difference);
    if (difference < 0) ++earlier, earlier_sum -= difference;
  }
  RC_ASSERT(price.not_started == 0);
  RC_ASSERT(price.later == later);
  RC_ASSERT(price.later_sum.seconds == sum);
  RC_ASSERT(price.later_most.seconds == most);
  RC_ASSERT(price.earlier == earlier);
  RC_ASSERT(price.earlier_sum.seconds == earlier_sum);
}
