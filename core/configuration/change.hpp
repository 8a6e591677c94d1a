// A change of the configuration, as somebody asks for it.
#pragma once

#include "core/configuration/objects/object.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace almanac {

enum class ChangeVerb : std::uint8_t { add, modify, erase, add_entries, remove_entries };
template <> inline constexpr ChangeVerb last_of<ChangeVerb> = ChangeVerb::remove_entries;

/// One `qconf` change. For add_entries and remove_entries `entries` holds users, hosts or names.
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
