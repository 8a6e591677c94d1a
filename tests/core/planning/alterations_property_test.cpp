// Whatever is changed of reservations by qralter: nothing is booked twice, what jobs in them hold
// stays, what is refused leaves nothing, and the books are what the records say.
#include "chance.hpp"
#include "planner_fixture.hpp"

#include <rapidcheck/gtest.h>

using namespace almanac;

namespace {

std::int64_t up_to(std::int64_t most) { return *rc::gen::inRange<std::int64_t>(1, most + 1); }

// Three hosts of three slots. All jobs have limits, and end by them.
struct World {
  Planner planner{*Planner::restore(Planner::initial_records("root", "master"))};
  Instant now{100'000};
  int accepted = 0, refused = 0;

  World() {
    for (const char* host : {"h1", "h2", "h3"}) {
      command(AddHost{host, 3});
      tell(HostRegistered{host, {"lx", 4, 1, "b", "s", "a"}});
    }
    command(Configure{{ChangeVerb::modify,
                       {ObjectKind::scheduler_configuration, "", {{"params", "DURATION_OFFSET=0"}}},
                       {}}});
    command(
        Configure{{ChangeVerb::modify,
                   {ObjectKind::parallel_environment, "mpi", {{"allocation_rule", "$round_robin"}}},
                   {}}});
  }
  const State& state() const { return planner.state(); }
  void tell(const Input& input) {
    planner.handle(std::get<ValidInput>(validated_input(input)), now);
  }
  Answer command(CommandBody body) {
    const auto checked = validated(Command{{"root", "root", 0, 0, "master"}, std::move(body)});
    if (const auto* why = std::get_if<Answer>(&checked)) return *why;
    return *planner.handle(std::get<0>(checked), now).answer;
  }
};

std::int64_t any_reservation(const World& world) {
  std::vector<std::int64_t> numbers{0};
  for (const auto& one : world.state().reservations())
    if (one.is_granted()) numbers.push_back(one.number.value);
  return *rc::gen::elementOf(numbers);
}

ReservationRequest any_request(const World& world) {
  ReservationRequest request;
  request.duration = {up_to(300)}, request.has_duration = true;
  request.start = world.now + Duration{up_to(200) - 1};
  request.pe = one_in(3) ? "mpi" : one_in(4) ? "smp" : "fill", request.slots = {{1, up_to(6)}};
  if (one_in(2)) request.slots.front().low = request.slots.front().high;
  if (one_in(4)) request.queues = {"all.q@h" + std::to_string(up_to(3)), "all.q@h1"};
  if (one_in(4)) request.users = {one_in(2) ? "root" : "alice"};
  return request;
}

void submit(World& world, std::int64_t reservation) {
  JobRequest job;
  job.name = "j", job.reservation = {reservation};
  job.resources = {{"h_rt", std::to_string(up_to(120))}};
  if (one_in(3)) job.pe = one_in(2) ? "fill" : "mpi", job.slots = {{1, up_to(3)}};
  if (one_in(4)) job.tasks = {1, 3, 1};
  world.command(Submit{job, "h"});
}

void alter(World& world) {
  AlterReservation change;
  change.number = {any_reservation(world)};
  for (const char* option : {"-a", "-d", "-pe", "-q", "-u", "-N"})
    if (one_in(3)) change.options.emplace_back(option);
  change.request = any_request(world), change.request.name = "n", change.force = one_in(2);
  if (one_in(8)) change.request.start = {}, change.request.asap = true;
  const auto digest = world.planner.digest();
  const auto answer = world.command(change);
  RC_ASSERT(answer.exit_code == 0 || world.planner.digest() == digest);
  (answer.exit_code == 0 ? world.accepted : world.refused) += 1;
}

void go_on(World& world) {
  world.now = world.now + Duration{up_to(30) - 1};
  std::vector<Attempt> over;
  for (const auto& task : world.state().tasks())
    if (task.is_active() && task.last_moment() <= world.now)
      over.push_back({task.job, task.number, task.attempt});
  for (const auto& attempt : over) {
    world.tell(TaskOverdue{attempt});
    world.tell(TaskEnded{attempt, {}});
  }
  std::vector<ReservationKey> keys;
  for (const auto& reservation : world.state().reservations()) keys.push_back(reservation.key);
  for (const auto key : keys) world.tell(ReservationDue{key});
  world.tell(Pass{});
}

// Invariants I1 and I2 of spec/reservations.md section 1.
void check_amounts(const World& world) {
  for (const auto& instance : world.state().configuration().instances()) {
    const auto used = world.state().ledger().used(Container::queue(instance.name), "slots",
                                                  {world.now, Instant::never()});
    RC_ASSERT(used <= instance.settings.slots);
  }
  for (const auto& reservation : world.state().reservations()) {
    auto left = amounts_of(reservation.shape.bookings);
    for (const auto& behind : reservation.left_behind)
      for (const auto& [container, resource, amount] : behind.bookings)
        left[{container, resource}] += amount;
    for (const auto key : world.state().occupancy().jobs_of.of(reservation.key))
      for (const auto& task : world.state().tasks_of(key)) {
        for (const auto& [container, resource, amount] : task.bookings)
          RC_ASSERT((left[{container, resource}] -= amount) >= 0);
        if (task.is_active() && !task.deleting && reservation.is_granted())
          RC_ASSERT(task.last_moment() <= reservation.shape.window.end);
      }
  }
}

} // namespace

// B12.12, B12.21, B12.34, beyond Q7: what is decided is one input, so that a crash leaves one of both
RC_GTEST_PROP(GivenReservationsAndJobs, WhenTheyAreAlteredThenNothingIsBookedTwice, ()) {
  World world;
  const auto steps = *rc::gen::inRange(1, 60);
  for (int i = 0; i < steps; ++i) {
    switch (*rc::gen::inRange(0, 8)) {
    case 0:
    case 1: world.command(Reserve{any_request(world)}); break;
    case 2: submit(world, 0); break;
    case 3:
    case 4: submit(world, any_reservation(world)); break;
    default: alter(world);
    }
    check_amounts(world);
    go_on(world);
    check_amounts(world);
  }
  RC_ASSERT(world.state().records().followers_agree());
  const auto restored = Planner::restore(world.state().records().copy());
  RC_ASSERT(restored.ok());
  RC_ASSERT(restored->digest() == world.planner.digest());
}
