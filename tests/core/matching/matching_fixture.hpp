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
  void change(ConfigurationObject object, ChangeVerb verb = ChangeVerb::modify) {
    const auto answer = command(root, Configure{{verb, std::move(object), {}}});
    ASSERT_EQ(answer.exit_code, 0) << text(answer);
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
  void queue(const std::string& name, std::vector<Attribute> attributes) {
    const bool is_new = !state().configuration().queues().contains(name);
    change({ObjectKind::cluster_queue, name, std::move(attributes)},
           is_new ? ChangeVerb::add : ChangeVerb::modify);
  }
  void scheduler(std::vector<Attribute> attributes) {
    change({ObjectKind::scheduler_configuration, "", std::move(attributes)});
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
  /// A job that runs from now on.
  std::int64_t running(JobRequest request) {
    const auto number = submit(alice, std::move(request));
    pass();
    EXPECT_TRUE(is_active(number));
    return number;
  }
};

} // namespace almanac
