// A value with others for some hosts and groups: "default[,[host_or_@group=value]]…"
// (spec/objects.md section 1).
#pragma once

#include "core/base/attribute.hpp"
#include "core/base/result.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace almanac {

struct OverridableValue {
  std::string fallback;
  std::vector<Attribute> overrides; ///< name: host or @group

  static Result<OverridableValue> parse(std::string_view text);
  /// The same where the default may be missing: "[host=value],…"; the fallback is "" then.
  static Result<OverridableValue> parse_some(std::string_view text);
  std::string print() const;
};

} // namespace almanac
