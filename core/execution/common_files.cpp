#include "core/execution/common_files.hpp"

#include <algorithm>

namespace almanac {

namespace {

bool contains(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// The first of its name counts: a list that names a file twice is none of ours.
const CommonFileVersion* find(const std::vector<CommonFileVersion>& files,
                              const std::string& name) {
  const auto it = std::find_if(files.begin(), files.end(),
                               [&](const CommonFileVersion& file) { return file.name == name; });
  return it == files.end() ? nullptr : &*it;
}

} // namespace

bool is_common_file(std::string_view name) {
  return std::find(common_file_names.begin(), common_file_names.end(), name) !=
         common_file_names.end();
}

std::vector<CommonFileVersion> versions_of(const std::vector<CommonFileContent>& files) {
  std::vector<CommonFileVersion> versions;
  for (const auto& file : files) versions.push_back(file.version);
  return versions;
}

CommonFileSteps common_file_steps(const std::vector<CommonFileVersion>& masters,
                                  const std::vector<CommonFileVersion>& copies) {
  CommonFileSteps steps;
  for (const auto& file : masters) {
    const auto* copy = find(copies, file.name);
    const bool is_same = copy && is_current(masters, *copy);
    if (is_common_file(file.name) && !is_same && !contains(steps.to_ask, file.name))
      steps.to_ask.push_back(file.name);
  }
  for (const auto& copy : copies)
    if (is_common_file(copy.name) && !find(masters, copy.name))
      steps.to_remove.push_back(copy.name);
  return steps;
}

bool is_current(const std::vector<CommonFileVersion>& masters, const CommonFileVersion& file) {
  const auto* known = find(masters, file.name);
  return is_common_file(file.name) && known && *known == file;
}

} // namespace almanac
