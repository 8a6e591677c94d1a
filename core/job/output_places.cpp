#include "core/job/output_places.hpp"

#include "core/text/words.hpp"

#include <utility>
#include <vector>

namespace almanac {

namespace {

// Without the zero behind it: the system refuses to open it, which its user is told.
constexpr std::size_t longest_path = 4096;

// Others are not told what the job was given, so not its home either.
std::string home_of(const Job& job) {
  for (const auto& [name, value] : job.request->origin)
    if (name == "SGE_O_HOME" && !value.empty()) return value;
  return "$HOME";
}

// `suffix`: behind the name of a file that was not asked for.
OutputPlaces places_of(const Job& job, const std::string& suffix, const std::string& task,
                       const std::string& host) {
  const auto& request = *job.request;
  if (request.interaction != Interaction::none) return {};
  const auto home = home_of(job);
  const PathWords words{home, request.directory.empty() ? home : request.directory, host, task};
  const auto path_of = [&](const std::string& asked, const char* kind) {
    const auto path = entry_for_host(asked, host);
    const auto name = request.name + "." + kind + to_string(job.number) + suffix;
    return expanded_path(path.empty() ? name : path, job, words);
  };
  OutputPlaces places{path_of(request.output, "o"), ""};
  if (!request.join) places.error = path_of(request.error, "e");
  return places;
}

} // namespace

std::string entry_for_host(const std::string& list, std::string_view host) {
  std::string of_any;
  for (const auto& entry : split(list, ',')) {
    // A colon behind the first slash belongs to the path.
    const auto colon = entry.find(':');
    if (colon == std::string::npos || colon > entry.find('/')) {
      if (of_any.empty()) of_any = entry;
    } else if (colon == 0) {
      if (of_any.empty()) of_any = entry.substr(1);
    } else if (equal_ignoring_case(std::string_view(entry).substr(0, colon), host)) {
      return entry.substr(colon + 1);
    }
  }
  return of_any;
}

std::string expanded_path(const std::string& path, const Job& job, const PathWords& words) {
  const std::vector<std::pair<std::string, std::string>> variables{
      {"$HOME", words.home},
      {"$USER", job.owner.user},
      {"$JOB_ID", to_string(job.number)},
      {"$JOB_NAME", job.request->name},
      {"$HOSTNAME", words.host},
      {"$TASK_ID", words.task}};
  auto result = path;
  for (const auto& [name, value] : variables)
    for (auto at = result.find(name); at != std::string::npos && result.size() <= longest_path;
         at = result.find(name, at + value.size()))
      result.replace(at, name.size(), value);
  if (!path.empty() && !path.starts_with('/') && !path.starts_with("$HOME"))
    result = words.directory + "/" + result;
  if (result.size() > longest_path) result.resize(longest_path);
  return result;
}

OutputPlaces output_places(const Job& job) {
  const bool is_array = job.request->tasks.is_array();
  return places_of(job, is_array ? ".$TASK_ID" : "", is_array ? "$TASK_ID" : "undefined",
                   "$HOSTNAME");
}

OutputPlaces output_places(const Job& job, const Task& task) {
  const auto number = std::to_string(task.number);
  return places_of(job, task.number > 0 ? "." + number : "", task.number > 0 ? number : "undefined",
                   task.grants.front().instance.host);
}

} // namespace almanac
