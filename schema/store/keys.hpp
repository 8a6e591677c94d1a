// How the store is divided: families of keys, and how the key of each record is written.
//
// Keys are big-endian numbers or names, so that a scan meets them in their natural order.
#pragma once

#include "core/base/ids.hpp"
#include "core/configuration/objects/object.hpp"
#include "core/reservation/transaction.hpp"
#include "core/utilization/instance_name.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace almanac::store {

/// The number of the format; a store of a newer one is refused (design.md section 7, Upgrades).
inline constexpr std::int64_t format = 2;

enum class Family : std::uint8_t {
#define FAMILY(name, number) name = number,
#include "schema/store/families.def"
#undef FAMILY
};

#define FAMILY(name, number) +1
inline constexpr std::size_t number_of_families = 0
#include "schema/store/families.def"
    ;
#undef FAMILY

/// By number. One that is missing, or there twice, does not compile.
inline constexpr auto family_names = [] {
  std::array<const char*, number_of_families> names{};
#define FAMILY(name, number) names.at(number) = #name;
#include "schema/store/families.def"
#undef FAMILY
  for (const char* name : names)
    if (!name) throw "two families have the same number";
  return names;
}();
constexpr const char* name_of(Family family) {
  return family_names.at(static_cast<std::size_t>(family));
}

struct Write {
  Family family = Family::meta;
  std::string key;
  std::optional<std::string> value; ///< nothing: the key is removed
};

/// Eight bytes that sort like the number; numbers are not negative.
std::string number_key(std::int64_t number);
std::int64_t key_number(std::string_view key);

/// The keys of the kinds of records. A scan meets the tasks of a job one after the other, and the
/// transactions of a reservation.
template <class Tag> std::string stored_key(Id<Tag> key) { return number_key(key.value); }
std::string stored_key(const TaskId& id);
std::string stored_key(const TransactionKey& key);
std::string stored_key(const InstanceName& name);
std::string stored_key(const std::string& name);
/// What stored_key() wrote: of keys that are removed.
template <class Key> Key key_of_stored(std::string_view key) { return {key_number(key)}; }
template <> TaskId key_of_stored(std::string_view key);
template <> TransactionKey key_of_stored(std::string_view key);
template <> InstanceName key_of_stored(std::string_view key);
template <> std::string key_of_stored(std::string_view key);

/// Of the family accounting_of_job: a scan meets the records of a job one after the other.
std::string accounting_key(JobNumber number, std::int64_t sequence);
/// Of the family of objects: a letter for the kind, then the name.
std::string object_key(ObjectKind kind, const std::string& name);
std::pair<ObjectKind, std::string> key_object(std::string_view key);

} // namespace almanac::store
