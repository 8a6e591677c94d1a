#include "core/configuration/objects/jsv_url.hpp"

#include "core/text/names.hpp"
#include "core/text/words.hpp"

#include <algorithm>
#include <cctype>

namespace almanac {

namespace {

constexpr std::size_t longest_url = 4096; // as a path

// It becomes a name that is looked up.
bool valid_user(std::string_view name) {
  return !name.empty() && name.front() != '-' &&
         std::all_of(name.begin(), name.end(), [](unsigned char c) {
           return std::isalnum(c) ||
                  std::string_view("._-").find(static_cast<char>(c)) != std::string_view::npos;
         });
}

} // namespace

Result<JsvUrl> parse_jsv_url(std::string_view text) {
  const auto wrong = [&](const std::string& why) {
    return Error{"\"" + excerpt(text) + "\" " + why};
  };
  auto rest = trim(text);
  if (equal_ignoring_case(rest, "none")) return JsvUrl();
  if (rest.size() > longest_url || !is_utf8(rest) ||
      std::any_of(rest.begin(), rest.end(), is_control))
    return wrong("is no path");
  JsvUrl url;
  auto type = std::string_view("script");
  const auto path = std::min(rest.find('/'), rest.size());
  if (const auto colon = rest.find(':'); colon < path) {
    type = rest.substr(0, colon), rest.remove_prefix(colon + 1);
    if (type != "script" && type != "command")
      return wrong("is of no known type: script: and command: are there");
  }
  if (const auto at = rest.find('@'); at < rest.find('/')) {
    url.user = rest.substr(0, at), rest.remove_prefix(at + 1);
    if (!valid_user(url.user)) return wrong("names no user before the @");
  }
  if (!rest.starts_with('/')) return wrong("is not none or [script:|command:][user@]/path");
  if (type == "script") url.words = {std::string(rest)};
  else {
    auto words = shell_words(rest);
    if (!words) return wrong("has words that cannot be read: " + words.what());
    url.words = std::move(*words);
  }
  return url;
}

} // namespace almanac
