// Jobs and where they run.
#pragma once

#include "matching_fixture.hpp"

#include <string>
#include <vector>

namespace almanac {

class AssignmentFixture : public MatchingFixture {
public:
  static LoadChanged loaded(const std::string& host, std::int64_t hundredths) {
    return {host, {hundredths, hundredths, hundredths, -1, -1, -1, -1}};
  }
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
  std::string placed(JobRequest request) {
    const auto number = submit(alice, std::move(request));
    pass();
    return place(number);
  }
  /// Where it runs while nothing else does; it is gone then.
  std::string alone(const JobRequest& request) {
    const auto number = submit(alice, request);
    pass();
    const auto where = place(number);
    command(root, DeleteJobs{{std::to_string(number)}, {}, {}, true});
    return where;
  }
  static JobRequest asking(std::vector<Attribute> resources) {
    auto request = job("asks");
    request.resources = std::move(resources);
    return request;
  }
  /// It was killed where it ran, as the master had told its host.
  void end_as_told(std::int64_t number, std::int64_t task = 0) {
    ExitRecord killed;
    killed.failed = failed::killed, killed.exit_status = 137;
    tell(TaskEnded{attempt(number, task), killed});
  }
  std::string why(std::int64_t number) { return text(planner.ask(ExplainJob{number}, now)); }
};

} // namespace almanac
