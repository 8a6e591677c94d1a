// A cell with one host, whose passes are driven by hand on the state itself: priorities are those of
// -p alone, and up to three jobs hold places.
#pragma once

#include "core/planning/commands/submission.hpp"
#include "core/planning/pass/slice.hpp"
#include "core/planning/planner.hpp"

#include <map>
#include <set>
#include <vector>

namespace almanac {

class Cell {
public:
  explicit Cell(std::int64_t slots, const std::vector<Attribute>& scheduler = {})
      : state(*State::restore(records(slots, scheduler))) {}

  std::int64_t submit(std::int64_t priority, std::int64_t slots, bool reserve, std::int64_t limit) {
    JobRequest request;
    request.name = "j";
    request.priority = priority;
    request.pe = "smp", request.slots = {{slots, slots}};
    request.reserve = reserve;
    request.resources = {{"h_rt", std::to_string(limit)}};
    const auto answer =
        rules::submit(state, {"root", "root", 0, 0, "master"}, Submit{request, ""}, now);
    state.take_effects(now);
    return answer.number;
  }
  void pass() {
    while (rules::pass(state, now)) state.take_effects(now);
    state.take_effects(now);
  }
  std::set<std::int64_t> running() const {
    std::set<std::int64_t> numbers;
    for (const auto& [key, job] : state.jobs())
      if (state.tally(key).active > 0) numbers.insert(job->number.value);
    return numbers;
  }
  /// When what is held begins, by the number of the job.
  std::map<std::int64_t, std::int64_t> held() const {
    std::map<std::int64_t, std::int64_t> starts;
    for (const auto& [key, job] : state.jobs())
      for (const auto& hold : job->holds) starts[job->number.value] = hold.window.start.seconds;
    return starts;
  }

  State state;
  Instant now{1000};

private:
  static RecordSet records(std::int64_t slots, const std::vector<Attribute>& scheduler) {
    auto records = Planner::initial_records("root", "master");
    records.objects.push_back(template_of(ObjectKind::exec_host, "h1"));
    HostState host;
    host.name = "h1", host.phase = HostPhase::up;
    records.hosts.push_back(host);
    for (auto& object : records.objects) {
      if (object.kind == ObjectKind::host_group) object.set("hostlist", "h1");
      if (object.kind == ObjectKind::cluster_queue) object.set("slots", std::to_string(slots));
      if (object.kind != ObjectKind::scheduler_configuration) continue;
      object.set("max_reservation", "3");
      object.set("weight_urgency", "0"); // -p alone decides
      for (const auto& attribute : scheduler) object.set(attribute.name, attribute.value);
    }
    return records;
  }
};

} // namespace almanac
