#include "core/request/altered_request.hpp"

#include "core/request/submit_table.hpp"

namespace almanac {

JobRequest altered_request(const JobRequest& request, const AlterJobs& command) {
  auto result = request;
  for (const auto& name : command.options)
    find_submit_option(name)->fields->copy(result, command.request);
  if (!command.context.empty()) result.context = request.context;
  for (const auto& change : command.context) change_context(result.context, change);
  return result;
}

} // namespace almanac
