// Reservations in two phases in random worlds (spec/plus.md section 4, rule 6; P4.13): what is prepared
// is committed whenever that is asked for in time, and nobody is given what it holds (invariant 34).
#include "preempting_fixture.hpp"
#include "watched_cell.hpp"

#include <rapidcheck/gtest.h>

using namespace almanac;

namespace {

class Cell : public WatchedCell<PreemptingFixture> {
public:
  static std::int64_t any(std::int64_t most) { return *rc::gen::inRange<std::int64_t>(0, most); }
  ReservationNumber any_number() const {
    if (numbers_.empty()) return {};
    return {numbers_[static_cast<std::size_t>(any(static_cast<std::int64_t>(numbers_.size())))]};
  }

  void prepare_new() {
    PrepareReservation one;
    auto& request = one.request;
    if (any(2) == 0) {
      request.nodes = 1 + any(3), request.node_slots = any(3);
      request.whole_nodes = request.node_slots == 0;
    } else request.pe = "fill", request.slots = {{1, 1 + any(8)}};
    request.start = now + Duration{30 * any(5)},
    request.end = request.start + Duration{30 + any(200)};
    if (any(4) == 0) request.room_of = {any_number()};
    request.preempts = request.room_of.empty() && any(2) == 0;
    if (!request.room_of.empty() && !request.room_of.front()) request.room_of.clear();
    if (any(6) == 0 && request.room_of.empty()) request.spare = 1;
    if (const auto answer = prepare_one(std::move(one)); answer.exit_code == 0)
      numbers_.push_back(answer.number);
  }
  void prepare_change() {
    PrepareReservation change;
    change.number = any_number();
    if (!change.number) return;
    if (any(4) == 0) change.verb = any(2) == 0 ? ReservationVerb::cancel : ReservationVerb::destroy;
    else {
      if (any(2) == 0) change.request.nodes = 1 + any(4);
      if (any(2) == 0) change.request.has_duration = true, change.request.duration = {1 + any(300)};
    }
    prepare_one(std::move(change));
  }
  /// It is not refused where it comes in time; twice is as good as once.
  void settle() {
    const SettleReservation end{"", any_number(), any(4) != 0};
    const auto* held = planner.state().reservation_by_number(end.number);
    const bool is_due = end.commit && held && !held->proposed.empty() && lapses_at(*held) > now;
    const auto answer = command(root, end);
    if (!is_due) return;
    RC_ASSERT(answer.exit_code == 0);
    RC_ASSERT(command(root, end).exit_code == 0);
  }
  void submit_any() {
    auto request = on("", 1 + any(4), *rc::gen::element<std::string>("", "40", "300"),
                      *rc::gen::element(Rerun::as_queue, Rerun::yes, Rerun::no));
    request.reserve = any(2) == 0;
    if (any(3) == 0) request.pe = "fill", request.slots = {{1, 1 + any(6)}};
    if (any(3) == 0) request.reservation = any_number();
    command(root, Submit{request, "hash"});
  }
  /// Some tasks end when they should, and some stay longer than they may.
  void time_passes() {
    now = now + Duration{any(90)};
    std::vector<Attempt> over;
    for (const auto& task : planner.state().tasks())
      if (task.is_active() && (task.deleting || task.last_moment() <= now) && any(4) != 0)
        over.push_back({task.job, task.number, task.attempt});
    for (const auto& attempt : over) tell(TaskEnded{attempt, {}});
    std::vector<ReservationKey> keys;
    for (const auto& one : planner.state().reservations()) keys.push_back(one.key);
    for (const auto key : keys) tell(ReservationDue{key});
  }
  void host_goes_or_comes() {
    if (planner.state().host("h1").phase == HostPhase::unknown) come_back("h1");
    else lose("h1");
  }

private:
  Answer prepare_one(PrepareReservation one) {
    one.transaction = "t" + std::to_string(++made_);
    one.hold_for = {any(4) == 0 ? 0 : 1 + any(90)};
    return command(root, one);
  }

  std::vector<std::int64_t> numbers_;
  int made_ = 0;
};

} // namespace

RC_GTEST_PROP(GivenAnyReservationsInTwoPhases, WhenOthersComeAndGoThenNobodyIsGivenWhatTheyHold,
              ()) {
  Cell cell;
  cell.hosts(static_cast<int>(1 + Cell::any(4)), 1 + Cell::any(4));
  cell.params(*rc::gen::element<std::string>("", "PLUS_FILL=false", "PLUS_NORERUN=refuse"));
  cell.watch();
  for (auto i = 5 + Cell::any(50); i > 0; --i) {
    switch (Cell::any(9)) {
    case 0:
    case 1: cell.prepare_new(); break;
    case 2: cell.prepare_change(); break;
    case 3: cell.settle(); break;
    case 4:
    case 5:
    case 6: cell.submit_any(); break;
    case 7: cell.host_goes_or_comes(); break;
    default: cell.time_passes();
    }
    cell.pass();
    RC_ASSERT(cell.broken() == "");
  }
}
