// What qquota is sent of very many counters in use: rows, made into frames as a door sends them. No
// actor, no disk.
#include "actors/master/quota_views.hpp"
#include "tests/bench/cell/made_cell.hpp"

#include <benchmark/benchmark.h>

#include <string>

using namespace almanac;

namespace {

// Some 100,000 counters: a job of one of 10,000 users on each slot.
void answer_about_quotas(benchmark::State& state, const std::string& user) {
  CellSize size;
  size.hosts = 1000, size.slots = 100, size.jobs = 100'000, size.users = 10'000, size.sets = 2;
  MadeCell cell(size);
  while (cell.tell(Pass{}).pass_wanted) {
  }
  const Caller caller{"u17", "users", 1, 1, "master"};
  door::GetQuotas query;
  if (!user.empty()) query.selection.users = {user};
  const auto& planned = cell.planner().state();
  std::size_t rows = 0;
  for (auto _ : state) {
    const auto frames =
        answer_quotas(planned.records(), planned.quotas(), caller, query, cell.now());
    for (rows = 0; const auto body = frames->next();)
      rows += std::get<door::Quotas>(*body).rows.size();
  }
  state.counters["rows"] = static_cast<double>(rows);
}
void own_frames_of_quotas(benchmark::State& state) { answer_about_quotas(state, ""); }
void all_frames_of_quotas(benchmark::State& state) { answer_about_quotas(state, "*"); }
BENCHMARK(own_frames_of_quotas)->Unit(benchmark::kMillisecond);
BENCHMARK(all_frames_of_quotas)->Unit(benchmark::kMillisecond);

} // namespace

BENCHMARK_MAIN();
