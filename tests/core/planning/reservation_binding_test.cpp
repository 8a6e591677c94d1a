// qalter -ar: a waiting job comes into a reservation, into another one, or out of it
// (spec/reservations.md R11.5, R11.6).
#include "planner_fixture.hpp"

using namespace almanac;

namespace {

class GivenAJobThatWaits : public PlannerFixture {
public:
  Answer bind(const Caller& caller, std::int64_t number, std::int64_t ar) {
    JobRequest change;
    change.reservation = {ar};
    return command(caller, AlterJobs{{std::to_string(number)}, {}, {"-ar"}, change});
  }
  std::int64_t waiting(const Caller& caller, JobRequest request) {
    request.held_by_user = true;
    return submit(caller, request);
  }
  std::int64_t reservation_of(std::int64_t number) const {
    return find(number)->request->reservation.value;
  }
};

} // namespace

TEST_F(GivenAJobThatWaits, WhenItIsBoundThenItRunsInTheReservationAndGoesWithIt) {
  hosts(1, 2);
  const auto ar = reserve(root, window(now.seconds + 10, 1000));
  const auto number = submit(root, job("waits"));
  EXPECT_EQ(text(bind(root, number, ar)), "modified advance reservation of job 1\n");
  pass();
  EXPECT_FALSE(is_active(number)) << "the reservation has not begun, whatever is free";
  now = now + Duration{10};
  due(ar), pass();
  ASSERT_TRUE(is_active(number));
  start(number);
  now = now + Duration{1000};
  due(ar);
  EXPECT_EQ(letter(ar), 'x') << "its job is ended with it";
  end(number);
  EXPECT_EQ(letter(ar), '-');
}

TEST_F(GivenAJobThatWaits, WhenItIsReboundOrUnboundThenTheFirstReservationForgetsIt) {
  hosts(1, 4);
  const auto first = reserve(root, window(now.seconds, 1000));
  const auto second = reserve(root, window(now.seconds, 1000));
  auto request = job("inside");
  request.reservation = {first};
  const auto rebound = waiting(root, request), unbound = waiting(root, request);
  EXPECT_EQ(bind(root, rebound, second).exit_code, 0);
  EXPECT_EQ(bind(root, unbound, 0).exit_code, 0);
  command(root, DeleteReservations{{std::to_string(first)}, {}, false});
  ASSERT_TRUE(find(rebound));
  ASSERT_TRUE(find(unbound));
  EXPECT_EQ(reservation_of(rebound), second);
  EXPECT_EQ(reservation_of(unbound), 0);
  EXPECT_FALSE(find(unbound)->reservation_key);
  command(root, DeleteReservations{{std::to_string(second)}, {}, false});
  EXPECT_FALSE(find(rebound));
}

// J2 to J6, whatever -w says (W5, W6, W7).
TEST_F(GivenAJobThatWaits, WhenTheReservationCantServeItThenItStaysAsItIs) {
  hosts(2, 2);
  auto small = on_pe(window(now.seconds + 100, 600), "fill", 2);
  small.queues = {"*@h1"};
  const auto ar = reserve(root, small);
  const auto refuses = [&](JobRequest request, const std::string& why) {
    request.validation = Validation::none;
    const auto number = waiting(root, std::move(request));
    const auto answer = bind(root, number, ar);
    EXPECT_EQ(answer.exit_code, 1);
    EXPECT_TRUE(says(answer, why)) << text(answer);
    EXPECT_EQ(reservation_of(number), 0);
  };
  refuses(job("long", "541"), "(00:09:01 requested, 00:10:00 reserved less 60 s)");
  auto request = job("late", "500");
  request.execution_time = now + Duration{141};
  refuses(request, "exceeds the end time");
  request = job("past");
  request.execution_time = now + Duration{700};
  refuses(request, "exceeds the end time");
  request = job("pressing");
  request.deadline = now + Duration{40};
  refuses(request, "the deadline lies 00:01:00 before the start");
  request = job("elsewhere");
  request.queues = {"*@h2"};
  refuses(request, "because it was not reserved");
  request = job("wide");
  request.pe = "fill", request.slots = {{3, 3}};
  refuses(request, "PE \"fill\" because it only offers 2 slots");
  request.pe = "mpi", request.slots = {{2, 2}};
  refuses(request, "was granted with PE \"fill\"");
  EXPECT_EQ(bind(root, waiting(root, job("fits", "540")), ar).exit_code, 0);
}

