// What metaschedulers ask of the planner, beside 10,000 reservations that begin within four weeks: at
// which times a reservation could start (RESQUERY), and one that is held and then committed. No actor,
// no disk.
#include "core/planning/questions/inquiry.hpp"
#include "tests/bench/cell/made_cell.hpp"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

using namespace almanac;

namespace {

constexpr std::int64_t hour = 3600, weeks = 4 * 7 * 24 * hour, slots_of_host = 4;

// The distributions of the standard library differ from one to another.
class Draw {
public:
  std::int64_t from(std::int64_t low, std::int64_t high) {
    return low + static_cast<std::int64_t>(engine_() % static_cast<std::uint64_t>(high - low + 1));
  }

private:
  std::mt19937_64 engine_{1};
};

ReservationRequest slots_for(std::int64_t slots, std::int64_t seconds) {
  ReservationRequest request;
  request.duration = {seconds}, request.has_duration = true;
  request.pe = "fill", request.slots = {{slots, slots}};
  return request;
}

// Where there is no room for one, another one is drawn.
MadeCell reserved_cell(std::int64_t hosts, std::int64_t reservations, Draw& draw) {
  CellSize size;
  size.hosts = hosts, size.slots = slots_of_host, size.users = 0;
  MadeCell cell(size);
  for (std::int64_t granted = 0; granted < reservations;) {
    auto request = slots_for(draw.from(1, hosts / 20), draw.from(hour / 2, 8 * hour));
    request.start = cell.now() + Duration{draw.from(1, weeks)};
    granted += cell.command(Reserve{request}).exit_code == 0;
  }
  return cell;
}

double milliseconds(std::chrono::steady_clock::duration time) {
  return std::chrono::duration<double, std::milli>(time).count();
}

double percentile(std::vector<double> values, std::size_t percent) {
  std::sort(values.begin(), values.end());
  return values.at((values.size() - 1) * percent / 100);
}

struct Asked {
  double whole = 0, longest_slice = 0; ///< ms
  std::size_t ranges = 0;
};

Asked ask(const MadeCell& cell, const StartsQuery& query) {
  using Clock = std::chrono::steady_clock;
  const auto found = validated(AskStarts{cell.admin(), query});
  Inquiry inquiry(std::get<0>(found));
  Asked asked;
  for (;;) {
    const auto begin = Clock::now();
    const auto answer = inquiry.go_on(cell.planner().state(), 0, cell.now());
    const auto taken = milliseconds(Clock::now() - begin);
    asked.whole += taken, asked.longest_slice = std::max(asked.longest_slice, taken);
    if (answer) return asked.ranges = answer->statements.size(), asked;
  }
}

// All ranges within four weeks, or the first one only. `slowest_slice` is how long others wait at most.
void ask_starts(benchmark::State& state, std::int64_t ranges) {
  Draw draw;
  const auto cell = reserved_cell(state.range(0), state.range(1), draw);
  const auto all = state.range(0) * slots_of_host;
  std::vector<double> whole, slices;
  std::size_t found = 0;
  for (auto _ : state) {
    StartsQuery query;
    query.request = slots_for(draw.from(1, all), draw.from(60, 12 * hour));
    query.search.latest = cell.now() + Duration{weeks};
    query.max_ranges = ranges;
    const auto asked = ask(cell, query);
    whole.push_back(asked.whole), slices.push_back(asked.longest_slice);
    found += asked.ranges;
  }
  if (found == 0) state.SkipWithError("there is no start");
  state.counters["p50_ms"] = percentile(whole, 50);
  state.counters["p99_ms"] = percentile(whole, 99);
  state.counters["slowest_slice_ms"] = percentile(slices, 100);
  state.counters["ranges"] = static_cast<double>(found) / static_cast<double>(whole.size());
}
void all_starts(benchmark::State& state) { ask_starts(state, most_start_ranges); }
void first_start(benchmark::State& state) { ask_starts(state, 1); }
BENCHMARK(all_starts)
    ->ArgNames({"hosts", "reservations"})
    ->Args({1000, 0})
    ->Args({1000, 10'000})
    ->Iterations(1000)
    ->Unit(benchmark::kMillisecond);
BENCHMARK(first_start)
    ->ArgNames({"hosts", "reservations"})
    ->Args({1000, 10'000})
    ->Iterations(1000)
    ->Unit(benchmark::kMillisecond);

// SETRES with HOLD, and COMMIT; deleted without being counted. The baseline is one without phases.
void hold_and_commit(benchmark::State& state) {
  Draw draw;
  auto cell = reserved_cell(1000, state.range(0), draw);
  std::int64_t held_before = 0;
  for (auto _ : state) {
    auto request = slots_for(draw.from(1, 16), hour);
    request.start = cell.now() + Duration{2 * weeks};
    const auto name = "t" + std::to_string(++held_before);
    const auto held =
        cell.command(PrepareReservation{name, {}, ReservationVerb::change, request, Duration{120}});
    const auto committed = cell.command(SettleReservation{"", {held.number}, true});
    state.PauseTiming();
    if (held.exit_code != 0 || committed.exit_code != 0)
      return state.SkipWithError("something is refused");
    cell.command(DeleteReservations{{std::to_string(held.number)}, {}, false});
    state.ResumeTiming();
  }
}
void reserve_at_once(benchmark::State& state) {
  Draw draw;
  auto cell = reserved_cell(1000, state.range(0), draw);
  for (auto _ : state) {
    auto request = slots_for(draw.from(1, 16), hour);
    request.start = cell.now() + Duration{2 * weeks};
    const auto granted = cell.command(Reserve{request});
    state.PauseTiming();
    if (granted.exit_code != 0) return state.SkipWithError("it is refused");
    cell.command(DeleteReservations{{std::to_string(granted.number)}, {}, false});
    state.ResumeTiming();
  }
}
BENCHMARK(hold_and_commit)
    ->ArgName("reservations")
    ->Arg(10'000)
    ->Iterations(500)
    ->Unit(benchmark::kMillisecond);
BENCHMARK(reserve_at_once)
    ->ArgName("reservations")
    ->Arg(10'000)
    ->Iterations(500)
    ->Unit(benchmark::kMillisecond);

} // namespace

BENCHMARK_MAIN();
