// A small cluster in which one asks for places by hand: what a request asks for, and of which supply.
#pragma once

#include "core/matching/demand.hpp"
#include "core/matching/supply.hpp"
#include "planner_fixture.hpp"

namespace almanac {

class MatchingFixture : public PlannerFixture {
public:
  void TestBody() override {}

  const State& state() const { return planner.state(); }
  const QueueInstance& instance(const std::string& host, const std::string& queue = "all.q") const {
    return *state().configuration().instance(InstanceName{queue, host});
  }
  /// A row of the table of complexes, as qconf -mc has it without the name.
  void complex(const std::string& name, const std::string& row) {
    auto table = *state().configuration().find(ObjectKind::complex, "");
    table.set(name, row);
    change(table);
  }
  /// Values of a host, or of the cell ("global").
  void offer(const std::string& host, const std::string& values) {
    change({ObjectKind::exec_host, host, {{"complex_values", values}}});
  }

  static JobRequest asking(std::vector<Attribute> resources) {
    auto request = job("asks");
    request.resources = std::move(resources);
    return request;
  }
  static JobRequest parallel(const std::string& pe, std::int64_t low, std::int64_t high = 0) {
    auto request = job("wide");
    request.pe = pe, request.slots = {{low, high == 0 ? low : high}};
    return request;
  }
  Demand demand(const JobRequest& request) const {
    auto found = demand_of_job(state().configuration(), request, alice);
    EXPECT_TRUE(found.ok());
    return *found;
  }
  Supply supply() const { return Supply::of_cluster(state()); }
  Window for_seconds(std::int64_t seconds) const { return {now, now + Duration{seconds}}; }
  /// "all.q@h1:2 all.q@h2:1", or "" for a job that waits.
  std::string place(std::int64_t number) const {
    std::string text;
    const auto* found = find(number);
    if (!found) return "gone";
    for (const auto& task : found->tasks)
      for (const auto& grant : task.grants)
        text +=
            (text.empty() ? "" : " ") + grant.instance.text() + ":" + std::to_string(grant.slots);
    return text;
  }
  /// Why the job waits, as qstat -j says it.
  std::string why(std::int64_t number) const {
    return text(planner.ask(ExplainJob{{number}}, now));
  }
  /// Why the request is refused.
  std::string refusal(const JobRequest& request) {
    const auto answer = command(alice, Submit{request, "hash"});
    EXPECT_NE(answer.exit_code, 0);
    return text(answer);
  }
  /// All that run, or are to.
  std::vector<Attempt> active() const {
    std::vector<Attempt> found;
    for (const auto& task : state().tasks())
      if (task.is_active()) found.push_back({task.job, task.number, task.attempt});
    return found;
  }
};

} // namespace almanac
