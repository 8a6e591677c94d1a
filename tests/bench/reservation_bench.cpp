// Advance reservations in the planner: many that begin at once, one that is granted, changed and
// deleted among many, what one would cost 100,000 waiting jobs. No actor, no disk.
#include "core/planning/price/price.hpp"
#include "tests/bench/cell/made_cell.hpp"

#include <benchmark/benchmark.h>

#include <optional>
#include <string>
#include <vector>

using namespace almanac;

namespace {

CellSize size_of(std::int64_t hosts, std::int64_t reservations = 0) {
  CellSize size;
  size.hosts = hosts, size.reservations = reservations;
  size.users = 0;
  return size;
}

ReservationRequest an_hour(Instant start, std::int64_t slots) {
  ReservationRequest request;
  request.start = start, request.duration = {3600}, request.has_duration = true;
  request.pe = "fill", request.slots = {{slots, slots}};
  return request;
}

// Goes on with the records of a cell at other times.
class Later {
public:
  Later(const MadeCell& cell, Instant now)
      : planner_(*Planner::restore(cell.planner().state().records().copy())), now_(now) {}

  const State& state() const { return planner_.state(); }
  bool tell(const ValidInput& input) { return planner_.handle(input, now_).pass_wanted; }
  /// All reservations whose time has come, then passes until everything in them has its place.
  void begin_reservations() {
    std::vector<ReservationKey> due;
    for (const auto& one : state().reservations())
      if (step(one, now_).is_due()) due.push_back(one.key);
    for (const auto key : due) tell(ReservationDue{key});
    pass();
  }
  /// And what is repaired then.
  void lose(const std::string& host) { tell(HostSilent{host, true}), pass(); }
  /// The moment of a reservation has come; no pass follows.
  void due(ReservationKey key) { tell(ReservationDue{key}); }
  /// All that were told to end have ended; then passes.
  void end_told() {
    std::vector<Attempt> told;
    for (const auto& task : state().tasks())
      if (task.deleting) told.push_back({task.job, task.number, task.attempt});
    ExitRecord record;
    record.failed = failed::killed;
    for (const auto& attempt : told) tell(TaskEnded{attempt, record});
    pass();
  }

private:
  void pass() {
    while (tell(Pass{})) {
    }
  }

