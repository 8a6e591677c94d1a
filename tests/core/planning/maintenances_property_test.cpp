// What holds of maintenances, whatever happens beside them (spec/beyond.md section 6).
#include "maintenance_fixture.hpp"

#include <rapidcheck/gtest.h>

using namespace almanac;

namespace {

/// Jobs, reservations and maintenances in any order, on a clock that goes on.
class AnyMaintenances : public MaintenanceFixture {
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
