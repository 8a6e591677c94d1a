// A change of the configuration, as somebody asks for it.
#pragma once

#include "core/configuration/objects/object.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace almanac {

enum class ChangeVerb : std::uint8_t {
  add,
  modify,
  erase,
  add_entries,
  remove_entries,
  // qconf's attribute switches (core/configuration/value_change.hpp)
  add_values,
  remove_values,
  modify_values,
  replace_values,
  purge_values ///< those of hosts and groups (core/configuration/override_purge.hpp)
};
template <> inline constexpr ChangeVerb last_of<ChangeVerb> = ChangeVerb::purge_values;

constexpr bool is_of_values(ChangeVerb verb) { return verb >= ChangeVerb::add_values; }

/// One `qconf` change. For add_entries and remove_entries `entries` holds users, hosts or names. For a
/// change of values the object's name may go on with a part of it: "all.q@n1", "all.q@@group", "A/1";
/// its attributes are the values to add, remove, …, in this order; those to purge have a name only.
struct ConfigurationChange {
  ChangeVerb verb = ChangeVerb::add;
  ConfigurationObject object;
  std::vector<std::string> entries;
};
template <class V> void describe(V& visit, ConfigurationChange& change) {
  visit("verb", change.verb);
  visit("object", change.object);
  visit("entries", change.entries);
}

} // namespace almanac
