#include "core/configuration/objects/hook_command.hpp"

#include "core/configuration/objects/step_line.hpp"
#include "core/text/names.hpp"
#include "core/text/words.hpp"

#include <algorithm>
#include <cctype>
#include <iterator>

namespace almanac {

namespace {

// It becomes a name that hosts look up.
bool valid_user(std::string_view name) {
  return !name.empty() && name.front() != '-' &&
         std::all_of(name.begin(), name.end(), [](unsigned char c) {
           return std::isalnum(c) ||
                  std::string_view("._-").find(static_cast<char>(c)) != std::string_view::npos;
         });
}

constexpr std::string_view variables[]{"$ar_id", "$ar_name", "$owner", "$event"};

// No shell reads it, so that nothing else would stand for it.
Outcome known(const std::string& word) {
  const bool is_known =
      !word.starts_with('$') ||
      std::find(std::begin(variables), std::end(variables), word) != std::end(variables);
  if (is_known) return Done{};
  return Error{"\"" + excerpt(word) + "\" is not $ar_id, $ar_name, $owner or $event"};
}

} // namespace

Result<HookCommand> parse_hook_command(std::string_view text) {
  const Error wrong{"\"" + excerpt(text) + "\" is not NONE or [user@host]/path with arguments"};
  HookCommand hook;
  auto line = trim(text);
  const auto at = line.find('@'), path = line.find_first_of("/ \t");
  if (at < path) {
    const auto place = line.substr(0, path);
    hook.user = place.substr(0, at), hook.host = place.substr(at + 1);
    if (!valid_user(hook.user) || !valid_host_name(hook.host))
      return Error{"\"" + excerpt(place) + "\" is not user@host"};
    line = path == std::string_view::npos ? std::string_view() : line.substr(path);
    if (!line.starts_with('/')) return wrong;
  }
  if (!line.starts_with('/') && !line.empty() && !equal_ignoring_case(line, "NONE")) return wrong;
  auto step = parse_step_command(line);
  if (!step) return step.error();
  hook.words = std::move(step->words);
  for (const auto& word : hook.words)
    if (auto sound = known(word); !sound) return sound.error();
  return hook;
}

} // namespace almanac
