// Reservations that use room of others in random worlds (spec/metascheduler.md M4.11): nothing is above
// what there is at any time, and jobs in lenders and borrowers never use the same slot.
#include "lending_fixture.hpp"
#include "watched_cell.hpp"

#include <rapidcheck/gtest.h>

#include <utility>

using namespace almanac;

namespace {

class Cell : public WatchedCell<LendingFixture> {
public:
  /// Slots of all tasks on each queue instance are there.
  bool are_slots_used_once() const {
    const auto& state = planner.state();
    for (const auto& instance : state.configuration().instances()) {
      std::int64_t used = 0;
      for (const auto& task : state.tasks())
        for (const auto& grant : task.grants)
          if (grant.instance == instance.name) used += grant.slots;
      if (used > instance.settings.slots) return false;
    }
    return true;
  }
  void end_told() {
    std::vector<Attempt> ending;
    for (const auto& task : planner.state().tasks())
      if (task.deleting) ending.push_back({task.job, task.number, task.attempt});
    ExitRecord record;
    record.failed = failed::killed;
    for (const auto& attempt : ending) tell(TaskEnded{attempt, record});
  }
  /// Time goes on. What ends by its limit has ended by then.
  void time_passes(std::int64_t seconds) {
    end_told();
    now = now + Duration{seconds};
    std::vector<Attempt> over;
    for (const auto& task : planner.state().tasks())
      if (task.is_active() && task.last_moment() <= now)
        over.push_back({task.job, task.number, task.attempt});
    for (const auto& attempt : over) tell(TaskEnded{attempt, {}});
    std::vector<ReservationKey> keys;
    for (const auto& one : planner.state().reservations()) keys.push_back(one.key);
    for (const auto key : keys) tell(ReservationDue{key});
    end_told();
  }
};

// What chance does to a cell.
class Chance {
public:
  explicit Chance(Cell& cell) : cell_(cell) {}

  void act() {
    switch (*rc::gen::inRange(0, 10)) {
    case 0: return note(cell_.command(cell_.root, Reserve{request()}));
    case 1:
    case 2:
    case 3: return borrow();
    case 4: return settle();
    case 5: return remove();
    case 6: return alter();
    case 7:
    case 8: return submit();
    default: return cell_.time_passes(30);
    }
  }

private:
  ReservationRequest request() const {
    const auto window = PlannerFixture::window(cell_.now.seconds + *rc::gen::inRange(0, 5) * 30,
                                               30 * *rc::gen::inRange(1, 6));
    return PlannerFixture::on_pe(window, "fill", *rc::gen::inRange(1, 9));
  }
  std::int64_t any() const {
    return numbers_.empty() ? 1 : numbers_[*rc::gen::inRange<std::size_t>(0, numbers_.size())];
  }
  void note(const Answer& answer) {
    if (answer.exit_code == 0 && answer.number > 0) numbers_.push_back(answer.number);
  }
  void borrow() {
    auto wanted = LendingFixture::using_room_of(request(), {{any()}, {any()}});
    if (*rc::gen::inRange(0, 3) == 0) {
      wanted.prepare.hold_for = {45};
      wanted.prepare.transaction = "t" + std::to_string(++transactions_);
    }
    note(cell_.command(cell_.root, wanted));
  }
  void settle() {
    cell_.command(cell_.root, SettleReservation{"", {any()}, *rc::gen::inRange(0, 2) > 0});
  }
  // Jobs in one that is canceled go on, and others may have been granted what they have later on: only
  // empty ones are canceled.
  void remove() {
    const auto number = any();
    const bool is_there = cell_.planner.state().reservation_by_number({number});
    if (*rc::gen::inRange(0, 2) > 0 || !is_there || cell_.used_in(number) > 0) {
      DeleteReservations removed;
      removed.targets = {std::to_string(number)};
      cell_.command(cell_.root, removed);
    } else {
      PrepareReservation cancel;
      cancel.transaction = "c" + std::to_string(++transactions_);
      cancel.number = {number}, cancel.verb = ReservationVerb::cancel;
      cell_.command(cell_.root, cancel);
    }
    cell_.end_told();
  }
  void alter() {
    AlterReservation change;
    change.number = {any()};
    change.force = *rc::gen::inRange(0, 2) > 0;
    if (*rc::gen::inRange(0, 2) > 0) {
      change.options = {"-e"};
      change.request.end = cell_.now + Duration{30 * *rc::gen::inRange(1, 8)};
    } else {
      change.options = {"-pe"};
      change.request = PlannerFixture::on_pe({}, "fill", *rc::gen::inRange(1, 9));
    }
    cell_.command(cell_.root, change);
    cell_.end_told();
  }
  void submit() {
    auto request = PlannerFixture::job("job", *rc::gen::element<std::string>("", "20", "40"));
    if (*rc::gen::inRange(0, 4) > 0) request.reservation = {any()};
    if (*rc::gen::inRange(0, 3) == 0)
      request.pe = "fill", request.slots = {{1, *rc::gen::inRange(1, 4)}};
    cell_.command(cell_.root, Submit{request, "hash"});
  }

  Cell& cell_;
  std::vector<std::int64_t> numbers_;
  int transactions_ = 0;
};

} // namespace

RC_GTEST_PROP(GivenAnyReservationsThatLend, WhenTheyComeAndChangeAndEndThenNothingIsUsedTwice, ()) {
  Cell cell;
  const auto count = *rc::gen::inRange(1, 5);
  cell.hosts(count, *rc::gen::inRange(1, 5));
  cell.scheduler({{"params", "DURATION_OFFSET=0"}});
  cell.watch();
  Chance chance(cell);
  for (int i = *rc::gen::inRange(5, 40); i > 0; --i) {
    chance.act();
    cell.pass();
    RC_ASSERT(cell.broken() == "");
    RC_ASSERT(cell.are_slots_used_once());
    RC_ASSERT(cell.is_within_capacity());
    RC_ASSERT(cell.books_agree());
  }
  const auto restored = State::restore(cell.planner.state().records().copy());
  RC_ASSERT(restored->digest() == cell.planner.state().digest());
}
