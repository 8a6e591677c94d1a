// Configuration objects as administrators write them: a kind, a name, attributes with their values.
//
// The text form is the record that is stored and sent; the typed forms beside this file are read
// from it, so a new attribute needs no new record format. Source: spec/objects.md.
#pragma once

#include "core/base/attribute.hpp"
#include "core/base/result.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace almanac {

enum class ObjectKind : std::uint8_t {
  cluster_queue,
  exec_host,
  host_group,
  parallel_environment,
  complex,
  userset,
  managers,
  operators,
  global_configuration,
  scheduler_configuration,
  orphan, ///< a queue instance that only reservations hold: made and dropped by the planner alone
  calendar,
  project,
  user,
  admin_hosts,
  submit_hosts,
  quota_set,
  checkpoint,
  local_configuration ///< what a host has of its own instead of the global one
};
template <> inline constexpr ObjectKind last_of<ObjectKind> = ObjectKind::local_configuration;

struct ConfigurationObject {
  ObjectKind kind = ObjectKind::cluster_queue;
  std::string name;
  std::vector<Attribute> attributes;

  /// The value of an attribute, or nullptr.
  const std::string* find(std::string_view attribute) const;
  void set(std::string_view attribute, std::string value);
  bool operator==(const ConfigurationObject&) const = default;
};
template <class V> void describe(V& visit, ConfigurationObject& object) {
  visit("kind", object.kind);
  visit("name", object.name);
  visit("attributes", object.attributes);
}

/// What messages call the kind: "cluster queue", "exechost", … (spec/cli.md section 1).
std::string_view kind_name(ObjectKind kind);

/// The attribute that holds the name in files ("qname"), or "" for kinds without one.
std::string_view name_attribute(ObjectKind kind);

/// Admin hosts and submit hosts: sets of host names.
bool is_host_set(ObjectKind kind);

/// A cell has exactly one object of this kind, stored without a name.
bool is_single(ObjectKind kind);

/// A new object with the template's defaults.
ConfigurationObject template_of(ObjectKind kind, std::string name);

/// Reads "attribute value" lines: '#' comments, backslash joins lines. Complex tables and resource
/// quota sets (objects/quota_file.hpp) have their own readers.
Result<std::vector<Attribute>> parse_attribute_file(std::string_view text);

/// The complex table, as printed_object.hpp prints it.
Result<std::vector<Attribute>> parse_complex_table(std::string_view text);

} // namespace almanac
