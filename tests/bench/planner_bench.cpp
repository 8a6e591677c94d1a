// The planner alone: passes over many waiting jobs, submissions, reservations. No actor, no disk.
#include "core/planning/planner.hpp"

#include <benchmark/benchmark.h>

#include <string>

using namespace almanac;

namespace {

// As the gate looks through it.
template <class Request> Valid<Request> checked(Request request) {
  return std::get<0>(validated(std::move(request)));
}

// Hosts of four slots, filled by jobs that run, with others waiting behind them.
class Cluster {
public:
  explicit Cluster(std::int64_t hosts) : planner(*Planner::restore(records(hosts))) {
    for (std::int64_t i = 0; i < hosts; ++i)
      tell(HostRegistered{name(i), {"lx-amd64", 4, 8LL << 30, "boot", "spool", "a:1"}});
  }

  Decisions tell(const ValidInput& input) { return planner.handle(input, now); }
  Answer command(CommandBody body) { return *tell(checked(Command{root, std::move(body)})).answer; }

  void submit(std::int64_t count, std::int64_t classes) {
    for (std::int64_t i = 0; i < count; ++i) {
      JobRequest request;
      request.name = "j";
      request.resources = {{"h_rt", std::to_string(600 + i % classes)}};
      request.reserve = holds;
      command(Submit{request, "hash"});
    }
  }
  void pass() {
    while (tell(Pass{}).pass_wanted) {
    }
  }
  /// Ends the first running task.
  void end_one() {
    for (const auto& task : planner.state().tasks())
      if (task.is_active()) {
        tell(TaskEnded{{task.job, task.number, task.attempt}, {}});
        return;
      }
  }
  Answer reserve(std::int64_t start, std::int64_t slots) {
    ReservationRequest request;
    request.start = {start};
    request.duration = {3600}, request.has_duration = true;
    request.pe = "fill", request.slots = {{slots, slots}};
    return command(Reserve{request});
  }

  bool holds = false; ///< jobs are submitted with -R y

  Planner planner;
  Instant now{1'000'000};
  Caller root{"root", "root", 0, 0, "master"};

private:
  static std::string name(std::int64_t i) { return "h" + std::to_string(i); }
  static RecordSet records(std::int64_t hosts) {
    auto records = Planner::initial_records("root", "master");
    std::string list;
    for (std::int64_t i = 0; i < hosts; ++i) {
      records.objects.push_back(template_of(ObjectKind::exec_host, name(i)));
      list += name(i) + " ";
    }
    for (auto& object : records.objects) {
      if (object.kind == ObjectKind::host_group) object.set("hostlist", list);
      if (object.kind == ObjectKind::cluster_queue) object.set("slots", "4");
      if (object.kind == ObjectKind::scheduler_configuration) object.set("max_reservation", "10");
    }
    return records;
  }
};

void pass_on_a_full_cluster(benchmark::State& state) {
  Cluster cluster(state.range(0));
  cluster.submit(state.range(0) * 4 + state.range(1), state.range(2));
  cluster.pass();
  for (auto _ : state) cluster.pass();
}
BENCHMARK(pass_on_a_full_cluster)
    ->ArgNames({"hosts", "pending", "classes"})
    ->Args({1000, 10'000, 1})
    ->Args({1000, 10'000, 100})
    ->Unit(benchmark::kMillisecond);

void pass_after_one_end(benchmark::State& state) {
  Cluster cluster(state.range(0));
  cluster.holds = true;
  cluster.submit(state.range(0) * 4 + state.range(1), state.range(2));
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
      Cluster cluster(state.range(0));
      cluster.holds = true;
      cluster.submit(state.range(1), state.range(2));
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
void hold_for_a_parallel_job(benchmark::State& state) {
  Cluster cluster(state.range(0));
  cluster.submit(state.range(0) * 4, 1000);
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
  Cluster cluster(10);
  for (auto _ : state) cluster.submit(1, 1);
}
BENCHMARK(submission)->Iterations(20'000)->Unit(benchmark::kMicrosecond);

void grant_among(benchmark::State& state) {
  Cluster cluster(100);
  for (std::int64_t i = 0; i < state.range(0); ++i)
    cluster.reserve(2'000'000 + i % 1000 * 3600, 1 + i % 4);
  for (auto _ : state) {
    const auto answer = cluster.reserve(2'000'000 + 3600 * 500, 1);
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

// A parallel job over many hosts, looked for and not started: qsub -w v.
void place_a_parallel_job(benchmark::State& state) {
  Cluster cluster(state.range(0));
  Submit command;
  command.request.name = "wide";
  command.request.pe = "mpi", command.request.slots = {{512, 512}};
  command.request.resources = {{"h_rt", "600"}};
  for (auto _ : state)
    benchmark::DoNotOptimize(
        cluster.planner.ask(checked(VerifySubmit{cluster.root, command}), cluster.now));
}
BENCHMARK(place_a_parallel_job)
    ->ArgName("hosts")
    ->Arg(1000)
    ->Arg(10'000)
    ->Unit(benchmark::kMillisecond);

} // namespace

BENCHMARK_MAIN();
