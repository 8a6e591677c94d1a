#include "core/configuration/list_entries.hpp"

#include "core/configuration/new_names.hpp"
#include "core/configuration/objects/lists.hpp"
#include "core/text/words.hpp"

#include <algorithm>

namespace almanac {

namespace {

// Grid Engine's other name for a member of the set.
std::string host_set_word(ObjectKind kind) {
  return kind == ObjectKind::admin_hosts ? "adminhost" : "submithost";
}

Error already_listed(const ConfigurationObject& list, const std::string& entry) {
  if (list.kind == ObjectKind::userset)
    return {"\"" + entry + "\" is already in access list \"" + list.name + "\""};
  const auto what =
      is_host_set(list.kind) ? host_set_word(list.kind) : std::string(kind_name(list.kind));
  return {what + " \"" + entry + "\" already exists"};
}
Error not_listed(const ConfigurationObject& list, const std::string& entry) {
  if (list.kind == ObjectKind::userset)
    return {"user \"" + entry + "\" is not in access list \"" + list.name + "\""};
  return {"denied: " + std::string(kind_name(list.kind)) + " \"" + entry + "\" does not exist"};
}

} // namespace

Result<std::string> edited_entries(const ConfigurationObject& object,
                                   const ConfigurationChange& change) {
  const auto* old = object.find("entries");
  auto entries = parse_name_list(old ? *old : "NONE");
  const bool hosts = is_host_set(object.kind);
  for (const auto& given : change.entries) {
    const auto entry = hosts ? lower(given) : given;
    const auto it = std::find(entries.begin(), entries.end(), entry);
    if (change.verb == ChangeVerb::add_entries) {
      // One name at a time: a blank would make two of one.
      if (hosts && !valid_host_name(entry)) return Error{"\"" + entry + "\" is not a host name"};
      if (it != entries.end()) return already_listed(object, entry);
      // NONE would be read back as the empty list.
      if (auto sound = check_new_name(object.kind, given); !sound) return sound.error();
      entries.push_back(entry);
    } else {
      if (it == entries.end()) return not_listed(object, entry);
      if (object.kind == ObjectKind::managers && entry == "root")
        return Error{"denied: may not remove user \"root\" from manager list"};
      entries.erase(it);
    }
  }
  return print_name_list(entries);
}

} // namespace almanac
