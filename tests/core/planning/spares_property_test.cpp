// Reservations with spare hosts in random worlds (spec/beyond.md H9, B1.10, B1.2, B1.104, B1.105).
#include "planner_fixture.hpp"

#include <rapidcheck/gtest.h>

#include <set>

using namespace almanac;

namespace {

class GivenSpareHosts : public PlannerFixture {
public:
  void silence(const std::string& host) { tell(HostSilent{host, true}); }
  std::vector<std::string> hosts_of(std::int64_t number) const {
    std::set<std::string> names;
    for (const auto& grant : reservation(number).shape.grants) names.insert(grant.instance.host);
    return {names.begin(), names.end()};
  }
  /// All of it is there, on hosts that are.
  bool is_whole(std::int64_t number, const std::set<std::string>& lost) const {
    const auto& one = reservation(number);
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

// B1.103, B1.105: whatever comes and goes, rerunnable jobs and spare hosts share what there is, and nobody
// else has any of it. That the books are those of the records is looked at after each input.
RC_GTEST_PROP(GivenAnyReservationWithSpareHosts, WhenJobsComeAndHostsGoThenNothingIsBookedTwice,
              ()) {
  Cell cell;
  const auto count = *rc::gen::inRange(3, 6);
  cell.hosts(count, *rc::gen::inRange(1, 5));
  auto scheduler =
      *cell.planner.state().configuration().find(ObjectKind::scheduler_configuration, "");
  scheduler.set("max_reservation", *rc::gen::element<std::string>("0", "3"));
  scheduler.set("params", "DURATION_OFFSET=0");
  cell.command(cell.root, Configure{{ChangeVerb::modify, scheduler, {}}});
  std::vector<std::int64_t> numbers, jobs;
  const auto any_of = [](const std::vector<std::int64_t>& all) {
    return all[*rc::gen::inRange<std::size_t>(0, all.size())];
  };
  const auto any_host = [&] { return "h" + std::to_string(*rc::gen::inRange(1, count + 1)); };
  const auto any_rerun = [] { return *rc::gen::element(Rerun::as_queue, Rerun::yes, Rerun::no); };
  const auto ask_for = [&] {
    auto request = PlannerFixture::on_pe(
        PlannerFixture::window(cell.now.seconds + *rc::gen::inRange(0, 3) * 50, 200), "fill",
        *rc::gen::inRange(1, 9));
    request.repair = Repair::yes, request.spare = *rc::gen::inRange(0, 3);
    return request;
  };
  const auto submit = [&] {
    auto request = PlannerFixture::job("any", *rc::gen::element<std::string>("", "40", "300"));
    request.pe = "smp";
    const auto slots = *rc::gen::inRange<std::int64_t>(1, 4);
    request.slots = {{slots, slots}};
    request.reserve = *rc::gen::inRange(0, 3) > 0, request.rerun = any_rerun();
    jobs.push_back(cell.command(cell.root, Submit{request, "hash"}).number);
  };
  const auto change = [&] {
    AlterReservation altered;
    altered.number = {any_of(numbers)}, altered.request = ask_for();
    altered.options = {*rc::gen::element<std::string>("-spare", "-d", "-pe")};
    cell.command(cell.root, altered);
  };
  const auto prepare = [&] {
    PrepareReservation prepared;
    prepared.number = {any_of(numbers)}, prepared.transaction = "t", prepared.hold_for = {100};
    prepared.request = ask_for();
    cell.command(cell.root, prepared);
  };
  const auto settle = [&] {
    SettleReservation settled;
    settled.number = {any_of(numbers)}, settled.transaction = "t";
    settled.commit = *rc::gen::arbitrary<bool>();
    cell.command(cell.root, settled);
  };
  const auto alter_job = [&] {
    AlterJobs altered;
    altered.targets = {std::to_string(any_of(jobs))}, altered.options = {"-r"};
    altered.request.rerun = any_rerun();
    cell.command(cell.root, altered);
  };
  // Tasks are never late: what ends by its limit has ended by then.
  const auto time_passes = [&] {
    cell.now = cell.now + Duration{20};
    std::vector<Attempt> over;
    for (const auto& task : cell.planner.state().tasks())
      if (task.is_active() && task.last_moment() <= cell.now)
        over.push_back({task.job, task.number, task.attempt});
    for (const auto& attempt : over) cell.tell(TaskEnded{attempt, {}});
    std::vector<ReservationKey> keys;
    for (const auto& one : cell.planner.state().reservations()) keys.push_back(one.key);
    for (const auto key : keys) cell.tell(ReservationDue{key});
  };
  for (int i = *rc::gen::inRange(5, 30); i > 0; --i) {
    switch (*rc::gen::inRange(0, 10)) {
    case 0:
    case 1:
      if (const auto answer = cell.command(cell.root, Reserve{ask_for()}); answer.number > 0)
        numbers.push_back(answer.number);
      break;
    case 2:
    case 3: submit(); break;
    case 4: cell.silence(any_host()); break;
    case 5: cell.come_back(any_host()); break;
    case 6: time_passes(); break;
    case 7:
      if (!numbers.empty()) change();
      break;
    case 8:
      if (!numbers.empty()) *rc::gen::arbitrary<bool>() ? prepare() : settle();
      break;
    default:
      if (!jobs.empty()) alter_job();
    }
    cell.pass();
    cell.end_put_back();
    RC_ASSERT(cell.is_within_capacity());
  }
}
