#include "master/hook_program.hpp"

#include "master/site_program.hpp"

#include <cerrno>
#include <cstring>
#include <sys/stat.h>
#include <unistd.h>

namespace almanac {

namespace {

// Why it must not be run; "" if it may.
std::string distrust(const std::string& program) {
  struct stat file {};
  if (::stat(program.c_str(), &file) != 0) return program + ": " + std::strerror(errno);
  if (!S_ISREG(file.st_mode)) return program + " is no file";
  if (file.st_uid != 0 && file.st_uid != ::geteuid())
    return program + " belongs neither to root nor to the master's user";
  if ((file.st_mode & (S_IWGRP | S_IWOTH)) != 0) return program + " may be written by others";
  return "";
}

} // namespace

HookOutcome HookProgram::run(const HookRun& run) {
  if (run.words.empty()) return {"there is no program", ""};
  if (auto why = distrust(run.words.front()); !why.empty()) return {std::move(why), ""};
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
