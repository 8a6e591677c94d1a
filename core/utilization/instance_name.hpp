// The name of a queue instance: queue@host.
#pragma once

#include "core/base/describe.hpp"
#include "core/base/result.hpp"

#include <compare>
#include <functional>
#include <string>
#include <string_view>

namespace almanac {

struct InstanceName {
  std::string queue, host;

  bool empty() const { return queue.empty() && host.empty(); }
  std::string text() const { return empty() ? "" : queue + "@" + host; }
  static Result<InstanceName> parse(std::string_view text);
  bool operator==(const InstanceName&) const = default;
};
/// As their texts are ordered.
std::strong_ordering operator<=>(const InstanceName& left, const InstanceName& right);

} // namespace almanac

template <> struct std::hash<almanac::InstanceName> {
  std::size_t operator()(const almanac::InstanceName& name) const {
    return std::hash<std::string>()(name.queue) * 31 + std::hash<std::string>()(name.host);
  }
};
