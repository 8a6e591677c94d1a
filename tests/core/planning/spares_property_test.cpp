// Reservations with spare hosts in random worlds (spec/beyond.md H9, B1.10, B1.2, B1.104, B1.105).
#include "planner_fixture.hpp"

#include <rapidcheck/gtest.h>

#include <set>

using namespace almanac;

namespace {

class GivenSpareHosts : public PlannerFixture {
public:
  const Reservation& ar(std::int64_t number) const {
    return *planner.state().reservation_by_number({number});
  }
  void silence(const std::string& host) { tell(HostSilent{host, true}); }
  void come_back(const std::string& host) {
    tell(HostRegistered{host, {"lx-amd64", 4, 8LL << 30, "boot", "spool", "127.0.0.1:1"}});
    pass();
  }
  std::vector<std::string> hosts_of(std::int64_t number) const {
    std::set<std::string> names;
    for (const auto& grant : ar(number).shape.grants) names.insert(grant.instance.host);
    return {names.begin(), names.end()};
  }
  /// Of spare hosts and rerunnable jobs there the larger counts.
  bool is_within_capacity() const {
    for (const auto& instance : planner.state().configuration().instances())
      if (planner.state().ledger().used(Container::queue(instance.name), "slots",
                                        {now, Instant::never()}) > instance.settings.slots)
        return false;
    return true;
  }
  /// All of it is there, on hosts that are.
  bool is_whole(std::int64_t number, const std::set<std::string>& lost) const {
    const auto& one = ar(number);
    if (!one.bad.empty() || one.shape.slots() != one.request.slots.front().low) return false;
    for (const auto& grant : one.shape.grants)
      if (lost.contains(grant.instance.host)) return false;
    return true;
  }
  /// Those that give way to the reservation end.
  void end_put_back() {
    std::vector<Attempt> ending;
    for (const auto& task : planner.state().tasks())
      if (task.deleting) ending.push_back({task.job, task.number, task.attempt});
    ExitRecord record;
    record.failed = failed::killed;
    for (const auto& attempt : ending) tell(TaskEnded{attempt, record});
  }
  /// Attempts of active tasks that have no part on these hosts and need not give way.
  std::map<TaskId, std::int64_t> attempts_beside(const std::set<std::string>& lost) const {
    std::map<TaskId, std::int64_t> attempts;
    for (const auto& task : planner.state().tasks()) {
      bool is_there = task.is_active() && !task.rerunnable;
      for (const auto& grant : task.grants)
        is_there = is_there && !lost.contains(grant.instance.host);
      if (is_there) attempts[task.id()] = task.attempt;
    }
    return attempts;
  }
};

class Cell : public GivenSpareHosts {
  void TestBody() override {}
};

} // namespace

RC_GTEST_PROP(GivenAnyReservationWithSpareHosts, WhenAsManyHostsAreLostThenItIsWholeAgain, ()) {
  Cell cell;
  cell.hosts(*rc::gen::inRange(3, 9), *rc::gen::inRange(1, 5));
  auto scheduler =
      *cell.planner.state().configuration().find(ObjectKind::scheduler_configuration, "");
  scheduler.set("max_reservation", *rc::gen::element<std::string>("0", "3"));
  cell.command(cell.root, Configure{{ChangeVerb::modify, scheduler, {}}});
  const auto some_jobs = [&] {
    for (int i = *rc::gen::inRange(0, 5); i > 0; --i) {
      auto request = PlannerFixture::job("outside", *rc::gen::element<std::string>("30", "5000"));
      request.reserve = *rc::gen::inRange(0, 2) > 0;
      request.rerun = *rc::gen::element(Rerun::as_queue, Rerun::yes);
      cell.command(cell.root, Submit{request, "hash"});
    }
    cell.pass();
  };
  some_jobs();
  const auto pe = *rc::gen::element(std::string("fill"), std::string("mpi"), std::string("smp"));
  auto request = PlannerFixture::on_pe(
      PlannerFixture::window(cell.now.seconds + *rc::gen::inRange(0, 2) * 100, 1000), pe,
      *rc::gen::inRange(1, 9));
  request.repair = Repair::yes, request.spare = *rc::gen::inRange(1, 4);
  const auto answer = cell.command(cell.root, Reserve{request});
  RC_PRE(answer.exit_code == 0);
  const auto number = answer.number;
  RC_ASSERT(cell.is_within_capacity());
  some_jobs();
  for (int i = *rc::gen::inRange(0, 4); i > 0; --i) {
    auto inside = PlannerFixture::job("inside", "50");
    inside.reservation = {number};
    cell.command(cell.root, Submit{inside, "hash"});
  }
  cell.pass();
  RC_ASSERT(cell.is_within_capacity());

  std::set<std::string> lost;
  const auto granted = cell.hosts_of(number);
  for (auto k = *rc::gen::inRange<std::int64_t>(1, request.spare + 1); k > 0; --k)
    lost.insert(granted[*rc::gen::inRange<std::size_t>(0, granted.size())]);
  const auto attempts = cell.attempts_beside(lost);
  for (const auto& host : lost) {
    cell.silence(host);
    RC_ASSERT(cell.is_within_capacity());
  }
  cell.pass();
  RC_ASSERT(cell.is_whole(number, lost));
  cell.end_put_back();
  RC_ASSERT(cell.is_within_capacity());
  for (const auto& [id, attempt] : attempts) {
    const auto* task = cell.planner.state().task(id);
    RC_ASSERT(task && task->is_active() && task->attempt == attempt);
  }
  const auto restored = State::restore(cell.planner.state().records().copy());
  RC_ASSERT(restored->digest() == cell.planner.state().digest());
  for (const auto& host : lost) {
    cell.come_back(host);
    RC_ASSERT(cell.is_whole(number, {}));
    RC_ASSERT(cell.is_within_capacity());
  }
  RC_ASSERT(cell.planner.state().records().followers_agree());
}
