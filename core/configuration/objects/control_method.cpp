#include "core/configuration/objects/control_method.hpp"

#include "core/configuration/objects/step_line.hpp"
#include "core/text/numbers.hpp"
#include "core/text/words.hpp"

#include <algorithm>
#include <iterator>
#include <optional>

namespace almanac {

namespace {

// As `kill -l` counts them on Linux, from 1.
constexpr std::string_view signals[]{
    "HUP",  "INT",  "QUIT", "ILL",    "TRAP",   "ABRT",  "BUS",  "FPE",  "KILL", "USR1", "SEGV",
    "USR2", "PIPE", "ALRM", "TERM",   "STKFLT", "CHLD",  "CONT", "STOP", "TSTP", "TTIN", "TTOU",
    "URG",  "XCPU", "XFSZ", "VTALRM", "PROF",   "WINCH", "IO",   "PWR",  "SYS"};

// What a command may name with a $ in front, as in Grid Engine.
constexpr std::string_view variables[]{"host",  "ja_task_id", "job_owner", "job_id",  "job_name",
                                       "queue", "job_pid",    "sge_cell",  "sge_root"};

// The first that no command knows; nothing: all are known.
std::optional<std::string> unknown_variable(std::string_view text) {
  for (auto at = text.find('$'); at != std::string_view::npos; at = text.find('$', at + 1)) {
    const auto rest = text.substr(at + 1);
    const auto name = rest.substr(0, rest.find_first_not_of("abcdefghijklmnopqrstuvwxyz_"));
    if (std::find(std::begin(variables), std::end(variables), name) == std::end(variables))
      return "$" + std::string(name);
  }
  return std::nullopt;
}

Result<std::vector<std::string>> parse_command(std::string_view text) {
  const auto step = parse_step_command(text);
  if (!step) return step.error();
  const auto quoted = "\"" + std::string(text) + "\"";
  if (!step->user.empty())
    return Error{quoted + ": it runs as the owner of the job, without user@"};
  if (const auto name = unknown_variable(text))
    return Error{quoted + ": there is no variable " + *name};
  return step->words;
}

} // namespace

int signal_called(std::string_view text) {
  if (const auto number = parse_number(text))
    return *number >= 1 && *number <= highest_signal ? static_cast<int>(*number) : 0;
  const auto name = equal_ignoring_case(text.substr(0, 3), "SIG") ? text.substr(3) : text;
  const auto* found =
      std::find_if(std::begin(signals), std::end(signals),
                   [&](std::string_view signal) { return equal_ignoring_case(signal, name); });
  return found == std::end(signals) ? 0 : static_cast<int>(found - std::begin(signals)) + 1;
}

Result<ControlMethod> parse_control_method(std::string_view text) {
  const auto given = trim(text);
  ControlMethod method;
  if (equal_ignoring_case(given, "NONE")) return method;
  if (method.signal = signal_called(given); method.signal != 0) return method;
  if (!given.starts_with('/'))
    return Error{"\"" + std::string(given) +
                 "\" is not NONE, a signal (SIGTERM or 15) or an absolute path with arguments"};
  auto words = parse_command(given);
  if (!words) return words.error();
  method.words = std::move(*words);
  return method;
}

Result<std::vector<std::string>> parse_starter_method(std::string_view text) {
  return parse_command(text);
}

} // namespace almanac
