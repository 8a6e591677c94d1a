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
  /// It was killed where it ran, as the master had told its host.
  void end_as_told(std::int64_t number, std::int64_t task = 0) {
    ExitRecord killed;
    killed.failed = failed::killed, killed.exit_status = 137;
    tell(TaskEnded{attempt(number, task), killed});
  }
};

} // namespace almanac