TEST_F(GivenAJobThatWaits, WhenTheReservationIsNotThereOrNotForItsOwnerThenItStaysAsItIs) {
  hosts(1, 2);
  const auto ar = reserve(root, window(now.seconds, 1000));
  const auto hers = waiting(alice, job("hers"));
  EXPECT_TRUE(says(bind(alice, hers, 77), "the advance reservation id 77 is invalid"));
  // The owner of the job counts, not who binds it.
  EXPECT_TRUE(says(bind(root, hers, ar), "user \"alice\" is not admitted"));
  EXPECT_EQ(reservation_of(hers), 0);
  auto shared = window(now.seconds, 1000);
  shared.users = {"alice"};
  const auto for_her = reserve(root, shared);
  EXPECT_TRUE(says(bind(bob, hers, for_her), "bob"));
  EXPECT_EQ(bind(root, hers, for_her).exit_code, 0);
  const auto inside = waiting(alice, job("other"));
  EXPECT_EQ(bind(alice, inside, for_her).exit_code, 0);
  command(root, DeleteReservations{{std::to_string(ar)}, {}, false});
  EXPECT_TRUE(says(bind(root, waiting(root, job("late")), ar), "is invalid"));
}

// R11.5: also for the number that it has.
TEST_F(GivenAJobThatWaits, WhenItIsBoundToItsOwnReservationThenAllChecksAreMadeAgain) {
  hosts(1, 2);
  auto shared = window(now.seconds + 100, 1000);
  shared.users = {"root", "alice"};
  const auto ar = reserve(root, shared);
  const auto hers = waiting(alice, job("hers", "600"));
  EXPECT_EQ(bind(alice, hers, ar).exit_code, 0);
  EXPECT_EQ(text(bind(alice, hers, ar)), "modified advance reservation of job 1\n");
  AlterReservation change;
  change.number = {ar}, change.force = true;
  change.options = {"-d"}, change.request.duration = {500}, change.request.has_duration = true;
  ASSERT_EQ(command(root, change).exit_code, 0);
  EXPECT_TRUE(says(bind(alice, hers, ar), "(00:10:00 requested, 00:08:20 reserved less 60 s)"));
  change.options = {"-u"}, change.request.users = {"root"};
  ASSERT_EQ(command(root, change).exit_code, 0);
  EXPECT_TRUE(says(bind(alice, hers, ar), "user \"alice\" is not admitted"));
  EXPECT_EQ(reservation_of(hers), ar);
}

TEST_F(GivenAJobThatWaits, WhenATaskOfItRunsThenItCantBeBound) {
  hosts(1, 2);
  const auto ar = reserve(root, window(now.seconds + 1000, 1000));
  auto array = job("array", "100");
  array.tasks = {1, 5, 1};
  const auto number = submit(root, array);
  pass();
  ASSERT_TRUE(is_active(number));
  EXPECT_EQ(text(bind(root, number, ar)),
            "denied: option -ar of running job 1 cannot be changed\n");
  EXPECT_EQ(reservation_of(number), 0);
}

TEST_F(GivenAJobThatWaits, WhenItIsBoundThenItsHoldGoes) {
  hosts(1, 4);
  command(root, Configure{{ChangeVerb::modify,
                           {ObjectKind::scheduler_configuration,
                            "",
                            {{"max_reservation", "10"}, {"default_duration", "1:0:0"}}},
                           {}}});
  submit(root, job("runs", "100"));
  pass();
  auto request = job("held", "100");
  request.pe = "fill", request.slots = {{4, 4}}, request.reserve = true;
  const auto held = submit(root, request);
  pass();
  ASSERT_EQ(find(held)->holds.size(), 1u);
  const auto ar = reserve(root, on_pe(window(now.seconds + 10000, 1000), "fill", 4));
  EXPECT_EQ(bind(root, held, ar).exit_code, 0);
  EXPECT_TRUE(find(held)->holds.empty());
  pass();
  EXPECT_TRUE(find(held)->holds.empty()) << "a job of a reservation holds nothing (R11.18)";
  EXPECT_EQ(bind(root, held, 0).exit_code, 0);
  pass();
  EXPECT_EQ(find(held)->holds.size(), 1u);
}

// R7.12, R11.7
TEST_F(GivenAJobThatWaits, WhenItsQueueIsNamedRThenThatIsTheReservation) {
  hosts(1, 2);
  const auto ar = reserve(root, window(now.seconds, 1000));
  auto request = job("waits");
  request.queues = {"all.q"};
  const auto number = waiting(root, request);
  JobRequest change;
  change.queues = {"R" + std::to_string(ar)};
  EXPECT_EQ(text(command(root, AlterJobs{{std::to_string(number)}, {}, {"-q"}, change})),
            "modified advance reservation of job 1\n");
  EXPECT_EQ(reservation_of(number), ar);
  EXPECT_EQ(find(number)->request->queues, std::vector<std::string>{"all.q"});
  change.queues = {"R77"};
  EXPECT_EQ(command(root, AlterJobs{{std::to_string(number)}, {}, {"-q"}, change}).exit_code, 1);
}
