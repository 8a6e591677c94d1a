// Reservations that preempt in random worlds (spec/plus.md P5.9 to P5.12): nothing is above what there
// is, and nobody of a reservation starts before the last of the others has ended.
#include "preempting_fixture.hpp"
#include "watched_cell.hpp"

#include <rapidcheck/gtest.h>

using namespace almanac;

namespace {

class Cell : public WatchedCell<PreemptingFixture> {
public:
  /// Slots of tasks on each queue instance, and of reservations in force, are there.
  bool is_kept() const {
    const auto& state = planner.state();
    for (const auto& instance : state.configuration().instances()) {
      std::int64_t outside = 0, inside = 0, promised = 0;
      for (const auto& task : state.tasks())
        for (const auto& grant : task.grants)
          if (grant.instance == instance.name) (is_inside(task) ? inside : outside) += grant.slots;
      for (const auto& one : state.reservations())
        if (one.phase == ReservationPhase::running) promised += one.shape.slots_on(instance.name);
      if (outside + inside > instance.settings.slots || inside > promised ||
          outside + promised > instance.settings.slots)
        return false;
    }
    return true;
  }
  /// Slots of reservations at any time.
  bool is_promised_within_capacity() const {
    for (const auto& instance : planner.state().configuration().instances())
      if (planner.state().promised_ledger().used(Container::queue(instance.name), "slots",
                                                 {now, Instant::never()}) > instance.settings.slots)
        return false;
    return true;
  }
  void end_told(std::size_t most) {
    std::vector<Attempt> ending;
    for (const auto& task : planner.state().tasks())
      if (task.deleting && ending.size() < most)
        ending.push_back({task.job, task.number, task.attempt});
    ExitRecord record;
    record.failed = failed::killed;
    for (const auto& attempt : ending) tell(TaskEnded{attempt, record});
  }
  /// Time goes on. What ends by its limit has ended by then, and who gives way ends in time.
  void time_passes(std::int64_t seconds) {
    end_told(1000);
    now = now + Duration{seconds};
    std::vector<Attempt> over;
    for (const auto& task : planner.state().tasks())
      if (task.is_active() && task.last_moment() <= now)
        over.push_back({task.job, task.number, task.attempt});
    for (const auto& attempt : over) tell(TaskEnded{attempt, {}});
    std::vector<ReservationKey> keys;
    for (const auto& one : planner.state().reservations()) keys.push_back(one.key);
    for (const auto key : keys) tell(ReservationDue{key});
  }

private:
  bool is_inside(const Task& task) const {
    const auto& state = planner.state();
    const auto* reservation = state.reservation(state.job(task.job)->reservation_key);
    return reservation && reservation->phase == ReservationPhase::running;
  }
};

} // namespace

RC_GTEST_PROP(GivenAnyReservationsThatPreempt, WhenJobsComeAndGoThenNothingIsAboveWhatThereIs, ()) {
  Cell cell;
  const auto count = *rc::gen::inRange(1, 5);
  cell.hosts(count, *rc::gen::inRange(1, 5));
  cell.params(*rc::gen::element<std::string>("", "PLUS_FILL=false", "PLUS_NORERUN=kill",
                                             "PLUS_NORERUN=refuse"));
  cell.watch();
  std::vector<std::int64_t> numbers;
  const auto any_window = [&] {
    return PlannerFixture::window(cell.now.seconds + *rc::gen::inRange(0, 5) * 30,
                                  30 * *rc::gen::inRange(1, 6));
  };
  const auto ask_for = [&](bool preempts) {
    auto request = PlannerFixture::on_pe(any_window(), "fill", *rc::gen::inRange(1, 9));
    request.preempts = preempts;
    return request;
  };
  const auto submit = [&] {
    auto request = PreemptingFixture::on("", *rc::gen::inRange(1, 4),
                                         *rc::gen::element<std::string>("", "40", "300"),
                                         *rc::gen::element(Rerun::as_queue, Rerun::yes, Rerun::no));
    request.reserve = *rc::gen::inRange(0, 3) > 0;
    if (*rc::gen::inRange(0, 3) == 0) request.pe = "fill";
    if (!numbers.empty() && *rc::gen::inRange(0, 3) == 0)
      request.reservation = {numbers[*rc::gen::inRange<std::size_t>(0, numbers.size())]};
    cell.command(cell.root, Submit{request, "hash"});
  };
  for (int i = *rc::gen::inRange(5, 40); i > 0; --i) {
    switch (*rc::gen::inRange(0, 8)) {
    case 0:
    case 1:
      if (const auto answer =
              cell.command(cell.root, Reserve{ask_for(*rc::gen::inRange(0, 3) > 0)});
          answer.number > 0)
        numbers.push_back(answer.number);
      break;
    case 2:
    case 3:
    case 4: submit(); break;
    case 5: cell.end_told(*rc::gen::inRange<std::size_t>(1, 4)); break;
    case 6:
      if (!numbers.empty()) {
        DeleteReservations removed;
        removed.targets = {
            std::to_string(numbers[*rc::gen::inRange<std::size_t>(0, numbers.size())])};
        cell.command(cell.root, removed);
        cell.end_told(1000);
      }
      break;
    default: cell.time_passes(30);
    }
    cell.pass();
    RC_ASSERT(cell.broken() == "");
    RC_ASSERT(cell.is_kept());
    RC_ASSERT(cell.is_promised_within_capacity());
  }
  RC_ASSERT(cell.planner.state().records().followers_agree());
  const auto restored = State::restore(cell.planner.state().records().copy());
  RC_ASSERT(restored->digest() == cell.planner.state().digest());
}
