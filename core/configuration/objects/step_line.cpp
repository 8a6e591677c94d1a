#include "core/configuration/objects/step_line.hpp"

#include "core/text/words.hpp"

namespace almanac {

namespace {

// What only a shell would understand; quoted or not, it is more likely a mistake than an argument.
constexpr std::string_view shell_characters = ";&|<>`\n";

} // namespace

Result<StepCommand> parse_step_command(std::string_view text) {
  const auto trimmed = trim(text);
  if (trimmed.empty() || equal_ignoring_case(trimmed, "NONE")) return StepCommand();
  StepCommand step;
  auto line = trimmed;
  const auto at = trimmed.find('@');
  const bool has_user = at < trimmed.find('/');
  if (has_user) step.user = trimmed.substr(0, at), line = trimmed.substr(at + 1);
  if (!line.starts_with('/') || (has_user && step.user.empty()))
    return Error{"\"" + std::string(text) + "\" is not NONE or [user@]/path with arguments"};
  if (const auto found = line.find_first_of(shell_characters); found != std::string_view::npos)
    return Error{"\"" + std::string(text) + "\": no shell reads this, '" + line[found] +
                 "' has to be in a script"};
  auto words = shell_words(line);
  if (!words) return words.error();
  step.words = std::move(*words);
  return step;
}

} // namespace almanac
