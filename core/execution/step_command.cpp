#include "core/execution/step_command.hpp"

#include "core/configuration/configuration.hpp"
#include "core/text/words.hpp"

#include <cctype>
#include <map>

namespace almanac {

Result<StepCommand> parse_step_command(std::string_view text) {
  const auto trimmed = trim(text);
  if (trimmed.empty() || equal_ignoring_case(trimmed, "NONE")) return StepCommand();
  StepCommand step{{}, std::string(trimmed)};
  const auto at = trimmed.find('@');
  if (at < trimmed.find('/')) {
    step.user = trimmed.substr(0, at);
    step.line = trimmed.substr(at + 1);
  }
  if (!step.line.starts_with('/') || (at < trimmed.find('/') && step.user.empty()))
    return Error{"\"" + std::string(text) + "\" is not NONE or [user@]/path with arguments"};
  return step;
}

std::string expand_step_command(const std::string& line, const Job& job, const Task& task,
                                const ExecutionPlace& place) {
  std::int64_t slots = 0;
  for (const auto& grant : task.grants) slots += grant.slots;
  const std::map<std::string, std::string, std::less<>> values{
      {"host", place.host},
      {"job_owner", job.owner.user},
      {"job_id", std::to_string(job.number)},
      {"job_name", job.request.name},
      {"processors", std::to_string(slots)},
      {"queue", queue_of(task.grants.front().instance)},
      {"pe", task.pe},
      {"pe_slots", std::to_string(slots)},
      {"pe_hostfile", place.pe_hostfile},
      {"sge_root", place.agent_directory},
      {"sge_cell", place.cell}};
  std::string result;
  for (std::size_t i = 0; i < line.size();) {
    auto end = i + 1;
    while (line[i] == '$' && end < line.size() && (std::islower(line[end]) || line[end] == '_'))
      ++end;
    const auto value = values.find(std::string_view(line).substr(i + 1, end - i - 1));
    result += line[i] == '$' && value != values.end() ? value->second : line.substr(i, end - i);
    i = end;
  }
  return result;
}

} // namespace almanac
