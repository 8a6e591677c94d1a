#include "agent/task_progress.hpp"

#include "agent/shepherd/progress_file.hpp"
#include "core/job/read_exit_record.hpp"

namespace almanac {

TaskProgress parse_task_progress(const std::string& text) {
  TaskProgress progress;
  progress.noted = !text.empty();
  const auto has_line = [&](const std::string& line) {
    return text.starts_with(line) || text.find("\n" + line) != std::string::npos;
  };
  progress.starting = has_line(starting_line), progress.started = has_line(started_line);
  const std::string head = "\nexit\n", foot = "\nend\n";
  const auto begin = text.rfind(head);
  if (begin == std::string::npos) return progress;
  const auto end = text.find(foot, begin);
  if (end == std::string::npos) return progress;
  if (auto record =
          parse_exit_record(text.substr(begin + head.size(), end + 1 - begin - head.size())))
    progress.record = *record;
  return progress;
}

} // namespace almanac
