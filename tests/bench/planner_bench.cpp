// The planner alone: passes over many waiting jobs, submissions, reservations. No actor, no disk.
#include "core/policy/quota_rows.hpp"
#include "tests/bench/cell/made_cell.hpp"

#include <benchmark/benchmark.h>

#include <string>
#include <vector>

using namespace almanac;

namespace {

// As the gate looks through it.
template <class Request> Valid<Request> checked(Request request) {
  return std::get<0>(validated(std::move(request)));
}

// Hosts of four slots, filled by jobs that run, with others waiting behind them.
class Cluster : public MadeCell {
public:
  using MadeCell::MadeCell;

  void pass() {
    while (tell(Pass{}).pass_wanted) {
    }
  }
  /// Ends the first running task.
  void end_one() {
    for (const auto& task : planner().state().tasks())
      if (task.is_active()) {
        tell(TaskEnded{{task.job, task.number, task.attempt}, {}});
        return;
      }
  }
  void end_all() {
    std::vector<Attempt> running;
    for (const auto& task : planner().state().tasks())
      if (task.is_active()) running.push_back({task.job, task.number, task.attempt});
    for (const auto& attempt : running) tell(TaskEnded{attempt, {}});
  }
  Answer reserve(Instant start, std::int64_t slots) {
    ReservationRequest request;
    request.start = start;
    request.duration = {3600}, request.has_duration = true;
    request.pe = "fill", request.slots = {{slots, slots}};
    return command(Reserve{request});
  }
};

CellSize size_of(std::int64_t hosts, std::int64_t jobs = 0, std::int64_t classes = 1) {
  CellSize size;
  size.hosts = hosts, size.jobs = jobs, size.classes = classes;
  size.users = 0; // a class has jobs of one user
  return size;
}
CellSize with_holds(CellSize size) {
  size.holds = true;
  return size;
}

void pass_on_a_full_cluster(benchmark::State& state) {
  Cluster cluster(size_of(state.range(0), state.range(0) * 4 + state.range(1), state.range(2)));
  cluster.pass();
  for (auto _ : state) cluster.pass();
}
BENCHMARK(pass_on_a_full_cluster)
    ->ArgNames({"hosts", "pending", "classes"})
    ->Args({1000, 10'000, 1})
    ->Args({1000, 10'000, 100})
    ->Unit(benchmark::kMillisecond);

void pass_after_one_end(benchmark::State& state) {
  Cluster cluster(
      with_holds(size_of(state.range(0), state.range(0) * 4 + state.range(1), state.range(2))));
  cluster.pass();
  for (auto _ : state) {
    cluster.end_one();
    cluster.pass();
  }
}
BENCHMARK(pass_after_one_end)
    ->ArgNames({"hosts", "pending", "classes"})
    ->Args({1000, 10'000, 100})
    ->Args({10'000, 1'000'000, 1000})
    ->Iterations(10)
    ->Unit(benchmark::kMillisecond);

// All slots of an idle cluster are given away, and the first ten of those left hold a place.
void pass_from_scratch(benchmark::State& state) {
  for (auto _ : state) {
    state.PauseTiming();
    {
      Cluster cluster(with_holds(size_of(state.range(0), state.range(1), state.range(2))));
      state.ResumeTiming();
      cluster.pass();
      state.PauseTiming();
    }
    state.ResumeTiming();
  }
}
BENCHMARK(pass_from_scratch)
    ->ArgNames({"hosts", "pending", "classes"})
    ->Args({1000, 10'000, 100})
    ->Args({10'000, 1'000'000, 1000})
    ->Iterations(1)
    ->Unit(benchmark::kMillisecond);

// The earliest start of a job on many hosts that are all taken.
// The first is without quotas.
void pass_under_quotas(benchmark::State& state) {
  auto size = size_of(1000, 100'000);
  size.users = 1000, size.sets = state.range(0);
  for (auto _ : state) {
    state.PauseTiming();
    Cluster cluster(size);
    state.ResumeTiming();
    cluster.pass();
    cluster.end_one();
    cluster.pass();
  }
}
BENCHMARK(pass_under_quotas)
    ->ArgNames({"sets"})
    ->Arg(0)
    ->Arg(20)
    ->Iterations(3)
    ->Unit(benchmark::kMillisecond);

// Each start and each end; the first is without quotas, the others have so many limits to count on.
void starts_and_ends_under_quotas(benchmark::State& state) {
  auto size = size_of(1000, 4000);
  size.users = 1000, size.sets = state.range(0);
  Cluster cluster(size);
  for (auto _ : state) {
    cluster.pass();
    state.PauseTiming();
    cluster.submit(4000);
    state.ResumeTiming();
    cluster.end_all();
  }
  state.SetItemsProcessed(state.iterations() * 4000);
}
BENCHMARK(starts_and_ends_under_quotas)
    ->ArgNames({"sets"})
    ->Arg(0)
    ->Arg(1)
    ->Arg(20)
    ->Iterations(5)
    ->Unit(benchmark::kMillisecond);

// Of one set of 20, with tasks that run.
void recount_of_a_set(benchmark::State& state) {
  auto size = size_of(1000, state.range(0));
  size.users = 1000, size.sets = 20, size.slots = state.range(0) / 1000;
  Cluster cluster(size);
  cluster.pass();
  auto set = *cluster.planner().state().configuration().find(ObjectKind::quota_set, "set0");
  const auto rules = *set.find("limit");
  bool is_other = false;
  for (auto _ : state) {
    is_other = !is_other;
    set.set("limit", is_other ? "limit users {u1} to slots=100000\t" + rules : rules);
    const auto answer = cluster.command(Configure{{ChangeVerb::modify, set, {}}});
    if (answer.exit_code != 0) return state.SkipWithError("the change is refused");
  }
}
BENCHMARK(recount_of_a_set)
    ->ArgNames({"running"})
    ->Arg(1000)
    ->Arg(100'000)
    ->Unit(benchmark::kMillisecond);

// What qquota shows of some 100,000 counters in use: of one user, of all.
void rows_of_quotas(benchmark::State& state, const std::string& user) {
  auto size = size_of(1000, 100'000);
  size.users = 10'000, size.sets = 2, size.slots = 100;
  Cluster cluster(size);
  cluster.pass();
  const Caller caller{"u17", "users", 1, 1, "master"};
  QuotaSelection selection;
  selection.users = {user};
  const auto& planned = cluster.planner().state();
  std::size_t rows = 0;
  for (auto _ : state)
    rows = quota_rows(planned.records(), planned.quotas(), caller, selection, cluster.now()).size();
  state.counters["rows"] = static_cast<double>(rows);
}
void own_rows_of_quotas(benchmark::State& state) { rows_of_quotas(state, "u17"); }
void all_rows_of_quotas(benchmark::State& state) { rows_of_quotas(state, "*"); }
BENCHMARK(own_rows_of_quotas)->Unit(benchmark::kMillisecond);
BENCHMARK(all_rows_of_quotas)->Unit(benchmark::kMillisecond);

void hold_for_a_parallel_job(benchmark::State& state) {
  Cluster cluster(size_of(state.range(0), state.range(0) * 4, 1000));
  cluster.pass();
  for (auto _ : state) {
    state.PauseTiming();
    JobRequest request;
    request.name = "wide";
    request.pe = "mpi", request.slots = {{512, 512}};
    request.resources = {{"h_rt", "600"}};
    request.reserve = true;
    const auto number = cluster.command(Submit{request, ""}).number;
    state.ResumeTiming();
    cluster.pass();
    state.PauseTiming();
    cluster.command(DeleteJobs{{std::to_string(number)}, {}, {}, false});
    state.ResumeTiming();
  }
}
BENCHMARK(hold_for_a_parallel_job)
    ->ArgName("hosts")
    ->Arg(1000)
    ->Arg(10'000)
    ->Iterations(20)
    ->Unit(benchmark::kMillisecond);

void submission(benchmark::State& state) {
  Cluster cluster(size_of(10));
  for (auto _ : state) cluster.submit(1);
}
BENCHMARK(submission)->Iterations(20'000)->Unit(benchmark::kMicrosecond);

void grant_among(benchmark::State& state) {
  auto size = size_of(100);
  size.reservations = state.range(0);
  Cluster cluster(size);
  for (auto _ : state) {
    const auto answer = cluster.reserve(cluster.first_hour() + Duration{3600 * 500}, 1);
    cluster.command(DeleteReservations{{std::to_string(answer.number)}, {}, false});
  }
}
BENCHMARK(grant_among)
    ->ArgName("reservations")
    ->Arg(0)
    ->Arg(2000)
    ->Arg(100'000)
    ->Iterations(200)
    ->Unit(benchmark::kMillisecond);

// Of somebody who is no manager, and whom limits of what is ahead concern.
void grant_change_and_delete(benchmark::State& state) {
  auto size = size_of(state.range(0));
  size.reservations = state.range(1), size.users = 1;
  Cluster cluster(size);
  const Caller user{"u0", "users", 20'000, 100, cluster.admin().host};
  const auto give = [&](ObjectKind kind, const char* name, const char* list, const char* text) {
    const auto* object = cluster.planner().state().configuration().find(kind, name);
    auto changed = *object;
    changed.set(list, text);
    return cluster.command(Configure{{ChangeVerb::modify, changed, {}}}).exit_code == 0;
  };
  if (!give(ObjectKind::userset, "arusers", "entries", "u0") ||
      !give(ObjectKind::global_configuration, "", "max_u_ar_slot_hours", "1000000000"))
    return state.SkipWithError("the cell is refused");
  const auto start = cluster.first_hour() + Duration{3600 * 500};
  for (auto _ : state) {
    ReservationRequest request;
    request.start = start, request.duration = {3600}, request.has_duration = true;
    request.pe = "fill", request.slots = {{1, 1}};
    const auto granted = cluster.command(user, Reserve{request});
    request.duration = {7200};
    PrepareReservation change;
    change.number = {granted.number}, change.transaction = "longer", change.hold_for = {60};
    change.request = request;
    const auto prepared = cluster.command(user, change);
    const auto settled = cluster.command(user, SettleReservation{"longer", {granted.number}, true});
    const auto deleted =
        cluster.command(user, DeleteReservations{{std::to_string(granted.number)}, {}, false});
    if (granted.exit_code + prepared.exit_code + settled.exit_code + deleted.exit_code != 0)
      return state.SkipWithError("something is refused");
  }
}
BENCHMARK(grant_change_and_delete)
    ->ArgNames({"hosts", "reservations"})
    ->Args({1000, 10'000})
    ->Args({10'000, 10'000})
    ->Args({1000, 100'000})
    ->Iterations(100)
    ->Unit(benchmark::kMillisecond);

// A parallel job over many hosts, looked for and not started: qsub -w v.
void place_a_parallel_job(benchmark::State& state) {
  Cluster cluster(size_of(state.range(0)));
  Submit command;
  command.request.name = "wide";
  command.request.pe = "mpi", command.request.slots = {{512, 512}};
  command.request.resources = {{"h_rt", "600"}};
  for (auto _ : state)
    benchmark::DoNotOptimize(
        cluster.planner().ask(checked(VerifySubmit{cluster.admin(), command}), cluster.now()));
}
BENCHMARK(place_a_parallel_job)
    ->ArgName("hosts")
    ->Arg(1000)
    ->Arg(10'000)
    ->Unit(benchmark::kMillisecond);

// A host of a reservation is lost, and all others are reserved but for the last one; then it is back.
// What is measured is all of both inputs and their passes (spec/beyond.md B1.52).
void repair_and_undo(benchmark::State& state) {
  const auto hosts = state.range(0);
  Cluster cluster(size_of(hosts));
  const auto others = cluster.reserve(cluster.now(), 4 * (hosts - 3));
  ReservationRequest request;
  request.duration = {3600}, request.has_duration = true;
  request.pe = "fill", request.slots = {{8, 8}}, request.repair = Repair::yes;
  const auto granted = cluster.command(Reserve{request});
  if (others.exit_code + granted.exit_code != 0) return state.SkipWithError("the cell is refused");
  const auto& records = cluster.planner().state();
  const auto grants = [&] { return records.reservation_by_number({granted.number})->shape.grants; };
  const auto before = grants();
  const auto host = before.back().instance.host;
  const auto facts = records.host(host).facts;
  for (auto _ : state) {
    cluster.tell(HostSilent{host, true}), cluster.pass();
    if (grants() == before) return state.SkipWithError("it is not repaired");
    cluster.tell(HostRegistered{host, facts}), cluster.pass();
    if (grants() != before) return state.SkipWithError("the repair is not undone");
  }
}
BENCHMARK(repair_and_undo)
    ->ArgName("hosts")
    ->Arg(1000)
    ->Arg(10'000)
    ->Iterations(20)
    ->Unit(benchmark::kMillisecond);

} // namespace

BENCHMARK_MAIN();