  Planner planner_;
  Instant now_;
};

// Each with a job that waits in it. What is counted is all that has to happen within that second.
void reservations_begin_together(benchmark::State& state) {
  MadeCell cell(size_of(state.range(0)));
  const auto start = cell.first_hour();
  for (std::int64_t i = 0; i < state.range(1); ++i) {
    const auto granted = cell.command(Reserve{an_hour(start, 2)});
    JobRequest job;
    job.name = "inside", job.binary = true, job.command = "sleep";
    job.reservation = {granted.number};
    if (cell.command(Submit{job, ""}).exit_code != 0)
      return state.SkipWithError("there is no reservation for a job");
  }
  std::optional<Later> later; // its end is not counted
  for (auto _ : state) {
    state.PauseTiming();
    later.emplace(cell, start);
    state.ResumeTiming();
    later->begin_reservations();
    state.PauseTiming();
    std::int64_t begun = 0, placed = 0;
    for (const auto& one : later->state().reservations())
      begun += one.phase == ReservationPhase::running;
    for (const auto& task : later->state().tasks()) placed += task.is_active();
    if (begun != state.range(1) || placed != begun)
      return state.SkipWithError("a reservation has not begun, or its job waits");
    state.ResumeTiming();
  }
}
BENCHMARK(reservations_begin_together)
    ->ArgNames({"hosts", "reservations"})
    ->Args({1000, 500})
    ->Args({10'000, 500})
    ->Iterations(3)
    ->Unit(benchmark::kMillisecond);

// One of them each time: granted, prolonged (qralter), deleted.
enum class Turn { grant, change, deletion };
void turn_among(benchmark::State& state, Turn measured) {
  MadeCell cell(size_of(1000, state.range(0)));
  const auto start = cell.first_hour() + Duration{3600 * 500};
  for (auto _ : state) {
    const auto counted = [&](Turn turn, const CommandBody& command) {
      if (turn != measured) state.PauseTiming();
      const auto answer = cell.command(command);
      if (turn != measured) state.ResumeTiming();
      if (answer.exit_code != 0) state.SkipWithError("something is refused");
      return answer;
    };
    const auto granted = counted(Turn::grant, Reserve{an_hour(start, 4)});
    AlterReservation change{{granted.number}, {"-d"}, {}, false};
    change.request.duration = {7200}, change.request.has_duration = true;
    counted(Turn::change, change);
    counted(Turn::deletion, DeleteReservations{{std::to_string(granted.number)}, {}, false});
  }
}
void a_grant_among(benchmark::State& state) { turn_among(state, Turn::grant); }
void a_change_among(benchmark::State& state) { turn_among(state, Turn::change); }
void a_deletion_among(benchmark::State& state) { turn_among(state, Turn::deletion); }
BENCHMARK(a_grant_among)
    ->ArgName("reservations")
    ->Arg(10'000)
    ->Iterations(200)
    ->Unit(benchmark::kMillisecond);
BENCHMARK(a_change_among)
    ->ArgName("reservations")
    ->Arg(10'000)
    ->Iterations(200)
    ->Unit(benchmark::kMillisecond);
BENCHMARK(a_deletion_among)
    ->ArgName("reservations")
    ->Arg(10'000)
    ->Iterations(200)
    ->Unit(benchmark::kMillisecond);

// A host is lost on which a part of one reservation lies: what replaces it is looked for in all of the
// cell, beside ten thousand other reservations. What is counted is the loss and the pass that repairs;
// it is the second loss, since the first one fills what the planner keeps of the cell.
void repair_of_one(benchmark::State& state) {
  MadeCell cell(size_of(state.range(0), 10'000));
  auto request = an_hour(cell.first_hour() + Duration{3600 * 500}, 64);
  request.repair = Repair::yes;
  const auto granted = cell.command(Reserve{request});
  std::optional<Later> later;
  for (auto _ : state) {
    state.PauseTiming();
    later.emplace(cell, cell.now());
    const auto* before = later->state().reservation_by_number({granted.number});
    if (!before) return state.SkipWithError("it is refused");
    const auto lost = before->shape.grants.front().instance;
    later->lose(before->shape.grants.back().instance.host);
    state.ResumeTiming();
    later->lose(lost.host);
    state.PauseTiming();
    const auto& after = *later->state().reservation_by_number({granted.number});
    if (has_part_on(after, lost) || after.shape.slots() != 64)
      return state.SkipWithError("it is not repaired");
    state.ResumeTiming();
  }
}
BENCHMARK(repair_of_one)
    ->ArgName("hosts")
    ->Arg(10'000)
    ->Iterations(20)
    ->Unit(benchmark::kMillisecond);

// A reservation that preempts begins where jobs of one slot without a limit have all of it: those
// are told to end, in one input, or have ended, one after the other, until its own job has started.
enum class GivingWay { told, ended };
void give_way(benchmark::State& state, GivingWay measured) {
  const auto jobs = state.range(0);
  MadeCell cell(size_of(jobs / 4));
  JobRequest job;
  job.name = "ordinary", job.binary = true, job.command = "sleep";
  for (std::int64_t i = 0; i < jobs; ++i) cell.command(Submit{job, ""});
  while (cell.tell(Pass{}).pass_wanted) {
  }
  auto request = an_hour(cell.first_hour(), jobs);
  request.preempts = true;
  const auto granted = cell.command(Reserve{request});
  job.reservation = {granted.number}, job.pe = "fill", job.slots = {{jobs, jobs}};
  if (cell.command(Submit{job, ""}).exit_code != 0)
    return state.SkipWithError("there is no reservation for a job");
  const auto key = cell.planner().state().reservation_by_number({granted.number})->key;
  std::optional<Later> later;
  for (auto _ : state) {
    state.PauseTiming();
    later.emplace(cell, cell.first_hour());
    if (measured == GivingWay::told) state.ResumeTiming();
    later->due(key);
    if (measured == GivingWay::told) state.PauseTiming();
    else state.ResumeTiming();
    later->end_told();
    if (measured == GivingWay::ended) state.PauseTiming();
    std::int64_t active = 0;
    for (const auto& task : later->state().tasks()) active += task.is_active();
    if (later->state().reservation(key)->phase != ReservationPhase::running || active != 1)
      return state.SkipWithError("it has not begun, or its job waits");
    state.ResumeTiming();
  }
}
void preempt_told(benchmark::State& state) { give_way(state, GivingWay::told); }
void preempt_ended(benchmark::State& state) { give_way(state, GivingWay::ended); }
BENCHMARK(preempt_told)->ArgName("jobs")->Arg(1000)->Iterations(3)->Unit(benchmark::kMillisecond);
BENCHMARK(preempt_ended)->ArgName("jobs")->Arg(1000)->Iterations(3)->Unit(benchmark::kMillisecond);

// All hosts of the cell as a whole are prepared and given up: without conditions of the site, and with
// those of share/plus/lead_time.ad. The difference is what these cost; all hosts are described to them
// anew, since a load has changed.
constexpr const char* by_lead_time = R"(
Near = relTime("30m"); Far = relTime("2h"); Limit = relTime("7d"); MaxLength = relTime("2d");
Vips = {"root"}; Group = {"g1"};
Share = identicalMember(PLUS_RSV_OWNER, Vips) ? {100, 100}
      : identicalMember(PLUS_RSV_OWNER, Group) ? {90, 50} : {50, 30};
Lead = PLUS_RSV_START - absTime();
Length = PLUS_RSV_END - PLUS_RSV_START;
Ratio = Lead <= relTime(0) || Lead >= Limit || Length >= MaxLength ? 0
      : Lead <= Near ? max(Share) : Lead >= Far ? min(Share)
      : linear(Lead, Near, max(Share), Far, min(Share));
PLUS_NODE_RESERVABLE = (size(PLUS_ALLOCATED_NODES) + 1) * 100 <= size(PLUS_ALL_NODES) * Ratio;
)";
void all_hosts_reserved(benchmark::State& state, const std::string& conditions) {
  MadeCell cell(size_of(state.range(0)));
  cell.tell(SiteFileRead{"reservable.ad", conditions});
  const auto host = cell.planner().state().configuration().instances().front().name.host;
  ReservationRequest request;
  request.start = cell.now() + Duration{3600};
  request.duration = {3600}, request.has_duration = true;
  request.nodes = state.range(0), request.whole_nodes = true;
  std::int64_t load = 0;
  for (auto _ : state) {
    state.PauseTiming();
    const auto average = 1 + ++load % 10;
    cell.tell(LoadChanged{host, {average, average, average, -1, -1, -1, -1}});
    const auto name = "t" + std::to_string(load);
    state.ResumeTiming();
    const auto held =
        cell.command(PrepareReservation{name, {}, ReservationVerb::change, request, Duration{60}});
    state.PauseTiming();
    if (held.exit_code != 0) return state.SkipWithError("it is refused");
    cell.command(SettleReservation{"", {held.number}, false});
    state.ResumeTiming();
  }
}
void all_hosts_freely(benchmark::State& state) { all_hosts_reserved(state, ""); }
void all_hosts_by_conditions(benchmark::State& state) { all_hosts_reserved(state, by_lead_time); }
BENCHMARK(all_hosts_freely)
    ->ArgName("hosts")
    ->Arg(10'000)
    ->Iterations(20)
    ->Unit(benchmark::kMillisecond);
BENCHMARK(all_hosts_by_conditions)
    ->ArgName("hosts")
    ->Arg(10'000)
    ->Iterations(20)
    ->Unit(benchmark::kMillisecond);

// Both plans are made of a copy of the records first; the pricer then looks on for two seconds.
void begin_of_a_price(benchmark::State& state) {
  auto size = size_of(1000);
  size.jobs = state.range(0), size.classes = 100;
  MadeCell cell(size);
  const Reserve asked{an_hour(cell.first_hour(), 64), false};
  const auto records = cell.planner().state().records().copy();
  for (auto _ : state) {
    const Pricing pricing(records, cell.admin(), asked, cell.now());
    if (pricing.refusal()) return state.SkipWithError("it is refused");
  }
}
void whole_price(benchmark::State& state) {
  auto size = size_of(1000);
  size.jobs = state.range(0), size.classes = 100;
  MadeCell cell(size);
  const Reserve asked{an_hour(cell.first_hour(), 64), false};
  const auto records = cell.planner().state().records().copy();
  std::int64_t looks = 0, later = 0;
  for (auto _ : state) {
    Pricing pricing(records, cell.admin(), asked, cell.now());
    for (looks = 1; pricing.look(); ++looks) {
    }
    later = pricing.price().later;
  }
  state.counters["looks"] = static_cast<double>(looks);
  state.counters["later"] = static_cast<double>(later);
}
BENCHMARK(begin_of_a_price)
    ->ArgName("pending")
    ->Arg(10'000)
    ->Arg(100'000)
    ->Iterations(1)
    ->Unit(benchmark::kMillisecond);
BENCHMARK(whole_price)
    ->ArgName("pending")
    ->Arg(10'000)
    ->Iterations(1)
    ->Unit(benchmark::kMillisecond);

} // namespace

BENCHMARK_MAIN();
