#include "agent/task_progress.hpp"

#include "agent/shepherd/progress_file.hpp"
#include "core/job/read_exit_record.hpp"
#include "core/text/numbers.hpp"
#include "core/text/words.hpp"

#include <utility>
#include <vector>

namespace almanac {

namespace {

std::vector<CoreName> bound_cores(const std::string& text) {
  const std::string head = "\nbound ";
  const auto begin = text.find(head);
  const auto end = begin == std::string::npos ? begin : text.find('\n', begin + head.size());
  if (end == std::string::npos) return {};
  const auto names = text.substr(begin + head.size(), end - begin - head.size());
  auto binding = parse_core_binding("explicit:" + names);
  return binding ? std::move(binding->cores) : std::vector<CoreName>();
}

} // namespace

TaskProgress parse_task_progress(const std::string& text) {
  TaskProgress progress;
  progress.noted = !text.empty();
  const auto has_line = [&](const std::string& line) {
    return text.starts_with(line) || text.find("\n" + line) != std::string::npos;
  };
  progress.starting = has_line(starting_line), progress.started = has_line(started_line);
  progress.cores = bound_cores(text);
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

std::optional<std::int64_t> parse_saved_line(const std::string& line) {
  constexpr std::string_view head = "saved ";
  if (!line.starts_with(head)) return std::nullopt;
  const auto process = parse_number(line.substr(head.size()));
  return process && *process > 0 ? std::optional(*process) : std::nullopt;
}

std::optional<TaskUsage> parse_usage_line(const std::string& line) {
  struct Parser {
    std::vector<std::string> words;
    std::size_t next = 1;
    bool sound = true;
    void operator()(const char*, std::int64_t& field) {
      const auto number = next < words.size() ? parse_number(words[next++]) : Error{"it is short"};
      if (number) field = *number;
      else sound = false;
    }
  } parser{split(line, ' ')};
  TaskUsage usage;
  if (parser.words.empty() || parser.words.front() != "usage") return std::nullopt;
  describe(parser, usage);
  return parser.sound ? std::optional(usage) : std::nullopt;
}

} // namespace almanac
