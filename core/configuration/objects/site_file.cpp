#include "core/configuration/objects/site_file.hpp"

#include "core/base/fingerprint.hpp"
#include "core/configuration/objects/sort_keys.hpp"
#include "core/text/names.hpp"

#include <algorithm>

namespace almanac {

namespace {

// Neither keys nor conditions begin so.
constexpr std::string_view unusable = "!unusable: ";

} // namespace

std::string unusable_site_file(const std::string& why) { return std::string(unusable) + why; }

std::string_view why_unusable(std::string_view text) {
  return text.starts_with(unusable) ? text.substr(unusable.size()) : std::string_view();
}

bool is_site_file(std::string_view name) {
  return std::find(site_file_names.begin(), site_file_names.end(), name) != site_file_names.end();
}

std::string line_of_site_file(const std::string& name, const std::string& text) {
  return name + ": " + std::to_string(text.size()) + " bytes, fingerprint " +
         std::to_string(fingerprint(text));
}

std::optional<std::string> fault_of(std::string_view name, std::string_view text) {
  const auto said = [&](const std::string& what) { return std::string(name) + ", " + what; };
  if (text.size() > largest_site_file)
    return said("at most " + std::to_string(largest_site_file) + " bytes are read");
  if (!is_utf8(text)) return said("the text is not valid UTF-8");
  if (const auto why = why_unusable(text); !why.empty()) return said(excerpt(why, 160));
  if (name != "sched_conf") return std::nullopt;
  const auto keys = parse_sort_keys(text);
  if (!keys) return said(keys.what());
  return std::nullopt;
}

} // namespace almanac
