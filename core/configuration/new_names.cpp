#include "core/configuration/new_names.hpp"

#include "core/text/names.hpp"
#include "core/text/words.hpp"

#include <algorithm>
#include <array>

namespace almanac {

namespace {

bool is_keyword(std::string_view name) {
  static constexpr std::array<std::string_view, 3> keywords{"NONE", "ALL", "TEMPLATE"};
  return std::any_of(keywords.begin(), keywords.end(),
                     [&](auto keyword) { return equal_ignoring_case(keyword, name); });
}

Error keyword_error(std::string_view name) {
  return Error{"Keyword (\"" + std::string(name) + "\") not allowed as objectname"};
}

Outcome check_name_of_complex(std::string_view name) {
  constexpr std::string_view operators = "=<>";
  if (is_keyword(name)) return keyword_error(name);
  if (const auto at = name.find_first_of(operators); at != std::string_view::npos)
    return Error{"\"" + excerpt(name) + "\" is not a valid object name (contains '" +
                 std::string(1, name[at]) + "')"};
  return Done{};
}

} // namespace

Outcome check_new_name(ObjectKind kind, std::string_view name) {
  // A file of quota sets says by itself what is wrong with this one, and in which line.
  if (kind == ObjectKind::quota_set && name == "template") return Done{};
  // The '@' tells a group from the words, but the text that an editor gets begins with this one.
  if (is_keyword(name) || name == "@template")
    return keyword_error(name.starts_with('@') ? name.substr(1) : name);
  if (name.starts_with('#'))
    return Error{"\"" + excerpt(name) + "\" is not a valid object name (begins with '#')"};
  return Done{};
}

Outcome check_new_complexes(const ConfigurationObject* before, const ConfigurationObject& table) {
  for (const auto& row : table.attributes) {
    const auto* stored = before ? before->find(row.name) : nullptr;
    if (stored && *stored == row.value) continue;
    if (!stored)
      if (auto sound = check_name_of_complex(row.name); !sound) return sound;
    const auto columns = words(row.value, " \t");
    const bool keeps_shortcut =
        stored && !columns.empty() && words(*stored, " \t").front() == columns.front();
    if (!columns.empty() && !keeps_shortcut)
      if (auto sound = check_name_of_complex(columns.front()); !sound) return sound;
  }
  return Done{};
}

} // namespace almanac
