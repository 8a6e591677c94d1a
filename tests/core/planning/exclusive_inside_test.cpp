// A reservation of an exclusive resource, and jobs in it that ask for it or do not
// (spec/reservations.md I2 and section 11.2, spec/scheduling.md section 9).
#include "core/monitor/monitor.hpp"
#include "core/planning/tasks_inside.hpp"
#include "matching_fixture.hpp"

using namespace almanac;

namespace {

// Host h1 with four slots in each of two queues. Reservation 1 has the host alone for 600 seconds from
// now on, and all its slots.
class GivenAnExclusiveReservation : public MatchingFixture {
public:
  void SetUp() override {
    hosts(1, 4);
    scheduler({{"params", "DURATION_OFFSET=0"}});
    queue("other.q", {{"hostlist", "@allhosts"}, {"slots", "4"}, {"pe_list", "fill"}});
    complex("exclusive", "excl BOOL EXCL YES YES 0 0");
    offer("h1", "exclusive=TRUE");
    auto request = on_pe(window(now.seconds, 600), "fill", 8);
    request.resources = {{"exclusive", "TRUE"}};
    reserve(root, std::move(request));
  }

  std::int64_t inside(JobRequest request) {
    request.reservation = {1};
    const auto number = submit(root, std::move(request));
    pass();
    return number;
  }
  std::int64_t runs(JobRequest request) {
    const auto number = inside(std::move(request));
    EXPECT_TRUE(is_active(number));
    start(number);
    return number;
  }
  static JobRequest alone() { return asking({{"exclusive", "TRUE"}}); }

  Answer lasts(std::int64_t seconds) {
    AlterReservation command{{1}, {"-d"}, {}, false};
    command.request.duration = {seconds}, command.request.has_duration = true;
    return this->command(root, std::move(command));
  }
  Answer has(std::int64_t slots) {
    AlterReservation command{{1}, {"-pe"}, {}, false};
    command.request.pe = "fill", command.request.slots = {{slots, slots}};
    return this->command(root, std::move(command));
  }
  void nothing_is_broken() const {
    Monitor monitor(state().records());
    monitor.rebuild(state().records());
    monitor.changed(&reservation(), &reservation());
    monitor.settle();
    EXPECT_FALSE(monitor.violation()) << monitor.violation()->text();
  }
};

} // namespace

// R11.13, B12.21: what they do not share with others they may share.
TEST_F(GivenAnExclusiveReservation, WhenJobsInItDoNotAskForItThenItIsChangedAsAnyOther) {
  runs(parallel("fill", 2)), runs(job("beside"));
  nothing_is_broken();
  for (const auto& changed : {lasts(700), has(6)}) EXPECT_EQ(changed.exit_code, 0) << text(changed);
  EXPECT_EQ(reservation().shape.slots(), 6);
  nothing_is_broken();
  EXPECT_EQ(has(2).exit_code, 1) << "their slots they keep";
}

// R11.13, B12.21
TEST_F(GivenAnExclusiveReservation, WhenAJobInItAsksForItThenItKeepsIt) {
  runs(alone());
  nothing_is_broken();
  EXPECT_EQ(lasts(700).exit_code, 0);
  AlterReservation shared{{1}, {"-l"}, {}, false};
  const auto answer = command(root, std::move(shared));
  EXPECT_EQ(answer.exit_code, 1);
  EXPECT_NE(text(answer).find("holds exclusive of host:h1"), std::string::npos) << text(answer);
}

// R11.13: as outside, in either order.
TEST_F(GivenAnExclusiveReservation, WhenAJobInItWantsToBeAloneThenItWaitsForTheOthers) {
  const auto beside = runs(job("beside")), another = runs(job("another"));
  const auto alone = inside(this->alone());
  EXPECT_FALSE(is_active(alone));
  const auto why = text(planner.ask(ExplainJob{alone}, now));
  EXPECT_NE(why.find("exclusive=FALSE (taken by job "), std::string::npos) << why;
  end(beside), pass();
  EXPECT_FALSE(is_active(alone));
  end(another), pass();
  EXPECT_TRUE(is_active(alone));
  const auto next = inside(job("next"));
  EXPECT_FALSE(is_active(next));
  end(alone), pass();
  EXPECT_TRUE(is_active(next));
}

// One instance of the host is lost, and the host stays reserved by the other one.
TEST_F(GivenAnExclusiveReservation, WhenAJobIsLeftBehindOnItsHostThenNoSecondUseOfThatIsBooked) {
  auto request = parallel("fill", 4);
  request.queues = {"other.q"};
  runs(request);
  auto next = reservation().shape;
  std::erase_if(next.grants, [](auto& grant) { return grant.instance.queue == "other.q"; });
  std::erase_if(next.bookings, [](auto& booking) {
    return booking.container == Container::queue({"other.q", "h1"});
  });
  const auto left = rules::left_behind(state(), reservation(), next);
  ASSERT_EQ(left.size(), 1U);
  EXPECT_EQ(left.front().slots, 4);
  for (const auto& booking : left.front().bookings)
    EXPECT_EQ(booking.resource.text(), "slots") << booking.container.text();
}
