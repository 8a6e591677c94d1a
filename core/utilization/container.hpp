// A place with capacities: the cell, a host, a queue instance, a parallel environment (only of slots)
// or a limit of a quota.
//
// Written as "global", "host:h", "queue:q@h", "pe:name", "quota:set/rule/…"; only text() and parse()
// know how.
#pragma once

#include "core/base/describe.hpp"
#include "core/base/result.hpp"
#include "core/utilization/instance_name.hpp"

#include <compare>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace almanac {

struct Container {
  /// In the order of their texts.
  enum class Kind : std::uint8_t { global, host, pe, queue, quota };
  Kind kind = Kind::global;
  std::string name; ///< empty for the cell

  static Container global() { return {}; }
  static Container host(std::string name) { return {Kind::host, std::move(name)}; }
  static Container pe(std::string name) { return {Kind::pe, std::move(name)}; }
  static Container quota(std::string name) { return {Kind::quota, std::move(name)}; }
  static Container queue(const InstanceName& instance) { return {Kind::queue, instance.text()}; }

  std::string text() const;
  static Result<Container> parse(std::string_view text);
  auto operator<=>(const Container&) const = default;
};

/// What is booked: a resource, or what those book of it who must not meet somebody that wants to
/// have it alone (exclusive resources). Nobody asks for the latter and nobody is told of it.
struct Resource {
  std::string name;
  bool beside = false;

  Resource() = default;
  Resource(std::string resource, bool is_beside = false)
      : name(std::move(resource)), beside(is_beside) {}
  Resource(const char* resource) : name(resource) {}

  std::string text() const;
  static Result<Resource> parse(std::string_view text);
  auto operator<=>(const Resource&) const = default;
};

} // namespace almanac

template <> struct std::hash<almanac::Container> {
  std::size_t operator()(const almanac::Container& container) const {
    return std::hash<std::string>()(container.name) ^ static_cast<std::size_t>(container.kind);
  }
};
