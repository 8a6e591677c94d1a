#include "core/configuration/objects/userset.hpp"

#include "core/base/caller.hpp"
#include "core/configuration/objects/readers.hpp"
#include "core/text/words.hpp"

#include <algorithm>

namespace almanac {

namespace {

using namespace readers;
using S = Userset;

Outcome read_type(S& set, const GivenAttribute& given) {
  for (const auto& word : parse_name_list(given.text)) {
    if (word != "ACL" && word != "DEPT") return Error{"\"" + word + "\" is not ACL or DEPT"};
    (word == "DEPT" ? set.is_department : set.is_access_list) = true;
  }
  if (!set.is_access_list && !set.is_department) return Error{"ACL or DEPT is expected"};
  return Done{};
}

Outcome read_entries(S& set, const GivenAttribute& given) {
  set.entries = parse_name_list(given.text);
  for (const auto& entry : set.entries) {
    const auto name = entry.starts_with('@') ? entry.substr(1) : entry;
    if (name.empty() || name.find_first_of(":/'\"\\[]{}|()%`*?&!@") != std::string::npos)
      return Error{"\"" + entry + "\" is not a user or @group"};
  }
  return Done{};
}

const AttributeRow<S> rows[]{
    {.name = "type",
     .fallback = "ACL",
     .shape = ValueShape::names,
     .read = read_type,
     .check = anything},
    {.name = "fshare",
     .fallback = "0",
     .shape = ValueShape::single,
     .read = number<&S::functional_share>,
     .check = anything},
    {.name = "oticket",
     .fallback = "0",
     .shape = ValueShape::single,
     .read = number<&S::override_tickets>,
     .check = anything},
    {.name = "entries",
     .fallback = "NONE",
     .shape = ValueShape::names,
     .read = read_entries,
     .check = anything},
};

// Of managers and operators.
const AttributeRow<S> list_rows[]{{.name = "entries",
                                   .fallback = "NONE",
                                   .shape = ValueShape::names,
                                   .read = read_entries,
                                   .check = anything}};

} // namespace

Result<Userset> Userset::parse(const ConfigurationObject& object) {
  const bool is_userset = object.kind == ObjectKind::userset;
  Userset set;
  set.name = object.name;
  if (is_userset)
    if (auto valid = valid_object_name(set.name); !valid) return valid.error();
  const auto read = is_userset ? read_rows(rows, object, set) : read_rows(list_rows, object, set);
  if (!read) return read.error();
  return set;
}

bool Userset::contains(const std::string& user, const std::string& group) const {
  return std::any_of(entries.begin(), entries.end(), [&](const std::string& entry) {
    return entry.starts_with('@')
               ? !group.empty() && is_group(std::string_view(entry).substr(1), group)
               : entry == user;
  });
}

Kind userset_kind() { return kind_with<rows>("userset", "name", "userset"); }

Kind user_list_kind(std::string_view name) { return kind_with<list_rows>(name, "", ""); }

} // namespace almanac
