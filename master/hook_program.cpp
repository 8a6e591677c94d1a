#include "master/hook_program.hpp"

#include "master/site_program.hpp"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <sys/stat.h>
#include <unistd.h>

namespace almanac {

namespace {

namespace fs = std::filesystem;

bool is_trusted(const struct stat& file) { return file.st_uid == 0 || file.st_uid == ::geteuid(); }

// Who may write into a folder can put another program in its place, unless the folder is sticky.
std::string distrust_of_folders(const fs::path& program) {
  for (auto folder = program.parent_path();; folder = folder.parent_path()) {
    struct stat facts {};
    if (::stat(folder.c_str(), &facts) != 0) return folder.string() + ": " + std::strerror(errno);
    if (!is_trusted(facts))
      return folder.string() + " belongs neither to root nor to the master's user";
    if ((facts.st_mode & S_IWOTH) != 0 && (facts.st_mode & S_ISVTX) == 0)
      return folder.string() + " may be written by others";
    if (folder == folder.parent_path()) return "";
  }
}

std::string distrust_of_file(const std::string& path) {
  struct stat file {};
  if (::stat(path.c_str(), &file) != 0) return path + ": " + std::strerror(errno);
  if (!S_ISREG(file.st_mode)) return path + " is no file";
  if (!is_trusted(file)) return path + " belongs neither to root nor to the master's user";
  if ((file.st_mode & (S_IWGRP | S_IWOTH)) != 0) return path + " may be written by others";
  if (auto why = distrust_of_folders(path); !why.empty()) return why;
  std::error_code error;
  const auto meant = fs::canonical(path, error); // behind links
  return error ? path + ": " + error.message() : distrust_of_folders(meant);
}

std::string distrust_of_program(const std::string& program) {
  if (auto why = distrust_of_file(program); !why.empty()) return why;
  struct stat file {};
  const bool is_executable =
      ::stat(program.c_str(), &file) == 0 && (file.st_mode & (S_IXUSR | S_IXGRP | S_IXOTH)) != 0;
  return is_executable ? "" : program + " is not executable";
}

} // namespace

std::string HookProgram::distrust(const std::vector<std::string>& words) const {
  auto why = distrust_of_program(words.front());
  for (auto word = words.begin() + 1; word != words.end() && why.empty(); ++word) {
    struct stat facts {};
    const bool is_file =
        word->starts_with('/') && ::stat(word->c_str(), &facts) == 0 && S_ISREG(facts.st_mode);
    if (is_file) why = distrust_of_file(*word);
  }
  return why;
}

HookOutcome HookProgram::run(const HookRun& run) {
  if (run.words.empty()) return {"there is no program", ""};
  if (auto why = distrust(run.words); !why.empty()) return {std::move(why), ""};
  SiteProgram program;
  program.words = run.words;
  program.environment = run.environment;
  program.input = run.input;
  program.patience_ms = static_cast<int>(run.timeout.seconds * 1000);
  program.most_output = most_output;
  auto end = run_program(program);
  return {std::move(end.failure), std::move(end.output), std::move(end.errors)};
}

} // namespace almanac
