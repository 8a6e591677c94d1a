#include "core/execution/step_command.hpp"

#include "core/configuration/configuration.hpp"
#include "core/text/words.hpp"

#include <cctype>
#include <utility>

namespace almanac {

namespace {

StepValues step_values(const Job& job, const Task& task, const TaskSite& place) {
  const auto slots = slots_of(task.grants);
  return {{"host", place.host},
          {"job_owner", job.owner.user},
          {"job_id", to_string(job.number)},
          {"job_name", job.request->name},
          {"ja_task_id", task.number > 0 ? std::to_string(task.number) : "undefined"},
          {"processors", std::to_string(slots)},
          {"queue", task.grants.front().instance.queue},
          {"pe", task.pe},
          {"pe_slots", std::to_string(slots)},
          {"pe_hostfile", place.pe_hostfile},
          {"sge_root", place.agent_directory},
          {"sge_cell", place.cell}};
}

std::string expand_word(const std::string& word, const StepValues& values) {
  std::string result;
  for (std::size_t i = 0; i < word.size();) {
    auto end = i + 1;
    while (word[i] == '$' && end < word.size() && (std::islower(word[end]) || word[end] == '_'))
      ++end;
    const auto value = values.find(std::string_view(word).substr(i + 1, end - i - 1));
    result += word[i] == '$' && value != values.end() ? value->second : word.substr(i, end - i);
    i = end;
  }
  return result;
}

} // namespace

std::vector<std::string> expand_step_command(const std::vector<std::string>& words, const Job& job,
                                             const Task& task, const TaskSite& place,
                                             StepValues more) {
  auto values = std::move(more);
  values.merge(step_values(job, task, place));
  std::vector<std::string> result;
  for (const auto& word : words) result.push_back(expand_word(word, values));
  return result;
}

ShepherdProcess as_owner(std::vector<std::string> words, const std::string& directory) {
  ShepherdProcess step;
  step.arguments = std::move(words);
  step.is_users = true;
  step.environment = {{"PATH", usual_path}};
  step.directory = directory;
  return step;
}

} // namespace almanac
